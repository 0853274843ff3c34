//! A number that was measured, and how sure it is.

use serde::{Deserialize, Serialize};

/// A measured value, and where the true one lies with 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}
