//! The words of `fissure evaluate`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use fissure_evaluate::Shard;

use crate::args::{Help, Importance, Labels, OnBadRow, Remote, task_name};

#[derive(Debug, ClapArgs)]
pub struct Evaluate {
    /// The model: a directory with config.json and model.safetensors, hf:owner/name, http(s)://... or process:COMMAND
    #[arg(long, value_name = "MODEL", required_unless_present_any = ["config", "resume"])]
    pub model: Option<String>,
    /// The data: files, `-` for standard input, or hf:owner/name
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present_any = ["config", "resume"])]
    pub data: Vec<String>,
    /// The task, which says what the columns mean: see `fissure list tasks` [default: classification]
    #[arg(long, value_name = "TASK", value_parser = task_name)]
    pub task: Option<String>,
    /// Which column is what, where the names are not the usual ones: text=body,label=stars
    #[arg(long, value_name = "FIELD=COLUMN,...", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// The column that names a sample, or `content` for its texts [default: a column called `id`, else the texts]
    #[arg(long, value_name = "COLUMN|content")]
    pub id: Option<String>,
    /// The format of the data [default: by the file's ending, else by its content]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    #[command(flatten)]
    pub map: Labels,
    /// Which fields may be edited [default: as the task says]
    #[arg(long, value_name = "FIELD,...", value_delimiter = ',')]
    pub fields: Vec<String>,
    /// What to do with a row that cannot be read [default: stop]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub on_bad_row: Option<OnBadRow>,
    /// Read at most N samples
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// A named suite: default, quick, universal, typos, word-salad, bias; several with commas between them
    #[arg(long, value_name = "SUITE")]
    pub suite: Option<String>,
    /// A TOML file that says everything: model, data, task, seed, suite or chains, slices, knobs; flags win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Set a knob for every part that has it, or part.knob=value for one; may be repeated
    #[arg(long, value_name = "KNOB=VALUE")]
    pub set: Vec<String>,
    /// How many changed forms to make of each sample with each part [default: 1]
    #[arg(long, value_name = "N")]
    pub variants: Option<usize>,
    /// How the model says which words carry its answer [default: grad_dot_emb if gradients are available,
    /// otherwise leave_one_out]
    #[arg(long, value_enum, value_name = "HOW")]
    pub importance: Option<Importance>,
    #[command(flatten)]
    pub help: Help,
    /// Only the samples that a condition holds for: `label == "pos" and length > 20`
    #[arg(long = "where", value_name = "CONDITION")]
    pub condition: Option<String>,
    /// Keep only changes that a validator finds good enough: `similarity>=0.8`; may be repeated
    #[arg(long, value_name = "VALIDATOR>=NUMBER")]
    pub keep: Vec<String>,
    /// Random seed [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub remote: Remote,
    /// The directory of the run [default: a new one in fissure-runs]
    #[arg(long, short, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Print what would be run, what could not be, how many questions that takes, and for chats an estimate of the tokens
    /// and the cost (--price). The model is not asked, and no program is started
    #[arg(long)]
    pub dry_run: bool,
    /// Run only piece K of N, every N-th sample: `fissure merge` puts the pieces of all machines together
    #[arg(long, value_name = "K/N", conflicts_with = "resume")]
    pub shard: Option<Shard>,
    /// Go on with a run that was stopped; `--model` gives the address again where a part of it was not kept
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["data", "task", "columns", "id", "format", "fields", "on_bad_row", "limit", "suite",
                              "config", "set", "variants", "importance", "language_model", "translator", "encoder", "train", "donors", "senses",
                              "phrases", "vectors", "condition", "keep", "seed", "dry_run", "api", "api_model",
                              "labels", "label_map", "label_names", "prompt", "body"]
    )]
    pub resume: Option<PathBuf>,
}
