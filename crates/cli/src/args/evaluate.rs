//! The arguments of `fissure evaluate`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use fissure_evaluate::Shard;
use fissure_settings::{Patience, RunConfig};

#[derive(Debug, ClapArgs)]
pub struct Evaluate {
    #[command(flatten)]
    pub config: RunConfig,
    /// A TOML file with any of these settings, by the names of the flags, and with chains, slices and knobs; flags win
    #[arg(long = "config", id = "config", value_name = "FILE")]
    pub config_file: Option<PathBuf>,
    #[command(flatten)]
    pub patience: Patience,
    /// Most requests a second
    #[arg(long, value_name = "N", help_heading = "Models behind http, https or process")]
    pub rate: Option<f64>,
    /// The directory of the run [default: a new one in fissure-runs]
    #[arg(long, short, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Print what would be run, what could not be, how many questions that takes, and for chats an estimate of the tokens
    /// and the cost (--price). The model is not asked, and no program is started
    #[arg(long)]
    pub dry_run: bool,
    /// Run only piece K of N, every N-th sample: `fissure merge` joins the pieces of all machines
    #[arg(long, value_name = "K/N", conflicts_with = "resume")]
    pub shard: Option<Shard>,
    /// Continue a stopped run; `--model` gives the address again if a part of it was not kept
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["DataSource", "LabelMapping", "Selection", "ChangeOptions", "ResourceFiles", "Endpoint",
                              "config", "dry_run"]
    )]
    pub resume: Option<PathBuf>,
}
