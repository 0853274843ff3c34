//! The config file: what the command line can say, written down. Its schema is `docs/config.schema.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::{Error, Result};

/// ```toml
/// seed = 7
///
/// [knobs.typos]
/// rate = 0.3
/// ```
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub seed: Option<u64>,
    /// Settings, part by part.
    #[serde(default)]
    pub knobs: BTreeMap<String, BTreeMap<String, toml::Value>>,
}

impl Config {
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).map_err(|source| Error::Read { place: path.display().to_string(), source })?;
        toml::from_str(&text).map_err(|source| Error::Config { place: path.display().to_string(), source })
    }

    /// The settings of the parts in the chain `names`, as `part.knob = value`.
    pub fn settings(&self, names: &str) -> Vec<(String, String)> {
        let wanted: Vec<&str> = names.split('+').map(str::trim).collect();
        let mine = self.knobs.iter().filter(|(part, _)| wanted.contains(&part.as_str()));
        mine.flat_map(|(part, knobs)| knobs.iter().map(move |(knob, value)| (format!("{part}.{knob}"), plain(value))))
            .collect()
    }
}

/// A value as it would be written on the command line.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_sets_the_knobs_of_the_parts_in_use() {
        let config: Config =
            toml::from_str("seed = 7\n[knobs.typos]\nrate = 0.5\nmode = \"swap\"\nmax = 3\n[knobs.ocr]\nrate = 1.0\n")
                .unwrap();
        assert_eq!(config.seed, Some(7));
        let settings = config.settings("contraction+typos");
        let shown: Vec<String> = settings.iter().map(|(knob, value)| format!("{knob}={value}")).collect();
        assert_eq!(shown, ["typos.max=3", "typos.mode=swap", "typos.rate=0.5"]);
    }

    #[test]
    fn an_unknown_key_is_named() {
        let error = toml::from_str::<Config>("sead = 7\n").unwrap_err().to_string();
        assert!(error.contains("sead"), "{error}");
    }
}
