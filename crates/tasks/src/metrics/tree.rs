//! Heads and relations of a dependency tree.

use fissure_core::Sample;

use super::{Metric, Tally, counts, gold};
use crate::Response;

/// The share of tokens, punctuation included, that hang on the right head. Tally: right, all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attachment {
    /// The relation must be right as well, with its subtype (LAS).
    Labelled,
    /// Heads only (UAS).
    Unlabelled,
}

impl Metric for Attachment {
    fn name(&self) -> &'static str {
        match self {
            Self::Labelled => "las",
            Self::Unlabelled => "uas",
        }
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let Response::Tree(said) = response else { return None };
        let gold = gold::tree(sample)?;
        if gold.len() != said.len() {
            return None;
        }
        let known = || gold.iter().zip(said).filter_map(|(gold, said)| Some((gold.as_ref()?, said)));
        let same = |((head, relation), said): &(&(usize, &str), &(usize, String))| {
            *head == said.0 && (*self == Self::Unlabelled || *relation == said.1)
        };
        Some(vec![known().filter(same).count() as f64, known().count() as f64])
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
    use fissure_core::{Anchor, Link, Mark, Span};

    use super::*;

    #[test]
    fn she_reads_books_by_hand() {
        let mut sample = Sample::of_text("1", "She reads books now");
        let spans = [(0, 3), (4, 9), (10, 15), (16, 19)];
        sample.marks =
            spans.map(|(start, end)| Mark::new("token", 0, Span::new(start, end), "", Anchor::Elastic)).to_vec();
        let link = |layer, from, to, value: &str| Link { layer, from, to, value: value.into() };
        // "now" was brought in by an edit and has no head.
        sample.links = vec![link("head", 0, 1, "nsubj"), link("root", 1, 1, "root"), link("head", 2, 1, "obj")];
        let said = [(2, "nsubj"), (0, "root"), (2, "iobj"), (1, "advmod")];
        let said = Response::Tree(said.map(|(head, relation)| (head, relation.to_owned())).to_vec());
        assert_eq!(Attachment::Unlabelled.tally(&sample, &said), Some(vec![3.0, 3.0]));
        assert_eq!(Attachment::Labelled.tally(&sample, &said), Some(vec![2.0, 3.0]));
        assert_eq!(Attachment::Labelled.tally(&Sample::of_text("2", "x"), &said), None);
    }
}
