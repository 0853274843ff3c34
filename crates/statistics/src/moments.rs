//! A mean taken one value at a time, in constant memory.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::Estimate;

/// What is kept of values that came one by one: their number, mean and scatter (Welford 1962).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moments {
    count: usize,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let from_mean = value - self.mean;
        self.mean += from_mean / self.count as f64;
        self.squares += from_mean * (value - self.mean);
    }

    /// The mean with Student's interval; `None` of fewer than two values, which say nothing of how they scatter.
    pub fn mean(&self) -> Option<Estimate> {
        if self.count < 2 {
            return None;
        }
        let n = self.count as f64;
        let variance = self.squares / (n - 1.0);
        let half = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(0.975) * (variance / n).sqrt();
        half.is_finite().then_some(Estimate { value: self.mean, low: self.mean - half, high: self.mean + half })
    }

    /// The two-sided p-value of Student's test that the true mean is 0; `None` of fewer than two values.
    pub fn p_of_zero(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let n = self.count as f64;
        let error = (self.squares / (n - 1.0) / n).sqrt();
        // Values that are all the same leave nothing to chance.
        if error == 0.0 {
            return Some(if self.mean == 0.0 { 1.0 } else { 0.0 });
        }
        let p = 2.0 * StudentsT::new(0.0, 1.0, n - 1.0).ok()?.cdf(-(self.mean / error).abs());
        p.is_finite().then_some(p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: the mean is 3, the standard error sqrt(2.5 / 5) = 0.7071, so t = 4.2426; with 4 degrees of freedom
    /// `P(|T| > t) = 1 - s (1 + (1 - s²) / 2)`, where s = t / sqrt(4 + t²) = 0.904534: 0.013236.
    #[test]
    fn five_values_against_zero() {
        let mut moments = Moments::default();
        (1..=5).for_each(|value| moments.add(f64::from(value)));
        let s = (9.0f64 / 11.0).sqrt();
        let by_hand = 1.0 - s * (1.0 + (1.0 - s * s) / 2.0);
        assert!((moments.p_of_zero().unwrap() - by_hand).abs() < 1e-9, "{:?} {by_hand}", moments.p_of_zero());
        let mut same = Moments::default();
        same.add(0.25);
        assert_eq!(same.p_of_zero(), None);
        same.add(0.25);
        assert_eq!(same.p_of_zero(), Some(0.0));
        assert_eq!(Moments { count: 3, ..Moments::default() }.p_of_zero(), Some(1.0));
    }
}
