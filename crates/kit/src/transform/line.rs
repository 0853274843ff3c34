//! What one sample becomes: lines of JSON with the trail, or samples in the user's own format.

use fissure_core::{Card, Expectation, Has, Outcome, Pipeline, Resources, Sample, Skip, Trail, Variant, layer};
use fissure_data::{Format, Row, Task, Writer};
use fissure_repair::SOURCE;
use serde::Serialize;
use serde_json::Value;

use super::Counts;

/// What is done to every sample of a run.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    pub pipeline: Pipeline<'a>,
    pub task: &'static Task,
    pub seed: u64,
    pub variants: usize,
    pub only_changed: bool,
    /// Whether to make JSON lines; else the samples themselves.
    pub as_lines: bool,
    /// The format of the data set, if that cannot hold every sample.
    pub may_refuse: Option<Format>,
    /// Whether to make the originals of the samples that are changed.
    pub originals: bool,
    /// Whether changes turn the right answer into its opposite.
    pub turns: bool,
    /// Whether each sample names the one that it was made of.
    pub origins: bool,
}

/// What came of one sample, in one of two forms.
#[derive(Debug, Default)]
pub struct Made {
    pub lines: Vec<u8>,
    pub samples: Vec<Sample>,
    pub counts: Counts,
}

/// One line of the result: the sample's own columns, then what happened to it.
#[derive(Debug, Serialize)]
struct Line<'a> {
    id: &'a str,
    #[serde(flatten)]
    row: Row,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<usize>,
    /// What the change does to the label that the row still has; nothing if the label is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    expectation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trail: Option<&'a Trail>,
}

/// The names a line uses itself.
const OWN: &[&str] = &["status", "reason", "variant", "expectation", "trail"];
/// Stands before the name of a user's column that a line needs for itself.
const RENAMED: &str = "data_";

/// The column that names the aspects on trial, as in the data that TextFlint writes.
const ON_TRIAL: &str = "trans_id";

/// The aspects on trial by their keys in the file; by their words where it has none.
fn on_trial(sample: &Sample, focus: &[usize]) -> Vec<Value> {
    let marks = focus.iter().filter_map(|at| sample.marks.get(*at));
    marks.map(|mark| mark.key().unwrap_or_else(|| sample.words_of(mark)).into()).collect()
}

/// Gives a sample whose right answer a change turned the opposite of its label, if that is known.
pub fn turn(variant: &mut Variant, resources: &Resources) -> bool {
    let Some(label) = &variant.sample.label else { return false };
    let spelling = resources.spelling.as_deref();
    let Some(opposite) = spelling.and_then(|spelling| spelling.opposite_of(label)).cloned() else { return false };
    variant.trail.record_class(label, &opposite);
    variant.sample.label = Some(opposite);
    true
}

/// Makes room for the names of a line: a column of the user's, or of an earlier run, gets another name. Gives both.
fn make_room(row: &mut Row) -> Vec<(String, String)> {
    row.0.retain(|(name, _)| &**name != "id");
    let mut renamed = Vec::new();
    for at in 0..row.0.len() {
        let name = row.0[at].0.to_string();
        if !OWN.contains(&&*name) {
            continue;
        }
        let mut free = format!("{RENAMED}{name}");
        while row.0.iter().any(|(taken, _)| **taken == *free) {
            free.insert_str(0, RENAMED);
        }
        row.0[at].0 = free.as_str().into();
        renamed.push((name, free));
    }
    renamed
}

