//! The lines of a run file: a header, then for each sample a line of its own, one for each of its cases and a seal, and an
//! end.

use std::collections::BTreeMap;
use std::path::Path;

use fissure_core::TrailEdit;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Blocks, DataFacts, GoldLabels, Shard, checksums};
use crate::metrics::Tally;
use crate::plan::{Plan, PlanRecord};
use crate::{DataAbout, LabelMatch, ModelAbout, Response, Result};
use fissure_settings::{DataSource, RunConfig};

/// The version of this format; a change that old readers would misread counts it up.
pub const FORMAT: u32 = 2;

/// The first line: what pins the run down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of Fissure.
    pub fissure: String,
    pub format: u32,
    /// The folder in which the run began, seen from the folder of the run: paths in the config start there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Which piece of a run this is; absent if it is all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The command that repeats the run.
    pub command: String,
    pub config: RunConfig,
    pub model: ModelAbout,
    pub data: DataAbout,
    /// The metrics of the task, the main one first; tallies stand in this order.
    pub metrics: Vec<String>,
    /// The names of classes or tags that the metrics know.
    pub labels: Vec<String>,
    /// How the labels of the data were matched with those of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_match: Option<LabelMatch>,
    /// SHA-256 of the files and directories that were given to parts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub resources: BTreeMap<String, String>,
    pub plan: PlanRecord,
}

/// A sample as it came, and what the model said to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampleRecord {
    /// Counted from 0.
    pub n: usize,
    pub id: String,
    /// (name, text) of its fields.
    pub texts: Vec<(String, String)>,
    /// The class, in the model's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Response>,
    /// Why the model said nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// One for each metric.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tallies: Vec<Option<Tally>>,
    /// The measure of each slice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<Option<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fragility: Option<FragilityRecord>,
}

/// How fragile the model's answer to the original is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FragilityRecord {
    /// The natural logarithm of lambda_max.
    pub log_lambda: Option<f64>,
    /// The forecast that an edit flips the answer, and the number it is ranked by.
    pub forecast: Option<f64>,
    pub t: Option<f64>,
}

/// What came of one sample under one chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// The number of the sample.
    pub n: usize,
    /// The number of the chain in the plan.
    pub chain: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub variant: usize,
    pub status: Status,
    /// Why it was skipped or filtered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the validator that filtered it said, where it could say anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// (field, start, end, new words) by bytes of the original.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<(usize, usize, usize, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Response>,
    /// Why the model said nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// What the answer adds to the main metric.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tally: Option<Tally>,
    /// The right answer to the changed form, if the change set another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<String>,
    /// What the answer to the original adds by the marks that are on trial in this case, if not all of them are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Tally>,
    /// Of a run with `--precision`: by what design the model was asked, or was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<CaseDesign>,
}

/// The design by which a sample under one chain was asked; the same in all its cases.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CaseDesign {
    /// The forecast that the change flips the answer.
    pub flips: f64,
    /// The forecast that it puts a wrong answer right; absent if the original is not answered wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixes: Option<f64>,
    /// How many questions were expected: below 1, the probability of being asked.
    pub expected: f64,
    /// The look after which no more was asked, from 0.
    pub look: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Changed,
    Unchanged,
    Skipped,
    /// Changed, but the change was refused.
    Filtered,
}

/// The last line of a run that is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// How many samples there are.
    pub end: usize,
    pub seal: String,
}

/// The line behind the cases of a sample: SHA-256 of everything before it. It shows what was changed after it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    pub seal: String,
}

impl Header {
    /// The header of a run file.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(Blocks::open(path)?.header)
    }

    pub(super) fn new(
        config: RunConfig,
        facts: &DataFacts,
        model: ModelAbout,
        gold_labels: &GoldLabels,
        plan: &Plan,
    ) -> Result<Self> {
        Ok(Self {
            fissure: env!("CARGO_PKG_VERSION").into(),
            format: FORMAT,
            from: None,
            shard: None,
            command: config.command(),
            resources: checksums::checksums(&config, facts.gathered.checksum())?,
            data: DataAbout {
                files: config.data.files.clone(),
                checksum: facts.checksum.clone(),
                samples: facts.samples,
                labelled: gold_labels.labelled(facts),
                repeated: facts.repeated,
                shared_ids: facts.shared_ids,
                bad_rows: facts.bad_rows.count as usize,
            },
            config,
            model,
            metrics: gold_labels.metrics.iter().map(|metric| metric.name().to_owned()).collect(),
            labels: gold_labels.labels.clone(),
            label_match: gold_labels.label_match(),
            plan: plan.written.clone(),
        })
    }
}

impl CaseRecord {
    /// The edits with the words they replaced.
    pub fn trail(&self, sample: &SampleRecord) -> Vec<TrailEdit> {
        let edit = |(field, start, end, new): &(usize, usize, usize, String)| {
            let (name, text) = sample.texts.get(*field)?;
            let old = text.get(*start..*end)?.to_owned();
            Some(TrailEdit { field: name.as_str().into(), start: *start, end: *end, old, new: new.clone() })
        };
        self.edits.iter().filter_map(edit).collect()
    }
}

/// The flags that say how the data is read, for every command that reads it.
pub fn reading(config: &RunConfig) -> Vec<(String, String)> {
    // Commands name the files and the task themselves, and read as much as they need.
    let how = DataSource { files: Vec::new(), task: None, limit: None, ..config.data.clone() };
    let written = [serde_json::to_value(&how), serde_json::to_value(&config.map)];
    let flags = written.into_iter().flatten().filter_map(|settings| match settings {
        Value::Object(settings) => Some(settings),
        _ => None,
    });
    let text = |value: Value| match value {
        Value::String(text) => text,
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    };
    flags.flatten().map(|(name, value)| (name.replace('_', "-"), text(value))).collect()
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
