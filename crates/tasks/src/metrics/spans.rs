//! Names in a text, and words of a text without spaces: spans that are right only when both ends and the type are.

use fissure_core::Sample;
use fissure_core::layer::TOKEN;

use super::gold::{self, TagNames};
use super::{Metric, Tally, counts};
use crate::Response;
use crate::chunks::chunks;

/// Which number of the spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanMeasure {
    F1,
    Precision,
    Recall,
}

/// Spans found, against spans that are there. Tally: hits, found, there.
#[derive(Debug, Clone)]
pub struct Spans {
    measure: SpanMeasure,
    names: [&'static str; 3],
    tags: TagNames,
}

impl Spans {
    /// Named entities. Tags that are numbers are looked up in `labels`.
    pub fn names(measure: SpanMeasure, labels: &[String]) -> Self {
        Self { measure, names: ["span_f1", "span_precision", "span_recall"], tags: TagNames::new(labels) }
    }

    /// Words of a text without spaces.
    pub fn words(measure: SpanMeasure) -> Self {
        Self { measure, names: ["word_f1", "word_precision", "word_recall"], tags: TagNames::default() }
    }
}

impl Metric for Spans {
    fn name(&self) -> &'static str {
        self.names[self.measure as usize]
    }

    fn tally(&self, sample: &Sample, response: &Response) -> Option<Tally> {
        let Response::Tags(found) = response else { return None };
        let there = gold::tags(sample, TOKEN)?;
        if there.len() != found.len() {
            return None;
        }
        let there: Vec<&str> = there.into_iter().map(|tag| self.tags.of(tag)).collect();
        let found: Vec<&str> = found.iter().map(|tag| self.tags.of(tag)).collect();
        let (there, found) = (chunks(&there), chunks(&found));
        let hits = found.iter().filter(|chunk| there.binary_search(chunk).is_ok()).count();
        Some([hits, found.len(), there.len()].map(|count| count as f64).to_vec())
    }

    fn value(&self, sum: &[f64]) -> Option<f64> {
        let &[hits, found, there] = sum else { return None };
        match self.measure {
            SpanMeasure::F1 => counts::f1(sum),
            SpanMeasure::Precision => (found > 0.0).then(|| hits / found),
            SpanMeasure::Recall => (there > 0.0).then(|| hits / there),
        }
    }

    fn right(&self, tally: &[f64]) -> bool {
        counts::exact(tally)
    }
}

#[cfg(test)]
mod tests {
    use fissure_core::{Anchor, Mark, Span};

    use super::*;

    fn tagged(tags: &str) -> Sample {
        let mut sample = Sample::of_text("1", "x ".repeat(tags.split(' ').count()));
        let mark = |(at, tag): (usize, &str)| Mark::new(TOKEN, 0, Span::new(2 * at, 2 * at + 1), tag, Anchor::Elastic);
        sample.marks = tags.split(' ').enumerate().map(mark).collect();
        sample
    }

    fn said(tags: &str) -> Response {
        Response::Tags(tags.split(' ').map(str::to_owned).collect())
    }

    #[test]
    fn one_of_two_names_by_hand() {
        let metrics = [SpanMeasure::F1, SpanMeasure::Precision, SpanMeasure::Recall].map(|m| Spans::names(m, &[]));
        let tally = metrics[0].tally(&tagged("B-PER I-PER O B-LOC O"), &said("B-PER I-PER O B-ORG B-LOC"));
        // Found PER (right), ORG and LOC in the wrong place; there are PER and LOC.
        assert_eq!(tally, Some(vec![1.0, 3.0, 2.0]));
        let values = metrics.each_ref().map(|metric| metric.value(&[1.0, 3.0, 2.0]));
        assert_eq!(values, [Some(0.4), Some(1.0 / 3.0), Some(0.5)]);
        assert!(!metrics[0].right(&[1.0, 3.0, 2.0]) && metrics[0].right(&[0.0; 3]));
        assert_eq!(metrics[0].value(&[0.0; 3]), None);
        assert_eq!(metrics[0].tally(&tagged("O O"), &said("O")), None, "an answer of another length");
    }

    #[test]
    fn numbers_are_looked_up() {
        let labels = ["O", "B-PER", "I-PER"].map(str::to_owned);
        let metric = Spans::names(SpanMeasure::F1, &labels);
        assert_eq!(metric.tally(&tagged("0 1 2"), &said("O B-PER I-PER")), Some(vec![1.0; 3]));
        assert_eq!(metric.tally(&tagged("0 1 2"), &said("0 1 1")), Some(vec![0.0, 2.0, 1.0]));
        // Tags that are only known by their numbers stand for themselves.
        let metric = Spans::names(SpanMeasure::F1, &["0", "1", "10", "2"].map(str::to_owned));
        assert_eq!(metric.tally(&tagged("2 2"), &said("10 10")), Some(vec![0.0, 1.0, 1.0]));
    }
}
