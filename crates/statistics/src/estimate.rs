//! A number that was measured, and how sure it is.

use serde::{Deserialize, Serialize};

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
}
