//! Fisher's exact test: is a share in one group other than in another?

use statrs::function::gamma::ln_gamma;

/// The two-sided p-value for two groups, each as (count, of): the chance of a table as unlikely as this one, or more so,
/// if the groups were alike.
pub fn fisher(a: (usize, usize), b: (usize, usize)) -> f64 {
    let (counted, all) = (a.0 + b.0, a.1 + b.1);
    let choose =
        |n: usize, k: usize| ln_gamma(n as f64 + 1.0) - ln_gamma(k as f64 + 1.0) - ln_gamma((n - k) as f64 + 1.0);
    let log_chance = |k: usize| choose(a.1, k) + choose(b.1, counted - k) - choose(all, counted);
    // Tables as likely as this one count, up to rounding.
    let limit = log_chance(a.0) + 1e-7;
    let tables = counted.saturating_sub(b.1)..=counted.min(a.1);
    tables.map(log_chance).filter(|chance| *chance <= limit).map(f64::exp).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.fisher_exact([[7, 13], [9, 31]]).pvalue` and so on, of SciPy 1.17.
    #[test]
    fn as_scipy_has_it() {
        let figures = [
            ((7, 20), (9, 40), 0.35989013880639953),
            ((0, 10), (3, 12), 0.22077922077922077),
            ((480, 500), (4300, 5000), 1.561597863303442e-12),
            ((10, 10), (0, 8), 2.2852964029434616e-05),
        ];
        for (a, b, p) in figures {
            assert!((fisher(a, b) / p - 1.0).abs() < 1e-8, "{} against {p}", fisher(a, b));
        }
    }

    #[test]
    fn groups_that_cannot_differ() {
        assert_eq!(fisher((0, 0), (0, 0)), 1.0);
        assert_eq!(fisher((3, 3), (4, 4)), 1.0);
    }
}
