//! The arguments of `fissure train`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use fissure_settings::LabelMapping as Labels;

use crate::args::{Data, Force};

#[derive(Debug, ClapArgs)]
pub struct Train {
    /// The architecture: fasttext, cnn or bilstm [default: cnn; bilstm for ner and pos]
    #[arg(long, value_name = "NAME")]
    pub arch: Option<String>,
    /// Fine-tune this Hugging Face encoder instead
    #[arg(long, value_name = "DIR", conflicts_with = "arch")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// For absa: do not show the model which aspect is meant
    #[arg(long)]
    pub no_aspect: bool,
    /// Where the model goes
    #[arg(long, short, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub force: Force,
    /// A text file of word vectors (GloVe's form) to start from
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub vectors: Option<PathBuf>,
    /// The most epochs
    #[arg(long, value_name = "N")]
    pub epochs: Option<usize>,
    /// Examples in a batch
    #[arg(long, value_name = "N")]
    pub batch: Option<usize>,
    /// The learning rate
    #[arg(long, value_name = "RATE")]
    pub rate: Option<f32>,
    /// The optimizer
    #[arg(long, value_enum, conflicts_with = "from")]
    pub optimizer: Option<Optimizer>,
    /// The share of features dropped in training
    #[arg(long, value_name = "SHARE")]
    pub dropout: Option<f32>,
    /// The share of examples held out to choose the best epoch
    #[arg(long, value_name = "SHARE")]
    pub validation: Option<f32>,
    /// Stop after N epochs without a better one
    #[arg(long, value_name = "N")]
    pub patience: Option<usize>,
    /// Then train once more on all examples, for as many epochs as the best had (classifiers)
    #[arg(long, conflicts_with = "from")]
    pub refit: bool,
    /// Words (pieces, for an encoder) of a text that are read
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// The most words in the vocabulary
    #[arg(long, value_name = "N", conflicts_with = "from")]
    pub words: Option<usize>,
    /// Freeze the embeddings and the N lowest layers of the encoder
    #[arg(long, value_name = "N", requires = "from")]
    pub frozen_layers: Option<usize>,
    /// The share of the label that is spread over all classes
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub label_smoothing: f32,
    /// Focus on hard examples: the exponent of the focal loss
    #[arg(long, value_name = "GAMMA", default_value_t = 0.0)]
    pub focal: f32,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Optimizer {
    Adam,
    Sgd,
}
