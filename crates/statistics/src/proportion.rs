//! A share of things, with its interval.

use crate::Estimate;

/// The share `count / of` with Wilson's score interval; `None` of none.
pub fn proportion(count: usize, of: usize) -> Option<Estimate> {
    /// The 97.5 % point of the normal law.
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0 {
        return None;
    }
    let n = of as f64;
    let share = count as f64 / n;
    let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    Some(Estimate { value: share, low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
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
}
