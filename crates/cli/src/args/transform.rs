//! The arguments of `fissure transform`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use fissure_settings::{ChangeOptions, ResourceFiles};

use crate::args::{Data, GoOn};

#[derive(Debug, Clone, ClapArgs)]
pub struct Transform {
    /// One transformation, a chain (NAME+NAME), or several for a folder (NAME,NAME)
    #[arg(value_name = "NAME", required_unless_present = "suite", conflicts_with = "suite")]
    pub names: Option<String>,
    /// All transformations of a suite that serve the task, each into a file in the folder --out: default, quick,
    /// universal, typos, word-salad, bias
    #[arg(long, value_name = "SUITE")]
    pub suite: Option<String>,
    /// For a folder: the ending of its files, which gives their format
    #[arg(long, value_name = "ENDING", default_value = "jsonl")]
    pub ending: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub changes: ChangeOptions,
    /// A TOML file with any of these settings and with knobs: `[knobs.typos] rate = 0.3`; flags win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A model that says which words carry its answer: drop, repeat, replace and copy_one need one
    #[arg(long, value_name = "DIR")]
    pub model: Option<String>,
    #[command(flatten)]
    pub resources: ResourceFiles,
    /// Write only the samples that were changed
    #[arg(long)]
    pub only_changed: bool,
    /// Where to write [default: standard output]. JSON lines have a status and the trail; another ending (.csv, .conllu, ...)
    /// gives the changed data set itself in that format; .gz and .zst are compressed
    #[arg(long, short, value_name = "FILE|DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub go_on: GoOn,
}
