//! What a run found: a pure function of its file, and all that a report, a gate or a page may look at.
//!
//! Every number that was measured comes with its interval; what was not measured is absent, never 0.

mod file;

use std::collections::BTreeMap;

use fissure_ask::ModelAbout;
use fissure_core::{Expectation, Family, HumanScores, TrailEdit, Yielded};
use fissure_statistics::Estimate;
use serde::{Deserialize, Serialize};

use crate::{ForecastBy, LabelMatch};
pub use file::{FINDINGS_FILE, read_findings, written_findings};

/// Everything that was found out about one model on one data set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    pub about: About,
    /// The task's metrics on the unchanged data, the main one first: `("accuracy", ...)`.
    pub clean: Vec<(String, Estimate)>,
    /// How many samples the main metric is over: those with a label and an answer; 0 in files of earlier versions.
    #[serde(default)]
    pub scored: usize,
    /// The main metric for each class, by the label's name, with how many samples have it.
    pub classes: Vec<(String, usize, Estimate)>,
    /// Calibration on the unchanged data, if the model gives probabilities.
    pub reliability: Option<Reliability>,
    /// Parts that keep or flip the label, or may; in the order of the plan.
    pub parts: Vec<PartFinding>,
    /// The drops of the parts that people judged, in one number.
    #[serde(default)]
    pub weighted: Option<Weighted>,
    pub slices: Vec<SliceFinding>,
    pub bias: Vec<BiasFinding>,
    pub interactions: Vec<Interaction>,
    /// Destroyers: inputs that no longer mean anything.
    pub salad: Vec<SaladRow>,
    /// For models with gradients.
    pub fragility: Option<Fragility>,
    /// The most telling pairs of a text and its changed form.
    pub telling: Vec<TellingExample>,
    /// What was asked for and could not be run, with the reason.
    pub not_run: Vec<NotRun>,
    /// Why questions to the model got no answer, and how many: they are left out of every measure.
    #[serde(default)]
    pub unanswered: BTreeMap<String, usize>,
    /// How many questions the model was asked; 0 in files of earlier versions.
    #[serde(default)]
    pub questions: usize,
}

impl Findings {
    /// If no question to the model got an answer: how many there were, and the commonest reason.
    pub fn nothing_answered(&self) -> Option<(usize, &str)> {
        let answered = self.scored > 0
            || !self.clean.is_empty()
            || !self.salad.is_empty()
            || self.parts.iter().any(|part| part.evidence.is_some());
        let (why, _) = self.unanswered.iter().filter(|_| !answered).max_by_key(|(_, count)| **count)?;
        Some((self.unanswered.values().sum(), why))
    }
}

/// What pins a run down: enough to repeat it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The version of Fissure.
    pub version: String,
    /// The command that repeats the run.
    pub command: String,
    pub suite: String,
    pub seed: u64,
    pub task: String,
    /// The name of the task's main metric.
    pub metric: String,
    pub model: ModelAbout,
    pub data: DataAbout,
    /// The flags that say how the data is read: `columns`, `format`, `fields`, `on-bad-row`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reading: Vec<(String, String)>,
    /// How the labels of the data were matched with those of the model; absent if the task has no classes, or the data
    /// no labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_match: Option<LabelMatch>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataAbout {
    pub files: Vec<String>,
    /// SHA-256 of the samples as they were read.
    pub checksum: String,
    pub samples: usize,
    pub labelled: usize,
    /// How many samples have the texts of one before them.
    #[serde(default)]
    pub repeated: usize,
    /// How many samples with texts of their own have the id of one before them, and so the same chance.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared_ids: usize,
    /// How many rows could not be read and were passed over, as the user wanted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bad_rows: usize,
}

/// Data without such samples have nothing to say about them.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What happened to the samples under one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    pub changed: usize,
    pub unchanged: usize,
    pub skipped: usize,
    /// Changed, but a validator refused the change.
    pub filtered: usize,
    /// Changed, but the model gave no answer to the changed form.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unanswered: usize,
}

/// What one part, or a chain of parts, does to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartFinding {
    /// `typos`, `contraction+typos`, `prejudice (change=names)`
    pub name: String,
    /// The values of the knobs that were set: with these and the parts that the name begins with, it can be built again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<(String, String)>,
    /// The summary on its card.
    pub summary: String,
    pub family: Option<Family>,
    pub expectation: Expectation,
    pub human: Option<HumanScores>,
    pub counts: Counts,
    /// Why samples were skipped, and how many for each reason.
    pub skips: BTreeMap<String, usize>,
    /// `None` if no sample was changed.
    pub evidence: Option<Evidence>,
    /// How much was changed, and whether a few pairs of words make most of it.
    #[serde(default)]
    pub yielded: Yielded,
    /// In a run with `--precision`: what was predicted before any changed text was asked, and how much was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<PartForecast>,
}

/// What was predicted of a part, beside what it took to measure it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartForecast {
    /// The predicted share of answers that change; `None` if nothing was predicted.
    pub flips: Option<f64>,
    /// What predicted it.
    pub by: ForecastBy,
    /// Changed texts that were answered.
    pub asked: usize,
    /// Half the width of the interval of the measured share, and what was wanted.
    pub half_width: f64,
    pub wanted: f64,
    /// Whether the measured interval holds the prediction, if there is one. If not, the straight line is wrong for this part and model.
    pub agrees: Option<bool>,
}

