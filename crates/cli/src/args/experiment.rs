//! The words of `fissure experiment`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, value_parser};

use crate::args::{Data, Law};

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