impl Plan<'_> {
    /// Sends one sample through the chain, once for each variant.
    pub fn make(&self, sample: &Sample) -> Made {
        let mut made = Made { counts: Counts { read: 1, ..Counts::default() }, ..Made::default() };
        made.counts.yielded.add_text(sample, self.pipeline.chain.amount(), self.variants);
        let variants = match self.pipeline.variants(sample, self.seed, self.variants) {
            Ok(variants) => variants,
            Err(outcome) => {
                self.keep(&mut made, sample, &outcome);
                made.counts.add_kept(outcome);
                return made;
            }
        };
        for (number, mut variant) in variants.into_iter().enumerate() {
            let expected = self.expected(&variant);
            let is_turned = expected == Expectation::Flipped && self.turn(&mut variant);
            if let Some(why) = self.refusal(sample, &variant.sample, expected == Expectation::Flipped && !is_turned) {
                // The other variants have the same label and most often the same words.
                if number == 0 {
                    let outcome = Outcome::Skipped(Skip(why.into()));
                    self.keep(&mut made, sample, &outcome);
                    made.counts.add_kept(outcome);
                }
                continue;
            }
            made.counts.turned += usize::from(is_turned);
            made.counts.trees_lost += usize::from(fissure_tasks::loses_tree(&variant.sample));
            made.counts.add_changed(&variant.trail, number == 0);
            if self.as_lines {
                let number = Some(number).filter(|_| self.variants > 1);
                let expected = if is_turned { Expectation::Relabelled } else { expected };
                self.push(
                    &mut made,
                    &sample.id,
                    &variant.sample,
                    "changed",
                    None,
                    number,
                    Some((&variant.trail, expected)),
                );
            } else {
                // Of an original the same marks are on trial.
                let ids = on_trial(&variant.sample, &variant.focus);
                let shown = if self.originals { sample.clone() } else { variant.sample };
                made.samples.push(self.of(sample, self.tried(shown, ids)));
            }
        }
        made
    }

    /// Why a changed sample is not written as a row of a data set: its label would be `wrong`, or the format cannot hold it.
    fn refusal(&self, original: &Sample, changed: &Sample, wrong: bool) -> Option<String> {
        if self.as_lines {
            return None;
        }
        if let Some(label) = changed.label.as_ref().filter(|_| wrong) {
            return Some(format!("the right answer turns, and the label `{label}` has no opposite"));
        }
        let format = self.may_refuse?;
        let why = Writer::refuses(changed, format, self.task)?;
        // Data that the format cannot hold at all are an error.
        let is_at_fault = Writer::refuses(original, format, self.task).is_none();
        is_at_fault.then(|| format!("the changed sample cannot be written as {}: {why}", format.card().name))
    }

    /// What a change did to the right answer.
    fn expected(&self, variant: &Variant) -> Expectation {
        let (chain, task) = (self.pipeline.chain, &self.task.facts);
        // In a chain, the part that turns the answer may have found nothing to turn.
        if self.turns { chain.expects_of(task, &variant.trail) } else { chain.expects_on(task) }
    }

    fn turn(&self, variant: &mut Variant) -> bool {
        turn(variant, self.pipeline.resources)
    }

    /// A sample that stays as it was.
    fn keep(&self, made: &mut Made, sample: &Sample, outcome: &Outcome) {
        let (status, reason) = match outcome {
            Outcome::Skipped(skip) => ("skipped", Some(&*skip.0)),
            Outcome::Filtered(failure) => ("filtered", Some(failure.reason.as_str())),
            Outcome::Unchanged | Outcome::Changed(_) => ("unchanged", None),
        };
        if self.only_changed {
        } else if self.as_lines {
            self.push(made, &sample.id, sample, status, reason, None, None);
        } else {
            made.samples.push(self.of(sample, self.tried(sample.clone(), Vec::new())));
        }
    }

    /// The sample with the ids of the aspects on trial, if a part puts some on trial. Every row has the column, as a table needs.
    fn tried(&self, mut made: Sample, ids: Vec<Value>) -> Sample {
        let tries = |card: &Card| card.requires.contains(&Has::Layer(layer::ASPECT));
        if self.pipeline.chain.cards().any(tries) {
            made.extra.retain(|(name, _)| **name != *ON_TRIAL);
            made.extra.push((ON_TRIAL.into(), Value::Array(ids)));
        }
        made
    }

    /// A sample with the id of the one that it was made of, if that is wanted.
    fn of(&self, origin: &Sample, mut made: Sample) -> Sample {
        if self.origins {
            made.extra.push((SOURCE.into(), origin.id.as_str().into()));
        }
        made
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one line, named at the two places that know them")]
    fn push(
        &self,
        made: &mut Made,
        id: &str,
        shown: &Sample,
        status: &'static str,
        reason: Option<&str>,
        variant: Option<usize>,
        change: Option<(&Trail, Expectation)>,
    ) {
        let mut row = self.task.row(shown);
        made.counts.renamed.extend(make_room(&mut row));
        let (trail, expected) = change.unzip();
        let expectation = expected.filter(|expected| !expected.label_is_right()).map(Expectation::name);
        let line = Line { id, row, status, reason, variant, expectation, trail };
        serde_json::to_writer(&mut made.lines, &line)
            .expect("strings, numbers and maps with string keys are plain JSON");
        made.lines.push(b'\n');
    }
}
