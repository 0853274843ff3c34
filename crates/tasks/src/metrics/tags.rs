//! The share of marks whose label is right: tokens, and aspects.

use fissure_core::Sample;
use fissure_core::layer::{SENSE, TOKEN};

use super::gold::{self, TagNames};
use super::{Metric, Tally, counts};
use crate::Response;

/// The share of the labelled marks of one layer whose label is right. Tally: right, all.
#[derive(Debug, Clone)]
pub struct TagAccuracy {
    layer: &'static str,
    name: &'static str,
    names: TagNames,
}

impl TagAccuracy {
    /// Tags of tokens. Tags that are numbers are looked up in `labels`.
    pub fn tokens(labels: &[String]) -> Self {
        Self { layer: TOKEN, name: "token_accuracy", names: TagNames::new(labels) }
    }

    /// What is thought of each thing that a sentence names.
    pub fn aspects() -> Self {
        Self { layer: "aspect", name: "aspect_accuracy", names: TagNames::default() }
    }

    /// In which sense a word is used; a word may have several senses that are right, with spaces between them.
    pub fn senses() -> Self {
        Self { layer: SENSE, name: "sense_accuracy", names: TagNames::default() }
    }
}

impl Metric for TagAccuracy {
    fn name(&self) -> &'static str {
        self.name
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let Response::Tags(said) = response else { return None };
        let gold = gold::tags(sample, self.layer)?;
        if gold.len() != said.len() {
            return None;
        }
        let known = || gold.iter().zip(said).filter(|(gold, _)| !gold.is_empty());
        let several = self.layer == SENSE;
        let is_right = |(gold, said): &(&&str, &String)| {
            self.names.of(gold) == self.names.of(said) || (several && gold.split_whitespace().any(|one| one == **said))
        };
        let right = known().filter(is_right).count();
        Some(vec![right as f64, known().count() as f64])
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        counts::share(sum)
    }

    fn right(&self, tally: &[f64]) -> bool {
        counts::all(tally)
    }
}

#[cfg(test)]
mod tests {
    use fissure_core::{Anchor, Mark, Span};

    use super::*;

    #[test]
    fn marks_without_a_label_do_not_count() {
        let mut sample = Sample::of_text("1", "a b c");
        let mark =
            |(at, tag): (usize, &&str)| Mark::new(TOKEN, 0, Span::new(2 * at, 2 * at + 1), *tag, Anchor::Elastic);
        sample.marks = ["DET", "NOUN", ""].iter().enumerate().map(mark).collect();
        let said = |tags: [&str; 3]| Response::Tags(tags.map(str::to_owned).to_vec());
        let metric = TagAccuracy::tokens(&[]);
        assert_eq!(metric.tally(&sample, &said(["DET", "VERB", "ADJ"])), Some(vec![1.0, 2.0]));
        assert_eq!(metric.value(&[1.0, 2.0]), Some(0.5));
        assert!(metric.right(&metric.tally(&sample, &said(["DET", "NOUN", "ADJ"])).unwrap()));
        assert_eq!(TagAccuracy::aspects().tally(&sample, &said(["a", "b", "c"])), None);
    }
}
