//! F1 of relations.

use fissure_core::Sample;

use super::{Metric, Tally, counts};
use crate::Response;

/// Micro F1 over all relations but "none", as for TACRED. Tally: hits, answered, there.
#[derive(Debug, Clone, Copy)]
pub struct RelationF1;

/// What data sets call the absence of a relation.
const NONE: [&str; 5] = ["no_relation", "other", "na", "none", "n/a"];

impl Metric for RelationF1 {
    fn name(&self) -> &'static str {
        "relation_f1"
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let (Some(gold), Response::Class { label, .. }) = (&sample.label, response) else { return None };
        let gold = gold.to_string();
        let some = |label: &str| !NONE.iter().any(|none| none.eq_ignore_ascii_case(label));
        Some([some(label) && *label == gold, some(label), some(&gold)].map(f64::from).to_vec())
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        counts::f1(sum)
    }

    fn right(&self, tally: &[f64]) -> bool {
        counts::exact(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_absence_of_a_relation_is_no_relation() {
        let answers = [
            ("born_in", "born_in"),
            ("born_in", "no_relation"),
            ("no_relation", "no_relation"),
            ("Other", "works_for"),
            ("works_for", "born_in"),
        ];
        let tally = |(gold, label): (&str, &str)| {
            let sample = Sample { label: Some(gold.into()), ..Sample::of_text("1", "x") };
            RelationF1.tally(&sample, &Response::class(label))
        };
        let tallies = answers.map(tally);
        // One hit, three relations answered, three there: 2 * 1 / (3 + 3).
        assert_eq!(counts::summed(&RelationF1, &tallies), Some(1.0 / 3.0));
        assert_eq!(tallies.map(|tally| RelationF1.right(&tally.unwrap())), [true, false, true, false, false]);
    }
}
