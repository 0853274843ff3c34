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
}
