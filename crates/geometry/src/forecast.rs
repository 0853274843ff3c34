//! The flip forecast: the probability that a random word substitution changes the label, from the gradients alone.
//!
//! To first order an edit moves a margin by the sum of g_i . (e(w_i) - x_i) over the replaced words. Its mean and
//! variance under the law of the edit are known exactly ([`Surrogate`]), so the margin after an edit is close to
//! normal and the label changes with probability Phi(t). How far the straight line can be trusted is measured once per
//! model and law on a few dozen texts ([`Calibration`]).

mod blend;
mod calibration;
mod edit_line;
mod exact;
mod fit;
mod forecaster;
mod part;
mod part_calibration;
mod predicted;
mod quote;
mod readings;
mod replaced_words;
mod stored;
mod surrogate;

use serde::Serialize;
use statrs::function::erf::erfc;

pub use blend::Blend;
pub use calibration::Calibration;
pub use fit::Fitted;
pub use forecaster::{CALIBRATION_COPIES, CALIBRATION_TEXTS, Forecaster};
pub use part::{PartForecaster, PartOutlook, TextOutlook, Threat};
pub use part_calibration::PartCalibration;
pub use predicted::Predicted;
pub use stored::StoredCalibrations;
pub use surrogate::{Shift, Surrogate};

/// A forecast, with the numbers of the rival that decides it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forecast {
    /// The probability that an edit changes the label.
    pub probability: f64,
    /// What to rank by: probability = Phi(t), without its ties at 0 and 1.
    pub t: f64,
    /// The expected shift of the margin by an edit, and its standard deviation, both calibrated if the forecast is.
    pub mean: f64,
    pub spread: f64,
}

impl Forecast {
    /// The largest t over the rivals; `None` if there is nothing to replace.
    pub(crate) fn worst(rivals: impl Iterator<Item = (f64, f64, f64)>) -> Option<Self> {
        rivals
            .map(|(margin, mean, variance)| {
                // A margin that no edit moves is infinitely safe; the floor keeps its t finite.
                let spread = variance.max(1e-30).sqrt();
                let t = -(margin + mean) / spread;
                Self { probability: normal_cdf(t), t, mean, spread }
            })
            .max_by(|a, b| a.t.total_cmp(&b.t))
    }

    /// Without calibration: the straight line taken at its word. It can be off by a factor.
    pub fn uncalibrated(shifts: &[Shift]) -> Option<Self> {
        Self::worst(shifts.iter().map(|shift| (shift.margin, shift.mean, shift.variance)))
    }
}

/// The probability that a standard normal number is below `t`.
pub(crate) fn normal_cdf(t: f64) -> f64 {
    0.5 * erfc(-t / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod part_tests;
#[cfg(test)]
mod tests;
