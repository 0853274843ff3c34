//! The right answers, in the model's words, and what an answer adds to each metric.

use std::borrow::Cow;

use fissure_core::{Expectation, Label, Sample};

use super::DataFacts;
use crate::labels::{CLASS_TASKS, LabelMap};
use crate::metrics::{Metric, Tally};
use crate::{NotRun, Response, metrics};

/// The right answers of a data set.
#[derive(Debug)]
pub struct Golds {
    /// The metrics of the task, the main one first.
    pub metrics: Vec<Box<dyn Metric>>,
    /// The names of classes or tags that the metrics know.
    pub labels: Vec<String>,
    /// The model's labels, where the task has one class a sample and the model names its labels.
    known: Vec<String>,
    map: LabelMap,
    is_class: bool,
    /// Labels of the data that the model does not know, and how many samples have them.
    strange: Vec<(String, usize)>,
}

impl Golds {
    pub fn new(task: &str, labels: &[String], facts: &DataFacts) -> Self {
        let is_class = CLASS_TASKS.contains(&task);
        let known = if is_class { labels.to_vec() } else { Vec::new() };
        let map = LabelMap::new(&known, facts.labels.keys().map(String::as_str));
        let is_strange = |label: &str| !known.is_empty() && map.index(&known, label).is_none();
        let strange = facts.labels.iter().filter(|(label, _)| is_strange(label));
        let strange = strange.map(|(label, count)| (label.clone(), *count)).collect();
        let labels = metric_labels(labels, facts);
        Self { metrics: metrics::of(task, &labels), labels, known, map, is_class, strange }
    }

    /// How many samples can be scored.
    pub fn labelled(&self, facts: &DataFacts) -> usize {
        facts.labelled - self.strange.iter().map(|(_, count)| count).sum::<usize>()
    }

    /// What is to be said about labels that the model does not know.
    pub fn unknown(&self) -> Option<NotRun> {
        let (first, _) = self.strange.first()?;
        let samples: usize = self.strange.iter().map(|(_, count)| count).sum();
        let reason = format!(
            "the model does not know their label (`{first}`{}); its labels are `{}`",
            if self.strange.len() > 1 { " and others" } else { "" },
            self.known.join("`, `")
        );
        Some(NotRun { name: format!("the score of {samples} samples"), reason })
    }

    /// The class of a sample in the model's words.
    pub fn class(&self, sample: &Sample) -> Option<String> {
        let label = sample.label.as_ref().filter(|_| self.is_class)?.to_string();
        if self.known.is_empty() {
            return Some(label);
        }
        self.map.index(&self.known, &label).map(|index| self.known[index].clone())
    }

    /// What an answer to the original adds to each metric.
    pub fn tallies(&self, sample: &Sample, response: &Response) -> Vec<Option<Tally>> {
        let gold = self.sample(sample, Expectation::Kept);
        self.metrics
            .iter()
            .map(|metric| gold.as_ref().and_then(|gold| metric.tally(gold, response)).filter(is_finite))
            .collect()
    }

    /// What an answer to a changed form adds to the main metric, by what the change did to the right answer.
    pub fn tally(&self, sample: &Sample, response: &Response, expectation: Expectation) -> Option<Tally> {
        let gold = self.sample(sample, expectation)?;
        self.metrics.first()?.tally(&gold, response).filter(is_finite)
    }

    /// The sample with the answer that is right now; `None` where there is none.
    fn sample<'a>(&self, sample: &'a Sample, expectation: Expectation) -> Option<Cow<'a, Sample>> {
        // Nobody knows the right answer.
        if matches!(expectation, Expectation::Destroyed | Expectation::Unsure) {
            return None;
        }
        if !self.is_class {
            return (expectation != Expectation::Flipped).then_some(Cow::Borrowed(sample));
        }
        let class = self.class(sample)?;
        let class = match expectation {
            Expectation::Flipped => self.opposite(&class)?,
            _ => class,
        };
        Some(Cow::Owned(Sample { label: Some(Label(class.into())), ..sample.clone() }))
    }

    /// The other label, where there are two.
    fn opposite(&self, class: &str) -> Option<String> {
        match self.known.as_slice() {
            [a, b] => Some(if a == class { b.clone() } else { a.clone() }),
            _ => None,
        }
    }
}

/// The labels of the model, then those of the data that it does not name.
fn metric_labels(known: &[String], facts: &DataFacts) -> Vec<String> {
    let mut labels = known.to_vec();
    let strange = |label: &&String| !known.contains(label);
    // Where a model names its classes, the data's own names for them are not further classes.
    let classes = facts.labels.keys().filter(|_| known.is_empty());
    labels.extend(classes.chain(facts.tags.iter().filter(strange)).cloned());
    labels
}

fn is_finite(tally: &Tally) -> bool {
    tally.iter().all(|number| number.is_finite())
}
