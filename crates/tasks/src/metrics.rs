//! The metrics of the tasks, in one shape: what one sample adds, and the value of any sum of that.
//!
//! Because samples add up, a run file keeps a short tally for each answer, a bootstrap resamples tallies, and nothing
//! has to be scored twice. Every value lies between 0 and 1. `benches/metrics` compares them with scikit-learn, seqeval,
//! the SQuAD script and a coreference scorer.

mod accuracy;
mod assignment;
mod comprehension;
mod coref;
mod counts;
mod gold;
mod macro_f1;
mod relation;
mod spans;
mod tags;
mod translation;
mod tree;

use std::fmt;

use fissure_core::Sample;

use crate::Response;

pub use accuracy::Accuracy;
pub use comprehension::{AnswerF1, ExactMatch};
pub use coref::{Coref, CorefMeasure};
pub use macro_f1::{ClassF1, MacroF1};
pub use relation::RelationF1;
pub use spans::{SpanMeasure, Spans};
pub use tags::TagAccuracy;
pub use translation::{Bleu, ChrF};
pub use tree::Attachment;

/// What one answer adds to a metric; sums are taken place by place.
pub type Tally = Vec<f64>;

/// A number that says how good the answers to many samples are.
pub trait Metric: fmt::Debug + Send + Sync {
    fn name(&self) -> &'static str;

    /// What this answer adds; `None` if the sample has no gold label or the answer is of another kind.
    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally>;

    /// The metric of a sum of tallies; `None` if it is not defined (nothing to score).
    fn value(&self, sum: &[f64]) -> Option<f64>;

    /// Whether a tally counts by label: then tallies of models with other labels are not alike.
    fn by_label(&self) -> bool {
        false
    }

    /// Whether it counts whole samples, each right or wrong: then a tally is (right, all).
    fn counts_samples(&self) -> bool {
        false
    }

    /// Whether this one answer is wholly right, for paired tests and flips.
    fn right(&self, tally: &[f64]) -> bool;
}

/// The metrics of tasks with a class.
pub(crate) fn of_classes(labels: &[String]) -> Vec<Box<dyn Metric>> {
    vec![Box::new(Accuracy), Box::new(MacroF1::new(labels))]
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_unique_within_a_task() {
        for task in crate::ALL {
            let mut names: Vec<_> = task.metrics(&[]).iter().map(|metric| metric.name()).collect();
            assert!(!names.is_empty(), "{} has no metric", task.name());
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}: {names:?}", task.name());
        }
    }
}
