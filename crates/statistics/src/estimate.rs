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
}