/// Measured on the samples that were changed, and on no others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// How many samples, labelled ones for the scores.
    pub samples: usize,
    /// The main metric on the originals of exactly these samples, and on their changed forms.
    pub before: Option<Estimate>,
    pub after: Option<Estimate>,
    /// `before - after`: of metrics that count whole samples by Tango's interval, of others by paired bootstrap. For a part that flips the label, `after` is scored against the flipped
    /// label where the task has two, and is absent otherwise.
    pub drop: Option<Estimate>,
    /// McNemar's exact test of the paired answers (of the first variant of each sample), and the same after Holm's correction over all parts of the run. In a run with `--precision`: by the interval of the drop.
    pub p: Option<f64>,
    pub p_holm: Option<f64>,
    /// How many answers went from right to wrong, and from wrong to right.
    pub broken: usize,
    pub fixed: usize,
    /// The share of answers that changed, right or wrong; the variants of a sample are one cluster.
    pub changed_answers: Estimate,
    /// Mean probability of the answer given, before and after; of each sample, the mean over its variants.
    pub confidence: Option<(Estimate, Estimate)>,
}

impl PartFinding {
    /// The parts without what sets them apart: `prejudice` of `prejudice (change=names)`.
    pub fn parts(&self) -> &str {
        self.name.split(" (").next().unwrap_or(&self.name)
    }

    /// The values of the knobs that were set; in findings of earlier versions, those that the name shows.
    pub fn settings(&self) -> Vec<(String, String)> {
        if !self.settings.is_empty() {
            return self.settings.clone();
        }
        let shown = self.name.split_once(" (").and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
        let pairs = shown.split(", ").filter_map(|pair| pair.split_once('='));
        pairs.map(|(knob, value)| (knob.to_owned(), value.to_owned())).collect()
    }

    /// Why its result says less than it seems to.
    pub fn warnings(&self) -> Vec<String> {
        self.yielded.warnings_if_measured(self.evidence.as_ref().map_or(0, |evidence| evidence.samples))
    }
}

/// The mean drop of the parts that people judged, weighted by how acceptable they found the changed texts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Weighted {
    pub drop: Estimate,
    pub parts: usize,
    /// How many samples any of the parts changed.
    pub samples: usize,
    /// Parts that changed too few samples to enter the mean.
    #[serde(default)]
    pub left_out: usize,
}

/// The main metric inside and outside a part of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SliceFinding {
    pub name: String,
    pub summary: String,
    /// Its knobs, which say what is inside: `take`, `longest`.
    #[serde(default)]
    pub knobs: Vec<(String, String)>,
    pub inside: usize,
    pub outside: usize,
    pub score_inside: Option<Estimate>,
    pub score_outside: Option<Estimate>,
    /// Inside less outside.
    pub difference: Option<Estimate>,
    pub p: Option<f64>,
    /// The same after Holm's correction over all slices of the run.
    #[serde(default)]
    pub p_holm: Option<f64>,
}

/// The same texts about one group and about another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BiasFinding {
    /// `prejudice: men > women`
    pub name: String,
    pub samples: usize,
    /// The mean change of each label's probability, with Student's interval over the samples.
    pub shifts: Vec<(String, Estimate)>,
    /// Of each shift, Student's test against 0 after Holm's correction over all shifts of the run.
    #[serde(default)]
    pub p_holm: Vec<f64>,
    pub changed_answers: Estimate,
}

/// Do two parts together do more than both alone?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    /// `a+b`
    pub name: String,
    pub samples: usize,
    pub joint: Estimate,
    pub sum: Estimate,
    /// `joint - sum`, by paired bootstrap over the samples that all of them changed.
    pub excess: Estimate,
}

/// One destroyer: rows as in Tables 6 and 7 of the word-salad paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SaladRow {
    pub name: String,
    pub summary: String,
    pub counts: Counts,
    /// The share of answers that are as they were (for copying destroyers: that are the default label).
    pub agreement: Estimate,
    /// The label that copying destroyers should give, where the task has one.
    pub default_label: Option<String>,
    /// What guessing gives: 1 / the number of labels.
    pub chance: f64,
    pub confidence: Option<Estimate>,
    /// In nats; `ln N` is what an honest model gives.
    pub entropy: Option<Estimate>,
    /// Agreement by the answer to the original: (label, samples, agreement).
    pub by_class: Vec<(String, usize, Estimate)>,
    /// How token importance was found, where the destroyer uses it.
    pub importance: Option<String>,
}

/// How far stated confidence can be believed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// Expected calibration error over equal-width bins.
    pub ece: Estimate,
    pub bins: Vec<ReliabilityBin>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ReliabilityBin {
    pub low: f64,
    pub high: f64,
    pub samples: usize,
    pub confidence: f64,
    pub accuracy: Estimate,
}

/// The geometry of the model's answers; baselines stand beside the clever scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fragility {
    pub samples: usize,
    /// (log10 lambda_max, flip forecast, 1 - max p, right?) for up to some thousands of samples.
    pub points: Vec<(f64, Option<f64>, f64, Option<bool>)>,
    /// Accuracy by tenth of the flip forecast (or of lambda_max if there is none), least fragile first.
    pub deciles: Vec<Estimate>,
    /// How well each score predicts which answers the run's own changes flipped: (score, Spearman's r).
    pub predictors: Vec<(String, Estimate)>,
    /// (id, text, forecast, lambda_max) of the most fragile samples.
    pub most_fragile: Vec<(String, String, Option<f64>, f64)>,
}

/// A text before and after a change that says much about the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TellingExample {
    pub part: String,
    pub id: String,
    pub field: String,
    pub before: String,
    pub after: String,
    /// The edits, by bytes of `before`.
    pub edits: Vec<TrailEdit>,
    /// (name, before, after) of the sample's other texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<(String, String, String)>,
    pub gold: Option<String>,
    /// The right answer after the change, if the change set another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold_after: Option<String>,
    pub answer_before: String,
    pub answer_after: String,
    pub confidence_before: Option<f64>,
    pub confidence_after: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRun {
    pub name: String,
    pub reason: String,
}
