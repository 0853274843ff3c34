//! Everything a run is asked to do: a TOML file, the command line, and the header of the run file say it in the same words.

use clap::Args;
use fissure_core::nearest;
use fissure_tasks::Task;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::selection::ChainConfig;
use crate::setting::{Setting, settings};
use crate::{ChangeOptions, DataSource, Endpoint, LabelMapping, ResourceFiles, Selection, flags};

settings! {
    /// Everything a run is asked to do.
    ///
    /// ```toml
    /// model = "my-cnn"
    /// data = ["test.csv"]
    /// task = "sa"
    /// seed = 7
    /// chains = ["typos", { parts = "contraction+typos", variants = 2, knobs = { "typos.rate" = 0.3 } }]
    /// slices = ["length", { name = "length", knobs = { take = "shortest" } }]
    ///
    /// [knobs.typos]
    /// rate = 0.2
    /// ```
    pub struct RunConfig {
        /// The model: a directory with config.json and model.safetensors, hf:owner/name, http(s)://... or process:COMMAND
        #[arg(long, value_name = "MODEL")]
        pub model: Option<String>,
        #[command(flatten)]
        #[serde(flatten)]
        pub data: DataSource,
        #[command(flatten)]
        #[serde(flatten)]
        pub map: LabelMapping,
        #[command(flatten)]
        #[serde(flatten)]
        pub selection: Selection,
        #[command(flatten)]
        #[serde(flatten)]
        pub changes: ChangeOptions,
        #[command(flatten)]
        #[serde(flatten)]
        pub resources: ResourceFiles,
        #[command(flatten)]
        #[serde(flatten)]
        pub endpoint: Endpoint,
    }
}

/// Why a config file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    #[error("there is no setting `{key}`{nearest}")]
    Unknown { key: String, nearest: String },
    #[error("`{key}` cannot be {value}: {why}")]
    Value { key: String, value: String, why: String },
}

impl RunConfig {
    /// Reads a config file.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let config: Self = read_toml(text, &["slices", "knobs"])?;
        for chain in &config.selection.chains {
            if let ChainConfig::Full { parts, variants: Some(variants @ (0 | 1001..)), .. } = chain {
                let (key, value) = (format!("variants of {parts}"), variants.to_string());
                return Err(ConfigError::Value { key, value, why: "write a number from 1 to 1000".into() });
            }
        }
        Ok(config)
    }

    /// The file, overruled by the flags. A suite named in the flags replaces the chains of the file; settings of knobs and
    /// of request bodies are added to those of the file.
    #[must_use]
    pub fn with_flags(mut self, flags: Self) -> Self {
        if flags.selection.suite.is_some() && flags.selection.chains.is_empty() {
            self.selection.chains.clear();
        }
        let set = [self.changes.set.clone(), flags.changes.set.clone()].concat();
        let body = [self.endpoint.body.clone(), flags.endpoint.body.clone()].concat();
        let mut merged = self.overruled_by(flags);
        merged.changes.set = set;
        merged.endpoint.body = body;
        merged
    }

    pub fn seed(&self) -> u64 {
        self.changes.seed()
    }

    /// The task, `classification` unless said; an error if there is none of that name.
    pub fn task(&self) -> fissure_tasks::Result<&'static Task> {
        self.data.task()
    }

    /// The command that repeats the run. What only a config file can say is said by naming one.
    pub fn command(&self) -> String {
        let mut written = self.clone();
        // Defaults that a later version might change are written out.
        written.data.task = Some(self.data.task_name().to_owned());
        written.changes.seed = Some(self.seed());
        let is_full = |chain: &ChainConfig| matches!(chain, ChainConfig::Full { .. });
        let only_in_files = self.selection.chains.iter().any(is_full)
            || self.selection.slices.is_some()
            || !self.changes.knobs.is_empty();
        if only_in_files {
            written.selection.chains.clear();
            written.selection.slices = None;
            written.changes.knobs.clear();
            written.selection.suite = None;
        } else if self.selection.chains.is_empty() {
            written.selection.suite = Some(self.selection.suite_name().to_owned());
        }
        let flags = flags::words(&written);
        let mut words = vec!["fissure".to_owned(), "evaluate".to_owned()];
        if only_in_files || flags.is_none() {
            words.extend(["--config".to_owned(), "run.toml".to_owned()]);
        }
        words.extend(flags.unwrap_or_default().iter().map(|word| flags::shell_word(word)));
        words.join(" ")
    }
}

impl ChangeOptions {
    /// Reads a config file.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        read_toml(text, &["knobs"])
    }
}

/// Reads settings from a file; `more` are those that have no flag.
fn read_toml<T: Args + DeserializeOwned + Serialize>(text: &str, more: &[&str]) -> Result<T, ConfigError> {
    let table: toml::Table = toml::from_str(text)?;
    let known = flags::keys::<T>(more);
    if let Some(key) = table.keys().find(|key| !known.contains(key)) {
        let near = nearest(key, known.iter().map(String::as_str));
        let nearest = near.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(ConfigError::Unknown { key: key.clone(), nearest });
    }
    // serde does not say which of the flattened keys is wrong, each by itself does; and a file must not say what a flag
    // could not.
    let wrong = table.iter().find_map(|(key, value)| {
        let alone = toml::Table::from_iter([(key.clone(), value.clone())]);
        let why = match alone.try_into::<T>() {
            Ok(alone) => flags::refusal(&alone)?,
            Err(why) => why.message().to_owned(),
        };
        Some(ConfigError::Value { key: key.clone(), value: value.to_string(), why })
    });
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(table.try_into()?),
    }
}

#[cfg(test)]
mod tests;
