//! The metrics of the tasks, in one shape: what one sample adds, and the value of any sum of that.
//!
//! Because samples add up, a run file keeps a short tally for each answer, a bootstrap resamples tallies, and nothing
//! has to be scored twice.

mod accuracy;

use std::fmt;

use fissure_core::Sample;

use crate::Response;

pub use accuracy::Accuracy;

/// The metrics of a task, the main one first.
pub fn of(_task: &str, _labels: &[String]) -> Vec<Box<dyn Metric>> {
    vec![Box::new(Accuracy)]
}

/// What one answer adds to a metric; sums are taken place by place.
pub type Tally = Vec<f64>;

/// A number that says how good the answers to many samples are.
pub trait Metric: fmt::Debug + Send + Sync {
    fn name(&self) -> &'static str;

    /// What this answer adds; `None` where the sample has no gold label or the answer is of another kind.
    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally>;

    /// The metric of a sum of tallies; `None` where it is not defined (nothing to score).
    fn value(&self, sum: &[f64]) -> Option<f64>;

    /// Whether this one answer is wholly right, for paired tests and flips.
    fn right(&self, tally: &[f64]) -> bool;
}
