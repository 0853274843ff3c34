//! Intervals for shares.

use super::Interval;

/// The 95 % interval of Wilson (1927) for a share of `hits` in `tries`; `None` for no tries.
pub fn wilson(hits: usize, tries: usize) -> Option<Interval> {
    if tries == 0 {
        return None;
    }
    let (n, z) = (tries as f64, 1.959_963_984_540_054_f64);
    let share = hits as f64 / n;
    let centre = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let below = 1.0 + z * z / n;
    Some(Interval { low: ((centre - half) / below).max(0.0), high: ((centre + half) / below).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of SciPy: `binomtest(k, n).proportion_ci(method="wilson")`.
    #[test]
    fn shares_as_scipy_has_them() {
        let interval = wilson(3, 40).unwrap();
        assert!(
            (interval.low - 0.025836025774588198).abs() < 1e-9 && (interval.high - 0.19864233524310543).abs() < 1e-9
        );
        let none = wilson(0, 10).unwrap();
        assert_eq!(none.low, 0.0);
        assert!((none.high - 0.27753279986288926).abs() < 1e-9);
        assert_eq!(wilson(0, 0), None);
    }
}
