//! The arguments of `fissure slice`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::args::{Data, GoOn};

#[derive(Debug, Clone, ClapArgs)]
pub struct Slice {
    /// The slice: see `fissure list slices`
    pub name: String,
    #[command(flatten)]
    pub data: Data,
    /// Set a knob: knob=value; may be repeated
    #[arg(long, value_name = "KNOB=VALUE")]
    pub set: Vec<String>,
    /// Only samples that meet a condition, before the slice is cut: `label == "pos" and length > 20`
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    /// Where to write the samples of the slice [default: standard output]; the ending says the format, and .gz and .zst
    /// are compressed
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub go_on: GoOn,
}
