//! Labelled samples.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fissure_core::{Dice, Sample};
use fissure_models::train::Example;
use fissure_models::{Answer, Input, Model};
use serde_json::Value;

use crate::{Result, testset};

/// The column that says which sample a row was made from, so that copies of one sample are never split between training
/// and held-out data.
pub const SOURCE: &str = "augmented_from";

/// Samples, and for each the index of its label.
#[derive(Debug, Clone, Default)]
pub struct LabelledSet {
    pub samples: Vec<Sample>,
    pub labels: Vec<usize>,
}

impl LabelledSet {
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Keeps only the first.
    pub fn truncate(&mut self, most: usize) {
        self.samples.truncate(most);
        self.labels.truncate(most);
    }

    /// Leaves out samples with more words than `most`, and says how many these are.
    pub fn keep_short(&mut self, most: usize) -> usize {
        let count = self.len();
        let is_short = |sample: &Sample| {
            sample.fields.iter().map(|field| field.text.words().take(most + 1).count()).sum::<usize>() <= most
        };
        let short: Vec<bool> = self.samples.iter().map(is_short).collect();
        let mut keep = short.iter();
        self.labels.retain(|_| keep.next() == Some(&true));
        let mut keep = short.iter();
        self.samples.retain(|_| keep.next() == Some(&true));
        count - self.len()
    }

    /// Whether the samples are pairs of texts.
    pub fn is_paired(&self) -> bool {
        self.samples.first().is_some_and(|sample| sample.fields.len() > 1)
    }

    /// As a model learns from them.
    pub fn examples(&self) -> Vec<Example> {
        self.samples.iter().zip(&self.labels).map(|(sample, label)| example(sample, *label)).collect()
    }

    /// The answers of a model, in order.
    pub fn answers(&self, model: &dyn Model) -> Result<Vec<Answer>> {
        answers(model, &self.samples)
    }

    /// The share of the most frequent label: what a model that has learned nothing else gets right.
    pub fn majority(&self) -> f64 {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        self.labels.iter().for_each(|label| *counts.entry(*label).or_default() += 1);
        counts.into_values().max().unwrap_or(0) as f64 / self.len().max(1) as f64
    }

    /// Holds out a share, drawn by the seed; both parts keep their order. (the rest, what is held out)
    pub fn split(&self, share: f64, seed: u64) -> (Self, Self) {
        let count = ((self.len() as f64 * share).round() as usize).min(self.len());
        let held = Dice::new(seed, &["held out"]).choose(self.len(), count);
        let (mut rest, mut out) = (Self::default(), Self::default());
        for (at, (sample, label)) in self.samples.iter().zip(&self.labels).enumerate() {
            let side = if held.binary_search(&at).is_ok() { &mut out } else { &mut rest };
            side.samples.push(sample.clone());
            side.labels.push(*label);
        }
        (rest, out)
    }
}

/// The question a sample puts to a classifier: its first text, and its second if there is one.
pub(crate) fn input(sample: &Sample) -> Input<'_> {
    let mut texts = sample.fields.iter().map(|field| field.text.as_str());
    Input { text: texts.next().unwrap_or(""), pair: texts.next() }
}

pub(crate) fn answers(model: &dyn Model, samples: &[Sample]) -> Result<Vec<Answer>> {
    Ok(model.answer(&samples.iter().map(input).collect::<Vec<_>>())?)
}

/// The id of the sample that this is a copy of, or its own.
pub fn source(sample: &Sample) -> Cow<'_, str> {
    let column = |wanted: &str| sample.extra.iter().find(|(name, _)| &**name == wanted).map(|(_, value)| value);
    let of_testset = || column(testset::COLUMN)?.get("source");
    match column(SOURCE).or_else(of_testset) {
        None | Some(Value::Null) => Cow::Borrowed(&sample.id),
        // What tables have for nothing: an original among its copies.
        Some(Value::String(id)) if id.trim().is_empty() || id.eq_ignore_ascii_case("nan") => Cow::Borrowed(&sample.id),
        Some(Value::String(id)) => Cow::Borrowed(id),
        Some(other) => Cow::Owned(other.to_string()),
    }
}

pub(crate) fn example(sample: &Sample, label: usize) -> Example {
    let Input { text, pair } = input(sample);
    Example { text: text.to_owned(), pair: pair.map(str::to_owned), label, source: Some(source(sample).into_owned()) }
}

/// The probability of the answer given; `None` if the model gives labels only.
pub(crate) fn confidence(answer: &Answer) -> Option<f64> {
    Some(f64::from(*answer.log_probs.as_ref()?.get(answer.predicted)?).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_original_among_its_copies_is_its_own_source() {
        let sample = |from: Value| {
            let text = Sample::of_text("a", "good");
            Sample { extra: vec![(SOURCE.into(), from)], ..text }
        };
        for nothing in [Value::Null, "".into(), " ".into(), "NaN".into()] {
            assert_eq!(source(&sample(nothing)), "a");
        }
        assert_eq!(source(&sample("b".into())), "b");
    }

    #[test]
    fn a_split_keeps_everything_once_and_in_order() {
        let samples: Vec<Sample> = (0..20).map(|id| Sample::of_text(id.to_string(), "a")).collect();
        let set = LabelledSet { samples, labels: (0..20).collect() };
        let (rest, out) = set.split(0.1, 3);
        assert_eq!((rest.len(), out.len()), (18, 2));
        assert!(rest.labels.is_sorted() && out.labels.is_sorted());
        let mut all = [rest.labels, out.labels].concat();
        all.sort_unstable();
        assert_eq!(all, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn the_majority_by_hand() {
        let set = LabelledSet { samples: vec![Sample::of_text("1", "a"); 4], labels: vec![0, 2, 2, 1] };
        assert_eq!((set.majority(), LabelledSet::default().majority()), (0.5, 0.0));
    }
}
