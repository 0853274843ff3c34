//! The labels that a data set has, however few of its rows a run looks at.

use std::collections::BTreeMap;

use fissure_core::Sample;
use fissure_settings::MinusOne;

use super::map::{LabelMap, number};

/// More different labels than this are not classes.
const MOST_LABELS: usize = 1000;
/// Samples of each label that are kept to try two readings on, and how many are kept in all.
const KEPT_EACH: usize = 20;
const KEPT: usize = 120;

/// How -1 is spelled.
const MINUS_ONE: &[&str] = &["-1", "-1.0"];

/// The labels of a data set, and a few samples with each of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelSurvey {
    counts: BTreeMap<String, usize>,
    samples: Vec<Sample>,
    /// Whether there may be rows that were not counted.
    partial: bool,
    /// What the user says that -1 is; usually it marks a row without a label.
    minus_one: Option<MinusOne>,
}

impl LabelSurvey {
    /// Nothing seen yet, of data in which -1 is what the user says.
    pub fn new(minus_one: Option<MinusOne>) -> Self {
        Self { minus_one, ..Self::default() }
    }

    /// Whether a label only marks that a row has none.
    pub fn is_marker(&self, label: &str) -> bool {
        let label = label.trim();
        matches!(label, "-" | "") || (self.minus_one != Some(MinusOne::Label) && MINUS_ONE.contains(&label))
    }

    /// What the user says is no label, even if the model has one that is called so.
    pub(super) fn ruled_out(&self) -> &[&str] {
        if self.minus_one == Some(MinusOne::None) { MINUS_ONE } else { &[] }
    }

    /// How many rows have the label -1, and are taken for rows without a label.
    pub(super) fn minus_ones(&self) -> usize {
        let rows = |(label, count): (&String, &usize)| {
            (label.trim().starts_with("-1") && self.is_marker(label)).then_some(*count)
        };
        self.counts.iter().filter_map(rows).sum()
    }

    /// The samples that show what the labels are, without those whose label says that they have none.
    pub(super) fn scored(&self) -> Vec<Sample> {
        let has_label =
            |sample: &&Sample| sample.label.as_ref().is_some_and(|label| !self.is_marker(&label.to_string()));
        self.samples.iter().filter(has_label).cloned().collect()
    }

    /// The readings that fit all labels.
    fn readings(&self, known: &[String]) -> Vec<LabelMap> {
        LabelMap::readings(known, self.labels().filter(|label| self.may_be_class(known, label)))
    }

    /// Whether a label of the model may be a label or a marker in the data, and the user does not say which: readers of numbers have
    /// dropped it, and readers of texts have not.
    pub(super) fn is_undecided(&self, label: &str) -> bool {
        self.minus_one.is_none() && MINUS_ONE.contains(&label) && !self.counts.is_empty()
    }

    /// Whether a label may be one of the model's: markers are only if the model has such a label.
    pub(super) fn may_be_class(&self, known: &[String], label: &str) -> bool {
        let is_known = || known.iter().any(|known| known == label) && !self.ruled_out().contains(&label);
        !self.is_marker(label) || is_known()
    }

    pub fn add(&mut self, sample: &Sample) {
        let Some(label) = &sample.label else { return };
        let label = label.to_string();
        if self.counts.len() >= MOST_LABELS && !self.counts.contains_key(&label) {
            return;
        }
        let count = self.counts.entry(label).or_default();
        *count += 1;
        if *count <= KEPT_EACH && self.samples.len() < KEPT {
            self.samples.push(sample.clone());
        }
    }

    /// Of samples that are all there is.
    pub fn of<'a>(samples: impl IntoIterator<Item = &'a Sample>, minus_one: Option<MinusOne>) -> Self {
        let mut survey = Self::new(minus_one);
        samples.into_iter().for_each(|sample| survey.add(sample));
        survey
    }

    /// Adds the labels of another part of the same data.
    pub fn extend(&mut self, other: &Self) {
        let fresh = other.counts.iter().filter(|(label, _)| !self.counts.contains_key(*label));
        let fresh: Vec<String> = fresh.map(|(label, _)| label.clone()).collect();
        self.partial |= other.partial;
        for (label, count) in &other.counts {
            *self.counts.entry(label.clone()).or_default() += count;
        }
        let is_fresh = |sample: &&Sample| {
            sample.label.as_ref().is_some_and(|label| fresh.iter().any(|fresh| *fresh == label.to_string()))
        };
        self.samples.extend(other.samples.iter().filter(is_fresh).cloned());
    }

    /// The labels, in order.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.counts.keys().map(String::as_str)
    }

    /// Whether further rows cannot change what the labels mean to a model with the labels `known`: readings only ever
    /// drop out, and at most one is left.
    pub fn is_settled(&self, known: &[String]) -> bool {
        !self.counts.is_empty() && self.readings(known).len() <= 1
    }

    /// The same, whatever the model: names stay names, but what a number means may depend on all the others.
    pub fn has_names(&self) -> bool {
        self.labels().any(|label| number(label).is_none() && !self.is_marker(label))
    }

    /// Whether, besides, every class of the model was seen: else a class that is rare could be taken for one that is absent.
    pub fn is_complete(&self, known: &[String]) -> bool {
        let readings = self.readings(known);
        !self.counts.is_empty() && readings.len() <= 1 && readings.iter().all(|map| map.is_complete(self.labels()))
    }

    /// Says that there may be rows that were not counted.
    pub fn stop_early(&mut self) {
        self.partial = true;
    }

    pub(super) fn is_whole(&self) -> bool {
        !self.partial
    }
}
