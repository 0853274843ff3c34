//! The arguments of `fissure forecast`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use fissure_settings::RunConfig;

use crate::args::Force;

#[derive(Debug, ClapArgs)]
pub struct Forecast {
    #[command(flatten)]
    pub config: RunConfig,
    /// The parts, or chains of them, instead of a suite's
    #[arg(long, value_name = "PART,...", value_delimiter = ',')]
    pub parts: Vec<String>,
    /// A TOML file with any of these settings, by the names of the flags, and with chains and knobs; flags win
    #[arg(long = "config", id = "config", value_name = "FILE")]
    pub config_file: Option<PathBuf>,
    /// Where to write JSON lines: for each text the probability that each part flips the answer, and the words that would
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
}
