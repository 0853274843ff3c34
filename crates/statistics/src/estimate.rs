//! A number that was measured, and how sure it is.

use serde::{Deserialize, Serialize};

use crate::normal_quantile;

/// A measured value, and where the true one lies with 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// The same, with its interval cut to what is possible at all.
    pub fn within(self, least: f64, most: f64) -> Self {
        Self { low: self.low.max(least), high: self.high.min(most), ..self }
    }

    /// The same, with its value and its interval cut to what is possible at all: an unbiased estimate from few draws may lie
    /// outside.
    pub fn clamped(self, least: f64, most: f64) -> Self {
        Self { value: self.value.clamp(least, most), ..self.within(least, most) }
    }

    /// The same, with an interval so wide that `several` of them together leave out a true value no more often than one
    /// does (Bonferroni's correction, by the normal law).
    pub fn widened_for(self, several: usize) -> Self {
        let wider = match several {
            0 | 1 => 1.0,
            several => normal_quantile(1.0 - 0.025 / several as f64) / normal_quantile(0.975),
        };
        Self {
            low: self.value - wider * (self.value - self.low),
            high: self.value + wider * (self.high - self.value),
            ..self
        }
    }

    /// The two-sided p-value of a true value of 0, as the interval has it: half its width towards 0 is 1.96 standard
    /// errors (by the normal law). Below 0.05 exactly where the interval leaves out 0.
    pub fn p_of_zero(self) -> f64 {
        let half = if self.value > 0.0 { self.value - self.low } else { self.high - self.value };
        if self.value == 0.0 {
            return 1.0;
        }
        let distance = normal_quantile(0.975) * self.value.abs() / half;
        statrs::function::erf::erfc(distance / std::f64::consts::SQRT_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_among_several_is_wider() {
        let one = Estimate { value: 1.0, low: 0.0, high: 3.0 };
        assert_eq!(one.widened_for(1), one);
        // The normal law leaves out 1.25 % on either side of 2.241403 deviations, 2.5 % of 1.959964.
        let among_two = one.widened_for(2);
        let factor = 2.241_403 / 1.959_964;
        assert!((among_two.low - (1.0 - factor)).abs() < 1e-6 && (among_two.high - (1.0 + 2.0 * factor)).abs() < 1e-6);
    }

    #[test]
    fn an_interval_is_a_test_of_zero() {
        // 2.5 and 3.29053 standard errors from 0: 0.012419 and 0.001 by any table of the normal law.
        let at = |value: f64, half: f64| Estimate { value, low: value - half, high: value + 9.0 }.p_of_zero();
        assert!((at(2.5, 1.959_964) - 0.012_419).abs() < 1e-6);
        assert!((at(3.290_527, 1.959_964) - 0.001).abs() < 1e-7);
        assert!(at(1.0, 1.001) > 0.05 && at(1.0, 0.999) < 0.05);
        let below = Estimate { value: -1.0, low: -9.0, high: 0.5 };
        assert!((below.p_of_zero() - at(1.0, 1.5)).abs() < 1e-12);
        assert_eq!(Estimate { value: 0.0, low: -1.0, high: 1.0 }.p_of_zero(), 1.0);
        assert_eq!(Estimate { value: 0.3, low: 0.3, high: 0.3 }.p_of_zero(), 0.0);
    }
}
