//! McNemar's test: do paired answers go one way more often than the other?

use statrs::function::gamma::ln_gamma;

/// The exact two-sided p-value of McNemar's test: `b` pairs went from right to wrong, `c` from wrong to right. Under no
/// effect each of the `b + c` is the throw of a fair coin; pairs that did not change say nothing. 1 if there is none.
pub fn mcnemar(b: usize, c: usize) -> f64 {
    let (n, fewer) = ((b + c) as f64, b.min(c));
    // The tail C(n, 0) + ... + C(n, fewer), as its last and largest term times a sum that is left early.
    let k = fewer as f64;
    let largest = ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0) - n * std::f64::consts::LN_2;
    let (mut term, mut sum) = (1.0, 1.0);
    for i in (1..=fewer).rev() {
        term *= i as f64 / (n - i as f64 + 1.0);
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    (2.0 * largest.exp() * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.binomtest(b, b + c, 0.5).pvalue` of SciPy 1.17.
    #[test]
    fn as_scipy_has_it() {
        let figures = [
            (5, 5, 1.0),
            (10, 2, 0.03857421875),
            (1, 9, 0.021484375),
            (0, 6, 0.03125),
            (40, 17, 0.0032015437674503813),
            (520, 430, 0.0038597074976553887),
            (60_000, 59_000, 0.0037798696347767836),
        ];
        for (b, c, p) in figures {
            assert!((mcnemar(b, c) / p - 1.0).abs() < 1e-8, "({b}, {c}): {} against {p}", mcnemar(b, c));
            assert_eq!(mcnemar(b, c), mcnemar(c, b));
        }
    }

    #[test]
    fn where_nothing_changed_nothing_is_shown() {
        assert_eq!(mcnemar(0, 0), 1.0);
        assert_eq!(mcnemar(1, 0), 1.0);
    }
}
