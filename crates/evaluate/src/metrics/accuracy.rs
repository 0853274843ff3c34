//! The share of right answers.

use fissure_core::Sample;

use super::{Metric, Tally};
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
        (sum[1] > 0.0).then(|| sum[0] / sum[1])
    }

    fn right(&self, tally: &[f64]) -> bool {
        tally[0] == tally[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_three_by_hand() {
        let sample = Sample { label: Some("pos".into()), ..Sample::of_text("1", "good") };
        let said = |label: &str| Response::Class { label: label.into(), log_probs: None };
        let sum = ["pos", "neg", "pos"]
            .map(|label| Accuracy.tally(&sample, &said(label)).unwrap())
            .into_iter()
            .fold(vec![0.0; 2], |sum, tally| sum.iter().zip(&tally).map(|(a, b)| a + b).collect());
        assert_eq!(Accuracy.value(&sum), Some(2.0 / 3.0));
        assert_eq!(Accuracy.tally(&Sample::of_text("2", "unlabelled"), &said("pos")), None);
        assert_eq!(Accuracy.value(&[0.0, 0.0]), None);
    }
}
