//! The words of `fissure generate`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use fissure_settings::{ChangeOptions, ResourceFiles};

use crate::args::{Data, GoOn};

#[derive(Debug, Clone, ClapArgs)]
pub struct Generate {
    /// Which transformations: task (those made for the task), universal, all, pairs, typos, bias, ...
    #[arg(long, value_name = "SUITE", default_value = "task")]
    pub suite: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub changes: ChangeOptions,
    /// The ending of the files, which gives their format [default: that of the data]
    #[arg(long, value_name = "ENDING")]
    pub ending: Option<String>,
    /// A model that says which words carry its answer
    #[arg(long, value_name = "DIR")]
    pub model: Option<String>,
    #[command(flatten)]
    pub resources: ResourceFiles,
    /// The folder to write to: NAME.*, ori_NAME.* and manifest.json
    #[arg(long, short, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub go_on: GoOn,
}
