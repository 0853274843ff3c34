//! The arguments of `fissure explore`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use fissure_settings::{DataSource, LabelMapping as Labels};

use crate::args::Remote;

#[derive(Debug, Clone, ClapArgs)]
pub struct Explore {
    /// The directory of a run of `fissure evaluate`: its answers and scores are read from it, and the model is opened when
    /// it is first asked
    #[arg(value_name = "RUN", conflicts_with_all = ["model", "demo", "data"])]
    pub run: Option<PathBuf>,
    /// The model: a directory with config.json and model.safetensors, http(s)://..., or process:COMMAND; give several to
    /// compare them. Without one, the built-in reviews and a model that is trained on them on the spot
    #[arg(long, value_name = "MODEL", requires = "data")]
    pub model: Vec<String>,
    #[command(flatten)]
    pub remote: Remote,
    #[command(flatten)]
    pub data: DataSource,
    #[command(flatten)]
    pub labels: Labels,
    /// Revised texts (contrast sets, counterfactuals): a file like the data, matched by id or row by row
    #[arg(long, value_name = "FILE", requires = "model")]
    pub pairs: Option<String>,
    /// If originals and revisions are in one file: the column whose value they share
    #[arg(long, value_name = "COLUMN", requires = "model", conflicts_with = "pairs")]
    pub pairs_by: Option<String>,
    /// A run of `fissure attack` on the same data: the page of a text that broke shows how, step by step
    #[arg(long, value_name = "RUN")]
    pub attacks: Option<PathBuf>,
    /// The built-in reviews and a model that learns from them on the spot
    #[arg(long, conflicts_with_all = ["model", "data"])]
    pub demo: bool,
    /// Save the basket in this file, starting from what it holds (.jsonl or .csv) [default: not saved]
    #[arg(long, value_name = "FILE")]
    pub basket: Option<PathBuf>,
    /// The port to listen on [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// The address to listen on; any but the default admits other machines that know the token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Do not open the page in a browser
    #[arg(long)]
    pub no_open: bool,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}
