//! How the answers so far correct the forecasts of a part.
//!
//! A forecast that is too high everywhere, or too sure of itself, plans questions where they teach little and leaves more for the
//! difference estimator to correct. Two numbers, fitted to the answers, move and stretch the log odds of all forecasts. They are held
//! near "no correction" as if they had been seen before, so that a handful of answers changes little.

use super::{SUREST, Text};

/// Log odds are stretched by `slope` about `centre` and moved by `shift`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recalibration {
    centre: f64,
    shift: f64,
    slope: f64,
}

/// How far the shift and the slope may be from 0 and 1 before anything was seen: one standard deviation.
const SHIFT: f64 = 0.5;
const SLOPE: f64 = 0.2;
/// Steps of Newton's method, and how far one may go.
const STEPS: usize = 30;
const LONGEST_STEP: f64 = 0.7;

impl Recalibration {
    /// The forecasts as they are.
    pub const NONE: Self = Self { centre: 0.0, shift: 0.0, slope: 1.0 };

    /// The corrected forecast.
    pub fn of(self, forecast: f64) -> f64 {
        if self == Self::NONE {
            return forecast;
        }
        share(self.centre + self.shift + self.slope * (log_odds(forecast) - self.centre))
    }

    /// The most likely correction by the answers about texts, of which each counts once, however often it was asked.
    pub(super) fn fit(texts: &[Text]) -> Self {
        // The slope turns about where most flips are expected, so that the shift says how many there are.
        let doubt = |text: &Text| text.probability * (1.0 - text.probability);
        let doubts: f64 = texts.iter().map(doubt).sum();
        let weighted: f64 = texts.iter().map(|text| doubt(text) * log_odds(text.probability)).sum();
        let seen = || texts.iter().filter(|text| text.asked > 0.0);
        if doubts <= 0.0 || seen().next().is_none() {
            return Self::NONE;
        }
        let centre = weighted / doubts;
        let rows: Vec<(f64, f64)> =
            seen().map(|text| (log_odds(text.probability) - centre, text.hits / text.asked)).collect();
        let (for_shift, for_slope) = (SHIFT.powi(-2), SLOPE.powi(-2));
        let (mut shift, mut slope) = (0.0, 1.0);
        for _ in 0..STEPS {
            let mut pull = [-for_shift * shift, -for_slope * (slope - 1.0)];
            let mut bend = [for_shift, 0.0, for_slope];
            for (x, hits) in &rows {
                let p = share(centre + shift + slope * x);
                let (miss, variance) = (hits - p, p * (1.0 - p));
                pull = [pull[0] + miss, pull[1] + miss * x];
                bend = [bend[0] + variance, bend[1] + variance * x, bend[2] + variance * x * x];
            }
            let determinant = bend[0] * bend[2] - bend[1] * bend[1];
            let by = [
                (bend[2] * pull[0] - bend[1] * pull[1]) / determinant,
                (bend[0] * pull[1] - bend[1] * pull[0]) / determinant,
            ];
            let far = by[0].abs().max(by[1].abs());
            let kept = (LONGEST_STEP / far.max(1e-300)).min(1.0);
            shift += kept * by[0];
            slope = (slope + kept * by[1]).max(0.0);
            if far < 1e-9 {
                break;
            }
        }
        Self { centre, shift, slope }
    }
}

fn log_odds(forecast: f64) -> f64 {
    let sure = forecast.clamp(SUREST, 1.0 - SUREST);
    (sure / (1.0 - sure)).ln()
}

fn share(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
