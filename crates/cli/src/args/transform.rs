//! The words of `fissure transform`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, value_parser};

use crate::args::{Data, GoOn, Lent};

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
    pub lent: Lent,
    /// Set a knob: knob=value, or part.knob=value in a chain; may be repeated
    #[arg(long, value_name = "KNOB=VALUE")]
    pub set: Vec<String>,
    /// A TOML file with a seed and knobs: `[knobs.typos] rate = 0.3`; --set and --seed win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Only the samples that a condition holds for: `label == "pos" and length > 20`
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    /// Keep only changes that a validator finds good enough: `edit_distance>=0.7`; may be repeated
    #[arg(long, value_name = "VALIDATOR>=NUMBER")]
    pub keep: Vec<String>,
    /// Random seed [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How many different outcomes to make of each sample
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1000))]
    pub variants: u32,
    /// Write only the samples that were changed
    #[arg(long)]
    pub only_changed: bool,
    /// Where to write [default: standard output]. JSON lines tell status and trail; another ending (.csv, .conllu, ...)
    /// gives the changed data set itself in that format; .gz and .zst are compressed
    #[arg(long, short, value_name = "FILE|DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub go_on: GoOn,
}
