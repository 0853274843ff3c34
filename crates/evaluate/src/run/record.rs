//! The lines of a run file: a header, then for each sample a line of its own, one for each of its cases and a seal, and an
//! end.

use std::collections::BTreeMap;
use std::path::Path;

use fissure_core::TrailEdit;
use serde::{Deserialize, Serialize};

use super::{Blocks, DataFacts, Golds, Shard, pins};
use crate::config::RunConfig;
use crate::metrics::Tally;
use crate::plan::{Plan, PlanRecord};
use crate::shell::shell_word;
use crate::{DataAbout, LabelMatch, ModelAbout, Response, Result};

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
    /// SHA-256 of the files and directories that were lent to parts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lent: BTreeMap<String, String>,
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
    /// The forecast that an edit turns the answer, and the number it is ranked by.
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
        golds: &Golds,
        plan: &Plan,
    ) -> Result<Self> {
        Ok(Self {
            fissure: env!("CARGO_PKG_VERSION").into(),
            format: FORMAT,
            from: None,
            shard: None,
            command: command(&config),
            lent: pins::pins(&config, facts.gathered.checksum())?,
            data: DataAbout {
                files: config.data.clone(),
                checksum: facts.checksum.clone(),
                samples: facts.samples,
                labelled: golds.labelled(facts),
            },
            config,
            model,
            metrics: golds.metrics.iter().map(|metric| metric.name().to_owned()).collect(),
            labels: golds.labels.clone(),
            label_match: golds.told(),
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

/// The command that repeats a run. What only a config file can say is said by naming one.
fn command(config: &RunConfig) -> String {
    let mut words = vec!["fissure".to_owned(), "evaluate".into()];
    let mut flag = |name: &str, value: &str| {
        words.push(format!("--{name}"));
        words.push(shell_word(value));
    };
    if let Some(model) = &config.model {
        flag("model", model);
    }
    if let Some(api) = &config.api {
        flag("api", api);
    }
    if let Some(name) = &config.api_model {
        flag("api-model", name);
    }
    if !config.labels.is_empty() {
        flag("labels", &config.labels.join(","));
    }
    config.label_names.iter().for_each(|names| flag("label-names", names));
    if let Some(prompt) = &config.prompt {
        flag("prompt", prompt);
    }
    config.body.iter().for_each(|setting| flag("body", setting));
    config.data.iter().for_each(|data| flag("data", data));
    flag("task", config.task_name());
    reading(config).iter().for_each(|(name, value)| flag(name, value));
    if let Some(limit) = config.limit {
        flag("limit", &limit.to_string());
    }
    if config.chains.is_empty() && config.slices.is_none() && config.knobs.is_empty() {
        flag("suite", config.suite());
    } else {
        flag("config", "run.toml");
    }
    if let Some(variants) = config.variants {
        flag("variants", &variants.to_string());
    }
    config.set.iter().for_each(|(knob, value)| flag("set", &format!("{knob}={value}")));
    if let Some(importance) = &config.importance {
        flag("importance", importance);
    }
    let lent = [
        ("language-model", &config.language_model),
        ("translator", &config.translator),
        ("encoder", &config.encoder),
        ("vectors", &config.vectors),
        ("phrases", &config.phrases),
        ("where", &config.condition),
    ];
    lent.into_iter().for_each(|(name, value)| value.iter().for_each(|value| flag(name, value)));
    config.train.iter().for_each(|file| flag("train", file));
    config.keep.iter().for_each(|keep| flag("keep", keep));
    flag("seed", &config.seed().to_string());
    words.join(" ")
}

/// The flags that say how the data is read, for every command that reads it.
pub fn reading(config: &RunConfig) -> Vec<(String, String)> {
    let list = |values: &[String]| (!values.is_empty()).then(|| values.join(","));
    let flags = [
        ("columns", list(&config.columns)),
        ("id", config.id.clone()),
        ("format", config.format.clone()),
        ("label-map", list(&config.label_map)),
        ("fields", list(&config.fields)),
        ("on-bad-row", (config.skip_bad_rows == Some(true)).then(|| "skip".to_owned())),
    ];
    flags.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
