//! The share of right answers.

use fissure_core::Sample;

use super::{Metric, Tally, counts};
use crate::Response;

/// The share of samples whose class is right. Tally: right, all.
#[derive(Debug, Clone, Copy)]
pub struct Accuracy;

impl Metric for Accuracy {
    fn name(&self) -> &'static str {
        "accuracy"
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let (Some(gold), Response::Class { label, .. }) = (&sample.label, response) else { return None };
        Some(vec![f64::from(gold.to_string() == *label), 1.0])
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        counts::share(sum)
    }

    fn counts_samples(&self) -> bool {
        true
    }

    fn right(&self, tally: &[f64]) -> bool {
        counts::all(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_three_by_hand() {
        let sample = Sample { label: Some("pos".into()), ..Sample::of_text("1", "good") };
        let said = |label: &str| Response::class(label);
        let tallies = ["pos", "neg", "pos"].map(|label| Accuracy.tally(&sample, &said(label)));
        assert_eq!(counts::summed(&Accuracy, &tallies), Some(2.0 / 3.0));
        assert_eq!(Accuracy.tally(&Sample::of_text("2", "unlabelled"), &said("pos")), None);
        assert_eq!(Accuracy.value(&[0.0, 0.0]), None);
    }
}
