//! The words of `fissure explore`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::args::Data;

#[derive(Debug, Clone, ClapArgs)]
pub struct Explore {
    /// The directory of a run of `fissure evaluate`: its model, its data, and what it found
    #[arg(value_name = "RUN", conflicts_with_all = ["model", "demo", "Data"])]
    pub run: Option<PathBuf>,
    /// The model: a directory with config.json and model.safetensors; give several to compare them. Without one, the
    /// built-in reviews and a model that learns from them on the spot
    #[arg(long, value_name = "DIR", requires = "Data")]
    pub model: Vec<String>,
    #[command(flatten)]
    pub data: Option<Data>,
    /// Revised texts (contrast sets, counterfactuals): a file like the data, matched by id or row by row
    #[arg(long, value_name = "FILE", requires = "model")]
    pub pairs: Option<String>,
    /// Where originals and revisions are in one file: the column whose value they share
    #[arg(long, value_name = "COLUMN", requires = "model", conflicts_with = "pairs")]
    pub pairs_by: Option<String>,
    /// The built-in reviews and a model that learns from them on the spot
    #[arg(long, conflicts_with = "model")]
    pub demo: bool,
    /// The port to listen at [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// The address to listen at; any but the default lets other machines in that know the token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Do not open the page in a browser
    #[arg(long)]
    pub no_open: bool,
    /// The seed of all chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}
