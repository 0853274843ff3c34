//! Which changes count: a place for validators.

use std::fmt;

use fissure_core::{Sample, Variant};

/// Judges a change before the model is asked about it. A pure function of what it sees, so that a run can be resumed.
pub trait Keep: fmt::Debug + Send + Sync {
    /// Why the change does not count; `None` where it does. A refused change is counted as filtered, with the reason.
    fn refuses(&self, original: &Sample, changed: &Variant) -> Option<String>;
}
