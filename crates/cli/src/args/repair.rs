//! The arguments of `fissure repair`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use fissure_settings::LabelMapping as Labels;

use crate::args::share::share;
use crate::args::{Data, Force, Remote};

#[derive(Debug, Subcommand)]
pub enum Repair {
    /// Calibrate a model's confidence: fits a temperature on held-out data and writes it next to the model
    #[command(after_help = "\
Example:
  fissure repair calibrate --model my-cnn --data validation.csv --test test.csv --task sa")]
    Calibrate(CalibrateArgs),
    /// Teach a model to notice nonsense in three ways, and compare them
    #[command(after_help = "\
Examples:
  fissure repair mitigate --model my-cnn --data train.csv --test test.csv --task sa --save mitigated
  fissure repair mitigate --arch cnn --data train.csv --test test.csv --task sa --save fixed
  fissure repair mitigate --from all-MiniLM-L6-v2 --data train.tsv --test dev.tsv --task nli --transfer")]
    Mitigate(MitigateArgs),
    /// Reject what a model is not sure of, below a threshold: needs no training, so it works with any model
    #[command(after_help = "\
Examples:
  fissure repair threshold --model my-cnn --data validation.csv --test test.csv --task sa
  fissure repair threshold --model 'process:python3 model.py' --data validation.csv --test test.csv --task sa")]
    Threshold(ThresholdArgs),
    /// Train on destroyed texts only, and see how much of the task is learned all the same
    #[command(after_help = "Example: fissure repair nonsense --arch bilstm --data train.csv --test test.csv --task sa")]
    Nonsense(NonsenseArgs),
    /// Write training data with the changes that hurt most; retrain, and show before and after
    #[command(after_help = "\
Examples:
  fissure repair augment --data train.csv --task sa --findings findings.json --out more.csv
  fissure repair augment --data train.csv --task sa --parts typos,keyboard --out more.jsonl \\
      --model my-cnn --test test.csv --save fixed
  fissure repair augment --data train.csv --task sa --attacks attacked --out more.jsonl")]
    Augment(AugmentArgs),
    /// Train a model with bounds, so that more answers are proved to withstand other words; show before and after
    #[command(after_help = "\
Example:
  fissure repair certify --model my-cnn --data train.csv --test test.csv --task sa --save certified")]
    Certify(CertifyArgs),
    /// Write a test set of perturbed fragile examples; the next round starts from the retrained model
    #[command(after_help = "\
Example:
  fissure repair testset --model my-cnn --data test.csv --task sa --round 1 --out round-1.jsonl")]
    Testset(TestsetArgs),
}

#[derive(Debug, ClapArgs)]
pub struct CalibrateArgs {
    /// The model: a directory, hf:owner/name, an address (http:// or https://), or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// Data to measure on [default: half of --data, which is then not used to fit]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub test: Vec<String>,
    /// Where the calibration goes [default: calibration.json next to the model]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub remote: Remote,
}

#[derive(Debug, ClapArgs)]
pub struct ThresholdArgs {
    /// The model: a directory, hf:owner/name, an address (http:// or https://), or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// Data to measure on [default: half of --data, which is then not used to tune]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub test: Vec<String>,
    /// The destroyers to try [default: all that serve the task]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub destroyers: Vec<String>,
    /// Where to write every number as JSON
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub remote: Remote,
}

/// How models are trained; each starts from the same place.
#[derive(Debug, Clone, ClapArgs)]
pub struct TrainerArgs {
    /// The architecture: fasttext, cnn or bilstm
    #[arg(long, value_name = "NAME", default_value = "cnn")]
    pub arch: String,
    /// Fine-tune this Hugging Face encoder instead
    #[arg(long, value_name = "DIR", conflicts_with = "arch")]
    pub from: Option<PathBuf>,
    /// The most epochs
    #[arg(long, value_name = "N")]
    pub epochs: Option<usize>,
    /// The learning rate
    #[arg(long, value_name = "RATE")]
    pub rate: Option<f32>,
    /// Words (pieces, for an encoder) of a text that are read
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// Freeze the embeddings and the N lowest layers of the encoder
    #[arg(long, value_name = "N", requires = "from")]
    pub frozen_layers: Option<usize>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Debug, ClapArgs)]
pub struct MitigateArgs {
    /// The model to mitigate, a directory: an encoder is trained further, a small model is trained again by its own recipe
    /// [default: a model that is trained first]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["arch", "from"])]
    pub model: Option<String>,
    #[command(flatten)]
    pub trainer_args: TrainerArgs,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// Data to compare on
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub test: Vec<String>,
    /// The destroyers to teach and to try [default: all that serve the task]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub destroyers: Vec<String>,
    /// Weights of the entropy term to try
    #[arg(long, value_name = "WEIGHT,...", value_delimiter = ',', default_values_t = [0.3, 1.0, 3.0])]
    pub weights: Vec<f32>,
    /// Destroyed samples for each valid one that a model learns from, at most 1
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share::<f64>)]
    pub per_valid: f64,
    /// Also teach one destroyer at a time, and try it on the others
    #[arg(long)]
    pub transfer: bool,
    /// Write the models here: baseline, entropy and invalid
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Where to write every number as JSON
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

