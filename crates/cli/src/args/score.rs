//! The arguments of `fissure score`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use fissure_settings::{Endpoint, LabelMapping as Labels, Patience};

use crate::args::{Data, GoOn};

#[derive(Debug, Clone, ClapArgs)]
pub struct Score {
    /// The model: a directory with config.json and model.safetensors, http(s)://..., or process:COMMAND. Without gradients,
    /// examples are ranked by 1 - max p
    #[arg(long, value_name = "MODEL")]
    pub model: String,
    #[command(flatten)]
    pub endpoint: Endpoint,
    #[command(flatten)]
    pub patience: Patience,
    /// A run of `fissure evaluate` on these data: adds how often its changes flipped each answer. A model without gradients is
    /// ranked by that, and not asked again
    #[arg(long, value_name = "RUN")]
    pub run: Option<PathBuf>,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// Add scores for every token, with its bytes in your text. Without gradients: what leaving out each word does, one
    /// question a word
    #[arg(long)]
    pub tokens: bool,
    /// With --tokens: integrated gradients of the logit too
    #[arg(long, requires = "tokens")]
    pub ig_logit: bool,
    /// Add the smallest steps along e_max that change the answer
    #[arg(long)]
    pub eta: bool,
    /// Read at most N tokens of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// Where x is for fasttext: at every token, or at their mean
    #[arg(long, value_enum, default_value_t = At::Tokens)]
    pub at: At,
    /// The edits that the flip forecast is about: random words, or neighbours of the words
    #[arg(long, value_enum, default_value_t = Law::Random)]
    pub law: Law,
    /// The share of words edited [default: 0.1 for random, 0.1 to 0.2 for neighbours]
    #[arg(long, value_name = "SHARE")]
    pub rate: Option<f64>,
    /// How to forecast: with a calibration on the first 50 texts, without, or refined by edited copies of each text
    #[arg(long, value_enum, default_value_t = ForecastKind::Calibrated)]
    pub forecast: ForecastKind,
    /// Add the probability that a part, or a chain of parts, flips the answer; it is calibrated on the first texts
    #[arg(long, value_name = "PART,...", value_delimiter = ',')]
    pub part: Vec<String>,
    /// Keep the calibration in this file: it is read if it exists, otherwise made and written. `calibration.json`
    /// next to the model is picked up automatically
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Add the N word substitutions that move a text farthest along e_max, and test them on the model
    #[arg(long, value_name = "N", conflicts_with = "at")]
    pub decode: Option<usize>,
    /// With --decode: which words may stand in for a word
    #[arg(long, value_enum, value_name = "WORDS", default_value_t = DecodeFrom::Vocabulary, requires = "decode")]
    pub decode_from: DecodeFrom,
    /// Show the N most fragile and N most robust examples
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Where to write the JSON lines [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub go_on: GoOn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum At {
    Tokens,
    Mean,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DecodeFrom {
    /// Any word of the model
    Vocabulary,
    /// Its synonyms in WordNet that the model knows
    Synonyms,
    /// Its nearest words in the model
    Neighbours,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Law {
    Random,
    Neighbours,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ForecastKind {
    Calibrated,
    Uncalibrated,
    Refined,
}
