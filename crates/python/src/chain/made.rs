//! The outcome for one sample.

use std::borrow::Cow;
use std::sync::Arc;

use fissure_core::{Expectation, Filter, FilterError, Outcome, Pipeline, Sample, TrailEdit, Variant};
use fissure_kit::transform::turn;
use fissure_tasks::{Row, Task};

use crate::input::Read;

/// No edits, no labels.
const NONE: &str = "[]";

/// What is done to every sample.
pub struct Plan<'a> {
    pub pipeline: Pipeline<'a>,
    pub condition: Option<&'a Filter>,
    pub task: &'static Task,
    pub seed: u64,
}

/// What happened to one sample.
pub struct Made {
    pub status: &'static str,
    pub reason: Option<String>,
    /// The changed sample as a row.
    pub row: Option<Row>,
    text: Option<Arc<str>>,
    /// The edits of the trail, as JSON.
    pub edits: Cow<'static, str>,
    /// The labels of the trail, as JSON.
    pub labels: Cow<'static, str>,
}

impl Made {
    fn kept(status: &'static str, reason: Option<String>) -> Self {
        Self { status, reason, row: None, text: None, edits: NONE.into(), labels: NONE.into() }
    }

    /// The changed first text; `None` if it is as it was.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

/// What happened to some samples in a row. Their texts and edits stand in long buffers, so that nothing of a sample is left
/// for another thread to free.
#[derive(Default)]
pub struct Stretch {
    changed: Texts,
    edits: Texts,
    status: Vec<&'static str>,
    reasons: Vec<Option<String>>,
}

/// Texts one behind the other.
#[derive(Default)]
struct Texts {
    bytes: String,
    /// Where each ends; `None` if a sample has no text.
    ends: Vec<Option<usize>>,
}

impl Texts {
    fn push(&mut self, text: Option<&str>) {
        self.bytes.push_str(text.unwrap_or_default());
        self.ends.push(text.map(|_| self.bytes.len()));
    }

    fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let text = &self.bytes[start..(*end)?];
            start += text.len();
            Some(text)
        })
    }
}

impl Stretch {
    /// Room for samples whose texts have `bytes` together.
    pub fn with_room(count: usize, bytes: usize) -> Self {
        let texts = |bytes| Texts { bytes: String::with_capacity(bytes), ends: Vec::with_capacity(count) };
        Self {
            // Edits are longer than the texts where every other word is changed.
            changed: texts(bytes + bytes / 8),
            edits: texts(2 * bytes),
            status: Vec::with_capacity(count),
            reasons: Vec::with_capacity(count),
        }
    }

    pub fn push(&mut self, made: Made) {
        self.changed.push(made.text());
        self.edits.push(Some(&made.edits));
        self.status.push(made.status);
        self.reasons.push(made.reason);
    }

    /// The changed texts; `None` for those that are as they were.
    pub fn changed(&self) -> impl Iterator<Item = Option<&str>> {
        self.changed.iter()
    }

    pub fn status(&self) -> impl Iterator<Item = &'static str> {
        self.status.iter().copied()
    }

    pub fn reasons(&self) -> impl Iterator<Item = Option<&str>> {
        self.reasons.iter().map(Option::as_deref)
    }

    /// The edits, as JSON.
    pub fn edits(&self) -> impl Iterator<Item = Option<&str>> {
        self.edits.iter()
    }

    /// How many bytes the changed texts have, and how many the edits.
    pub fn bytes(&self) -> (usize, usize) {
        (self.changed.bytes.len(), self.edits.bytes.len())
    }
}

impl Plan<'_> {
    pub fn make(&self, read: &Read) -> Result<Made, FilterError> {
        let sample = match read {
            Ok(sample) => sample,
            Err(fault) => return Ok(Made::kept("bad row", Some(fault.to_string()))),
        };
        if let Some(condition) = self.condition
            && !condition.holds(sample)?
        {
            return Ok(Made::kept("left out", None));
        }
        Ok(match self.pipeline.run(sample, self.seed, 0) {
            Outcome::Unchanged => Made::kept("unchanged", None),
            Outcome::Skipped(skip) => Made::kept("skipped", Some(skip.to_string())),
            Outcome::Filtered(failure) => Made::kept("filtered", Some(failure.reason)),
            Outcome::Changed(mut new) => {
                // As the command line does: a row whose right answer turned has the opposite label.
                if self.pipeline.chain.expects_of(&self.task.facts, &new.trail) == Expectation::Flipped {
                    turn(&mut new, self.pipeline.resources);
                }
                self.changed(sample, *new)
            }
        })
    }

    fn changed(&self, sample: &Sample, Variant { sample: new, trail, .. }: Variant) -> Made {
        // Plain texts come back as texts; rows keep the shape they came in.
        let row = sample.origin.is_some().then(|| self.task.row(&new));
        let text = new.fields.into_iter().next().map(|field| field.text.into_raw());
        let labels = if trail.labels.is_empty() {
            NONE.into()
        } else {
            serde_json::to_string(&trail.labels).expect("strings are plain JSON").into()
        };
        Made { status: "changed", reason: None, row, text, edits: TrailEdit::list_to_json(&trail.edits).into(), labels }
    }
}
