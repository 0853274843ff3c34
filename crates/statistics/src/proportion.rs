//! Shares of things and their differences, with intervals.

use crate::Estimate;

/// The 97.5 % point of the normal law.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The share `count / of` with Wilson's score interval; `None` of none.
pub fn proportion(count: usize, of: usize) -> Option<Estimate> {
    share_of(count as f64 / of as f64, of as f64)
}

/// A share of `n` things with Wilson's score interval; `n` may be a fraction, as an effective number is.
pub(crate) fn share_of(share: f64, n: f64) -> Option<Estimate> {
    share_within(share, n, Z)
}

/// The same with an interval of `z` standard errors on either side.
pub(crate) fn share_within(share: f64, n: f64, z: f64) -> Option<Estimate> {
    if n.is_nan() || n <= 0.0 {
        return None;
    }
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    // Rounding must not leave out the share itself: at 0 and 1 the interval ends there.
    Some(Estimate { value: share, low: (middle - half).max(0.0).min(share), high: (middle + half).min(1.0).max(share) })
}

/// The difference of two shares of separate things, `a - b`, each as (count, of), with Newcombe's interval (1998, method
/// 10), which is sound near 0 and 1 too.
pub fn difference(a: (usize, usize), b: (usize, usize)) -> Option<Estimate> {
    let (a, b) = (proportion(a.0, a.1)?, proportion(b.0, b.1)?);
    let value = a.value - b.value;
    Some(Estimate {
        value,
        low: (value - (a.value - a.low).hypot(b.high - b.value)).max(-1.0),
        high: (value + (a.high - a.value).hypot(b.value - b.low)).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against `scipy.stats.binomtest(7, 20).proportion_ci(method="wilson")`.
    #[test]
    fn wilson_by_scipy() {
        let found = proportion(7, 20).unwrap();
        assert!((found.low - 0.181_191_8).abs() < 1e-6 && (found.high - 0.567_145_7).abs() < 1e-6, "{found:?}");
        let none = proportion(0, 10).unwrap();
        assert!((none.low, none.value) == (0.0, 0.0) && (none.high - 0.277_532_8).abs() < 1e-6, "{none:?}");
        assert_eq!(proportion(0, 0), None);
    }

    #[test]
    fn an_interval_holds_the_share_itself_to_the_last_digit() {
        for n in 1..=2_000 {
            let (none, all) = (proportion(0, n).unwrap(), proportion(n, n).unwrap());
            assert!(none.low == 0.0 && all.high == 1.0, "{n}: {none:?}, {all:?}");
            let half = proportion(n / 2, n).unwrap();
            assert!((half.low..=half.high).contains(&half.value), "{n}: {half:?}");
        }
    }

    /// `confint_proportions_2indep(7, 20, 9, 40, method="newcomb", compare="diff")` and so on, of statsmodels 0.15.
    #[test]
    fn newcombe_by_statsmodels() {
        let figures = [
            ((7, 20), (9, 40), -0.10084395372963034, 0.36484049855463974),
            ((0, 10), (3, 12), -0.5323053349335658, 0.0708804156994084),
            ((480, 500), (4300, 5000), 0.07704004695156534, 0.11711022418374648),
            ((10, 10), (0, 8), 0.5730752722626345, 1.0),
        ];
        for (a, b, low, high) in figures {
            let found = difference(a, b).unwrap();
            assert!((found.low - low).abs() < 1e-12 && (found.high - high).abs() < 1e-12, "{found:?}");
        }
        assert_eq!(difference((1, 2), (0, 0)), None);
    }
}
