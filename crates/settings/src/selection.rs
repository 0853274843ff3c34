//! Which parts change the samples, and how.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;

use clap::builder::RangedU64ValueParser;
use serde::{Deserialize, Serialize};

use crate::setting::{Setting, settings};

settings! {
    /// Which parts a run uses.
    pub struct Selection {
        /// A named suite: default, quick, universal, typos, word-salad, bias, attacks; several with commas between them
        #[arg(long, value_name = "SUITE")]
        pub suite: Option<String>,
        /// The chains to run, instead of the suite's: typos,contraction+keyboard
        #[arg(long, aliases = ["transform", "transforms"], value_name = "PART[+PART...],...", value_delimiter = ',', value_parser = chain)]
        pub chains: Vec<ChainConfig>,
        /// The slices, instead of the suite's
        #[arg(skip)]
        pub slices: Option<Vec<SliceConfig>>,
        /// Whether to score the fragility of every sample, if the model has gradients [default: true]
        #[arg(long, value_name = "true|false")]
        pub fragility: Option<bool>,
        /// Ask only what is needed for the interval of each part's share of flips to have this half width (0.01: one point): texts are
        /// drawn with known probabilities by a forecast, or by 1 - max p if the model has no gradients
        #[arg(long, value_name = "SHARE", value_parser = share)]
        pub precision: Option<f64>,
        /// With --precision: plan for N questions, originals included; chance may ask a few more [default: as many as asking everything once]
        #[arg(long, value_name = "N", requires = "precision")]
        pub budget: Option<usize>,
    }
}

/// A share between 0 and 1, neither of them.
fn share(written: &str) -> Result<f64, String> {
    match written.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err(format!("`{written}` is not between 0 and 1: write 0.01 for one point")),
    }
}

settings! {
    /// How samples are changed, and which changes are kept.
    pub struct ChangeOptions {
        /// Set a knob for every part that has it, or part.knob=value for one; may be repeated
        #[arg(long, value_name = "KNOB=VALUE", value_parser = setting)]
        pub set: Vec<String>,
        /// Knobs, part by part, for every chain that has the part; `set` wins over them
        #[arg(skip)]
        pub knobs: BTreeMap<String, Knobs>,
        /// How many changed forms to make of each sample with each part; equal ones count once [default: 1]
        #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1000))]
        pub variants: Option<usize>,
        /// Only samples that meet a condition: `label == "pos" and length > 20`
        #[arg(long = "where", id = "where", value_name = "CONDITION")]
        #[serde(rename = "where")]
        pub condition: Option<String>,
        /// Keep only changes that a validator finds good enough: `similarity>=0.8`; may be repeated
        #[arg(long, value_name = "VALIDATOR>=NUMBER")]
        pub keep: Vec<String>,
        /// Random seed [default: 0]
        #[arg(long, value_name = "N")]
        pub seed: Option<u64>,
    }
}

/// Settings of one part: any plain value.
pub type Knobs = BTreeMap<String, Plain>;

/// A chain: its name, or its name with more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ChainConfig {
    Name(String),
    Full {
        /// `a`, or `a+b` of any length.
        parts: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variants: Option<usize>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        knobs: Knobs,
    },
}

/// A slice: its name, or its name with settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SliceConfig {
    Name(String),
    Full { name: String, knobs: Knobs },
}

/// A value of a knob, in whatever type it was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Plain {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
}

impl Default for Plain {
    fn default() -> Self {
        Self::Flag(false)
    }
}

impl Setting for Plain {
    fn is_unset(&self) -> bool {
        false
    }

    fn overruled_by(self, wins: Self) -> Self {
        wins
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Whole(number) => write!(f, "{number}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

fn chain(name: &str) -> Result<ChainConfig, Infallible> {
    Ok(ChainConfig::Name(name.trim().to_owned()))
}

impl Selection {
    /// What the selection of parts is called: a suite's name, or `custom` for a list of chains.
    pub fn suite_name(&self) -> &str {
        match (&self.suite, self.chains.is_empty()) {
            (_, false) => "custom",
            (Some(name), true) => name,
            (None, true) => "default",
        }
    }
}

impl ChangeOptions {
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(0)
    }

    /// How many changed forms to make of each sample.
    pub fn variants(&self) -> usize {
        self.variants.unwrap_or(1)
    }

    /// All settings of knobs as `(part.knob or knob, value)`, those that win last.
    pub fn knob_settings(&self) -> Vec<(String, String)> {
        let of_parts = self.knobs.iter().flat_map(|(part, knobs)| {
            knobs.iter().map(move |(knob, value)| (format!("{part}.{knob}"), value.to_string()))
        });
        of_parts.chain(self.set.iter().map(|setting| split_setting(setting))).collect()
    }
}

impl ChangeOptions {
    /// The same for the parts of one chain: knobs of other parts do not concern it.
    pub fn knob_settings_of(&self, chain: &str) -> Vec<(String, String)> {
        let parts: Vec<&str> = chain.split('+').map(str::trim).collect();
        let knobs = self.knobs.iter().filter(|(part, _)| parts.contains(&part.as_str()));
        let knobs = knobs.map(|(part, knobs)| (part.clone(), knobs.clone())).collect();
        Self { knobs, ..self.clone() }.knob_settings()
    }
}

/// `knob=value` in two; the value is empty if there is none, which no knob takes.
pub fn split_setting(setting: &str) -> (String, String) {
    let (knob, value) = setting.split_once('=').unwrap_or((setting, ""));
    (knob.trim().to_owned(), value.trim().to_owned())
}

/// Checks that a setting has the form `knob=value`.
fn setting(written: &str) -> Result<String, String> {
    match written.split_once('=') {
        Some(_) => Ok(written.to_owned()),
        None => Err(format!("`{written}` has no value: write --set knob=value")),
    }
}