#[derive(Debug, ClapArgs)]
pub struct NonsenseArgs {
    #[command(flatten)]
    pub trainer_args: TrainerArgs,
    #[command(flatten)]
    pub data: Data,
    /// Valid data to test on
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub test: Vec<String>,
    /// The destroyer of the training texts
    #[arg(long, value_name = "NAME", default_value = "shuffle")]
    pub destroyer: String,
}

#[derive(Debug, ClapArgs)]
pub struct AugmentArgs {
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// What a run found: the parts that hurt most are taken from it
    #[arg(long, value_name = "FILE", required_unless_present_any = ["parts", "attacks"])]
    pub findings: Option<PathBuf>,
    /// The parts to augment with: names, or chains such as typos+keyboard
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', conflicts_with = "findings")]
    pub parts: Vec<String>,
    /// A run of `fissure attack` on these data: the texts that broke become copies, as the attack left them
    #[arg(long, value_name = "RUN")]
    pub attacks: Option<PathBuf>,
    /// With --model: a run of `fissure attack` on the data of --test, to compare on the texts that broke
    #[arg(long, value_name = "RUN", requires = "model")]
    pub test_attacks: Option<PathBuf>,
    /// With --findings: take N changes
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub most: usize,
    /// The share of the samples that each part makes a copy of
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share::<f64>)]
    pub share: f64,
    /// Keep only copies that a validator finds good enough: `edit_distance>=0.7`; may be repeated
    #[arg(long, value_name = "VALIDATOR>=NUMBER")]
    pub keep: Vec<String>,
    /// Where the training data go, in the format of the file's ending
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub force: Force,
    /// The model to retrain, a directory that `fissure train` wrote or an encoder
    #[arg(long, value_name = "DIR", requires = "test")]
    pub model: Option<String>,
    /// With --model: data to compare on, before and after
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "model")]
    pub test: Vec<String>,
    /// With --model: where the retrained model goes
    #[arg(long, value_name = "DIR", requires = "model")]
    pub save: Option<PathBuf>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Debug, ClapArgs)]
pub struct CertifyArgs {
    /// The model: the directory of a cnn or fasttext model that `fissure train` wrote; it is trained again by its own recipe
    #[arg(long, value_name = "DIR")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// Data to prove on, before and after
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub test: Vec<String>,
    /// Prove for at most N samples of --test
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub proofs: usize,
    /// The most changed words of the first proof for a cnn; the second is for any number
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub edits: usize,
    /// How much the worst text counts against the text itself, from 0 to 1: more proves more, and costs accuracy [default: 0.25
    /// for a cnn, 0.5 for fasttext]
    #[arg(long, value_name = "WEIGHT", value_parser = share::<f32>)]
    pub weight: Option<f32>,
    /// The share of the epochs over which the substitutes come in
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share::<f32>)]
    pub ramp: f32,
    /// The epochs [default: those of the model's recipe]
    #[arg(long, value_name = "N")]
    pub epochs: Option<usize>,
    /// The learning rate [default: that of the model's recipe]
    #[arg(long, value_name = "RATE")]
    pub rate: Option<f32>,
    /// Word vectors, as text, that say which words are near [default: a built-in table]
    #[arg(long, value_name = "FILE")]
    pub vectors: Option<String>,
    /// Near words: a JSON object from word to words, or lines of a word, a tab, and words with commas between
    #[arg(long, value_name = "FILE", conflicts_with = "vectors")]
    pub synonyms: Option<String>,
    /// Where the trained model goes
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Where to write every number as JSON
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

#[derive(Debug, ClapArgs)]
pub struct TestsetArgs {
    /// The model: a directory, hf:owner/name, an address (http:// or https://), or `process:COMMAND`
    #[arg(long, value_name = "MODEL")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// How many of the most fragile examples to start from
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub examples: usize,
    /// The most perturbed forms of one example
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub forms: usize,
    /// Most words of a text; a longer one is left out, and counted
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pub max_words: usize,
    /// A run of `fissure attack` on these data: the test set is what the attack left of the texts that broke
    #[arg(long, value_name = "RUN", conflicts_with = "parts")]
    pub attacks: Option<PathBuf>,
    /// Parts that perturb too, beside substitutions of words and names
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_values_t = ["spelling_error".to_owned(), "contraction".to_owned()])]
    pub parts: Vec<String>,
    /// Keep only forms that a validator finds good enough; may be repeated
    #[arg(long, value_name = "VALIDATOR>=NUMBER", default_values_t = ["fluency>=0.4", "words_kept>=0.5"].map(str::to_owned))]
    pub keep: Vec<String>,
    /// A sentence encoder for `--keep similarity>=...`: a Hugging Face directory
    #[arg(long, value_name = "DIR")]
    pub encoder: Option<String>,
    /// Which round this is: the number goes into every row
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub round: usize,
    /// Where the test set goes [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub remote: Remote,
}
