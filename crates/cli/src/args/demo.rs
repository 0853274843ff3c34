//! The words of `fissure demo`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, value_parser};

use crate::commands::TRIED;

#[derive(Debug, ClapArgs)]
pub struct Demo {
    /// Where the reviews, the model, the run and its report go; that of an earlier tour is made anew
    #[arg(long, short, value_name = "DIR", default_value = "fissure-demo")]
    pub out: PathBuf,
    /// How many reviews to try the model on
    #[arg(long, value_name = "N", default_value_t = TRIED as u32, value_parser = value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    /// Only write the reviews (train.jsonl, validation.jsonl, test.jsonl) into this folder, and stop
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub write: Option<PathBuf>,
    /// With --write: replace the files if they exist
    #[arg(long, requires = "write")]
    pub force: bool,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}
