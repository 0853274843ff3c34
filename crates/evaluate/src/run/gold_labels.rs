//! The right answers, in the model's words, and what an answer adds to each metric.

use std::borrow::Cow;

use fissure_core::{Expectation, Label, Sample};

use super::DataFacts;
use crate::labels::{LabelMap, LabelMatch, tag_match};
use crate::metrics::{Metric, Tally};
use crate::{Respondent, Response, Result};
use fissure_settings::RunConfig;

/// The right answers of a data set.
#[derive(Debug)]
pub struct GoldLabels {
    /// The metrics of the task, the main one first.
    pub metrics: Vec<Box<dyn Metric>>,
    /// The names of classes or tags that the metrics know.
    pub labels: Vec<String>,
    /// The model's labels, where the task has one class a sample and the model names its labels.
    known: Vec<String>,
    /// What the labels of the data mean to the model, where it names its labels.
    map: Option<LabelMap>,
    /// The same for tags of tokens, which are compared by name.
    tags: Option<LabelMatch>,
    is_class: bool,
}

impl GoldLabels {
    /// Matches the labels of the data with those of the model, all at once; where that cannot be done, the run stops here.
    pub fn new(config: &RunConfig, facts: &DataFacts, respondent: &dyn Respondent) -> Result<Self> {
        let (task, labels) = (config.task()?, respondent.about().labels.as_slice());
        let is_class = task.facts.has_class();
        let known = if is_class { labels.to_vec() } else { Vec::new() };
        let map = match known.is_empty() {
            true => None,
            false => {
                let ask = |samples: &[Sample]| said(respondent, samples, &known);
                Some(LabelMap::new(&known, &facts.survey, &config.map.label_map, ask)?)
            }
        };
        let tags = tag_match(task.facts.labels, facts.tags.iter().map(String::as_str), labels)?;
        let labels = metric_labels(labels, facts);
        Ok(Self { metrics: task.metrics(&labels), labels, known, map, tags, is_class })
    }

    /// How many samples can be scored.
    pub fn labelled(&self, facts: &DataFacts) -> usize {
        let Some(map) = &self.map else { return facts.labelled };
        let left_out = facts.labels.iter().filter(|(label, _)| map.index(label).is_none());
        facts.labelled - left_out.map(|(_, count)| count).sum::<usize>()
    }

    /// How the labels were matched.
    pub fn label_match(&self) -> Option<LabelMatch> {
        match &self.map {
            Some(map) => map.label_match(),
            None => self.tags.clone(),
        }
    }

    /// The class of a sample in the model's words.
    pub fn class(&self, sample: &Sample) -> Option<String> {
        let label = sample.label.as_ref().filter(|_| self.is_class)?.to_string();
        match &self.map {
            None => Some(label),
            Some(map) => map.index(&label).map(|index| self.known[index].clone()),
        }
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

    /// The sample with the answer that is right now; `None` if there is none.
    fn sample<'a>(&self, sample: &'a Sample, expectation: Expectation) -> Option<Cow<'a, Sample>> {
        // The right answer is not known.
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

    /// The class of a sample after a change that flips it.
    pub fn flipped(&self, sample: &Sample) -> Option<String> {
        self.opposite(&self.class(sample)?)
    }

    /// The other label, where there are two.
    fn opposite(&self, class: &str) -> Option<String> {
        match self.known.as_slice() {
            [a, b] => Some(if a == class { b.clone() } else { a.clone() }),
            _ => None,
        }
    }
}

/// The classes that the model gives some samples, each `None` if it gives none.
fn said(respondent: &dyn Respondent, samples: &[Sample], known: &[String]) -> Option<Vec<Option<usize>>> {
    let answers = respondent.respond(&samples.iter().collect::<Vec<_>>()).ok()?;
    let class = |answer| match answer {
        Ok(Response::Class { label, .. }) => known.iter().position(|known| *known == label),
        _ => None,
    };
    Some(answers.into_iter().map(class).collect())
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
