//! A mean, with its interval.

use crate::{Estimate, Moments};

/// The mean of the values with Student's interval; `None` of fewer than two, which say nothing of how they scatter.
pub fn mean(values: &[f64]) -> Option<Estimate> {
    let mut moments = Moments::default();
    values.iter().for_each(|value| moments.add(*value));
    moments.mean()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.t.interval(0.95, 4, loc=numpy.mean(x), scale=scipy.stats.sem(x))` of SciPy 1.17.
    #[test]
    fn five_values_as_scipy_has_them() {
        let found = mean(&[0.9, 0.7, 0.55, 0.99, 0.61]).unwrap();
        assert!((found.value - 0.75).abs() < 1e-12, "{found:?}");
        assert!((found.low - 0.5158878833300657).abs() < 1e-7 && (found.high - 0.9841121166699345).abs() < 1e-7);
    }

    #[test]
    fn too_few_or_no_numbers() {
        assert_eq!(mean(&[0.5]), None);
        assert_eq!(mean(&[0.5, f64::NAN]), None);
    }
}
