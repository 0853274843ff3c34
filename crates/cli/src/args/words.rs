//! The arguments of `fissure words`.

use clap::Args as ClapArgs;
use fissure_settings::LabelMapping as Labels;

use crate::args::{Data, Remote};

#[derive(Debug, ClapArgs)]
pub struct Words {
    /// The model: a directory with config.json and model.safetensors, http(s)://..., or process:COMMAND. Without gradients,
    /// every word is left out of every text: one question each, 200 texts unless --limit is given
    #[arg(long, value_name = "MODEL")]
    pub model: String,
    #[command(flatten)]
    pub remote: Remote,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// What the model was trained on: shows what training taught and these labels do not support
    #[arg(long, value_name = "FILE")]
    pub train: Option<String>,
    /// Read at most N tokens of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// Leave out words that stand in fewer texts
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub least: usize,
    /// Also show punctuation and function words (of, the, it)
    #[arg(long)]
    pub all: bool,
    /// Show N words
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}
