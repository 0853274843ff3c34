//! The words of `fissure experiment`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, value_parser};

use crate::args::{Data, Law, Pupil};

#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// Which score foretells how often word substitutions turn an answer, and how far it has to be pushed?
    #[command(
        after_help = "Example: fissure experiment fragility --model my-cnn --data test.csv --task sa --limit 500"
    )]
    Fragility(FragilityArgs),
    /// Two clouds of points in the plane: fragility lies along the boundary between them
    #[command(after_help = "Example: fissure experiment gaussians --out toy.json")]
    Gaussians(GaussiansArgs),
    /// Word salad: do models notice texts that mean nothing, and can they be taught to?
    #[command(after_help = "\
Examples:
  fissure experiment word-salad --folder data --out salad.json
  fissure experiment word-salad --folder data --sets sst2,mrpc --from all-MiniLM-L6-v2 --limit 2000

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
    pub pupil: Pupil,
    /// Train on so many samples at most
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Test on so many samples at most
    #[arg(long, value_name = "N")]
    pub test_limit: Option<usize>,
    /// Where to write every number as JSON
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct FragilityArgs {
    /// The model: a directory with config.json and model.safetensors
    #[arg(long, value_name = "DIR")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    /// The edits: random words, or neighbours of the words
    #[arg(long, value_enum, default_value_t = Law::Random)]
    pub law: Law,
    /// Edited copies of each text
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub copies: usize,
    /// The seed of all chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Where to write every number as JSON
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct GaussiansArgs {
    /// Points in each cloud
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u32).range(10..=100_000))]
    pub points: u32,
    /// The seed of all chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Where to write every point as JSON
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
