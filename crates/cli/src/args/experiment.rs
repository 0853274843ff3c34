//! The arguments of `fissure experiment`.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args as ClapArgs, Subcommand, ValueEnum, value_parser};
use fissure_settings::{LabelMapping as Labels, task_name};

use crate::args::{Data, Force, Law, TrainerArgs};

#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// Which score best predicts how often word substitutions change the answer, and how large a step it takes?
    #[command(after_help = "\
Examples:
  fissure experiment fragility --model my-cnn --data test.csv --task sa --limit 500
  fissure experiment fragility --model my-cnn --data test.csv --law neighbours --out results")]
    Fragility(FragilityArgs),
    /// Does the forecast of a part predict which answers the part flips, and how many questions does that save?
    #[command(after_help = "\
Examples:
  fissure experiment parts --model my-cnn --data test.csv --task sa --limit 600
  fissure experiment parts --model my-cnn --data test.csv --parts typos,swap_neighbour --copies 100 --out results")]
    Parts(PartsArgs),
    /// Are the revised texts of contrast sets and counterfactuals more fragile than their originals?
    #[command(after_help = "\
Examples:
  fissure experiment pairs --model my-cnn --originals test_original.tsv --revised test_contrast.tsv
  fissure experiment pairs --model my-cnn --pairs test_paired.tsv --by batch_id --train train.csv --reference test.csv")]
    Pairs(PairsArgs),
    /// Replace the words that carry the answers of the most fragile and the most robust texts: does the answer change?
    #[command(after_help = "\
Example: fissure experiment words --model my-cnn --data test.csv --task sa --top 3 --out results")]
    Words(ExperimentWordsArgs),
    /// Two clouds of points in the plane: fragility lies along the boundary between them
    #[command(after_help = "Example: fissure experiment gaussians --out results")]
    Gaussians(GaussiansArgs),
    /// Word salad: do models notice texts that mean nothing, and can they be taught to?
    #[command(after_help = "\
Examples:
  fissure experiment word-salad --folder data --out salad.json
  fissure experiment word-salad --folder data --sets sst2,mrpc --from all-MiniLM-L6-v2 --limit 2000 --report salad.md

The folder holds sst2/, mrpc/, rte/ and snli/ with the files that GLUE and SNLI come in (train.tsv, dev.tsv; for snli
validation.tsv and test.tsv, of which the first is trained on).")]
    WordSalad(WordSaladArgs),
}

#[derive(Debug, ClapArgs)]
pub struct WordSaladArgs {
    /// The folder of the data sets
    #[arg(long, value_name = "DIR")]
    pub folder: PathBuf,
    /// Which of them
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_values_t = ["sst2", "mrpc", "rte", "snli"].map(str::to_owned))]
    pub sets: Vec<String>,
    #[command(flatten)]
    pub trainer_args: TrainerArgs,
    /// Train on at most N samples
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Test on at most N samples
    #[arg(long, value_name = "N")]
    pub test_limit: Option<usize>,
    /// What to measure besides the answers to nonsense [default: all of it]
    #[arg(long, value_enum, value_name = "WHAT,...", value_delimiter = ',')]
    pub chapters: Vec<Chapter>,
    /// Weights of the entropy term to try
    #[arg(long, value_name = "WEIGHT,...", value_delimiter = ',', default_values_t = [0.3, 1.0, 3.0])]
    pub weights: Vec<f32>,
    /// Where to write every number as JSON
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
    /// Where to write the tables as a page of Markdown
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// The chapters of the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Chapter {
    /// Whether calibrated models are fooled less (Tables 8 and 9)
    Calibration,
    /// What is learned from shuffled texts alone (Table 11)
    Nonsense,
    /// Threshold, entropy and the invalid class (Table 12)
    Mitigation,
}

#[derive(Debug, ClapArgs)]
pub struct FragilityArgs {
    /// The model: a directory with config.json and model.safetensors
    #[arg(long, value_name = "DIR")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// The edits: random words, or neighbours of the words
    #[arg(long, value_enum, default_value_t = Law::Random)]
    pub law: Law,
    /// Edited copies of each text
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub copies: usize,
    /// Read at most N tokens of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// A folder for every number as JSON, and for the pictures
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

#[derive(Debug, ClapArgs)]
pub struct PartsArgs {
    /// The model: a directory with config.json and model.safetensors
    #[arg(long, value_name = "DIR")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// The parts, or chains of them [default: all that serve the task and need nothing but the text]
    #[arg(long, value_name = "PART,...", value_delimiter = ',')]
    pub parts: Vec<String>,
    /// Changed forms of each text by each part
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = RangedU64ValueParser::<usize>::new().range(2..=10_000))]
    pub copies: usize,
    /// Read at most N tokens of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// A folder for every number as JSON
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

#[derive(Debug, ClapArgs)]
pub struct ExperimentWordsArgs {
    /// The model: a directory with config.json and model.safetensors
    #[arg(long, value_name = "DIR")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// Texts of each end
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub top: usize,
    /// Words of each text, those with the highest attribution
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub words: usize,
    /// Read at most N tokens of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// A folder for every number as JSON, the tables as LaTeX, and the page
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

#[derive(Debug, ClapArgs)]
pub struct PairsArgs {
    /// The model: a directory with config.json and model.safetensors
    #[arg(long, value_name = "DIR")]
    pub model: String,
    /// The texts before the revision
    #[arg(long, value_name = "FILE", requires = "revised")]
    pub originals: Option<String>,
    /// The texts after it, in the same order
    #[arg(long, value_name = "FILE", requires = "originals")]
    pub revised: Option<String>,
    /// One file with both instead, each original before its revisions
    #[arg(long, value_name = "FILE", requires = "by", required_unless_present = "originals")]
    #[arg(conflicts_with = "originals")]
    pub pairs: Option<String>,
    /// The column whose value the texts of a group share
    #[arg(long, value_name = "COLUMN")]
    pub by: Option<String>,
    /// Texts without revisions, to compare the distributions with
    #[arg(long, value_name = "FILE")]
    pub reference: Option<String>,
    /// What the model was trained on: originals that it has seen are reported separately
    #[arg(long, value_name = "FILE")]
    pub train: Option<String>,
    /// The task of all files: see `fissure list tasks`
    #[arg(long, value_name = "TASK", default_value = "sa", value_parser = task_name)]
    pub task: String,
    /// Which column is what, if the names are not the usual ones: text=body,label=stars
    #[arg(long, value_name = "FIELD=COLUMN,...", value_delimiter = ',')]
    pub columns: Vec<String>,
    #[command(flatten)]
    pub labels: Labels,
    /// Read at most N texts of the reference
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pub limit: usize,
    /// Read at most N tokens of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// A folder for every number as JSON, and for the pictures
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}

#[derive(Debug, ClapArgs)]
pub struct GaussiansArgs {
    /// Points in each cloud
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(10..=100_000))]
    pub points: u32,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// A folder for every point as JSON, and for the picture
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}
