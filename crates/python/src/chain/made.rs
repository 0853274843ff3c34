//! The outcome for one sample.

use std::borrow::Cow;
use std::sync::Arc;

use fissure_core::{Filter, FilterError, Outcome, Pipeline, Sample, TrailEdit, Variant};
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
            Outcome::Changed(new) => self.changed(sample, *new),
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
