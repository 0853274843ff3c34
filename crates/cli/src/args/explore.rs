//! The words of `fissure explore`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::args::{Data, Labels, OnBadRow, Remote, task_name};

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
    /// The data: files, or hf:owner/name
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "demo")]
    pub data: Vec<String>,
    /// The task, which says what the columns mean: see `fissure list tasks`
    #[arg(long, value_name = "TASK", default_value = "classification", value_parser = task_name)]
    pub task: String,
    /// Which column is what, where the names are not the usual ones: text=body,label=stars
    #[arg(long, value_name = "FIELD=COLUMN,...", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// The column that names a sample, or `content` for its texts [default: a column called `id`, else the texts]
    #[arg(long, value_name = "COLUMN|content")]
    pub id: Option<String>,
    /// The format of the data [default: by the file's ending, else by its content]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// Which fields may be edited [default: as the task says]
    #[arg(long, value_name = "FIELD,...", value_delimiter = ',')]
    pub fields: Vec<String>,
    /// What to do with a row that cannot be read
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = OnBadRow::Stop)]
    pub on_bad_row: OnBadRow,
    /// Read at most N samples
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    #[command(flatten)]
    pub labels: Labels,
    /// Revised texts (contrast sets, counterfactuals): a file like the data, matched by id or row by row
    #[arg(long, value_name = "FILE", requires = "model")]
    pub pairs: Option<String>,
    /// Where originals and revisions are in one file: the column whose value they share
    #[arg(long, value_name = "COLUMN", requires = "model", conflicts_with = "pairs")]
    pub pairs_by: Option<String>,
    /// The built-in reviews and a model that learns from them on the spot
    #[arg(long, conflicts_with = "model")]
    pub demo: bool,
    /// Keep the basket in this file, and take up what it holds (.jsonl or .csv) [default: it ends with the program]
    #[arg(long, value_name = "FILE")]
    pub basket: Option<PathBuf>,
    /// The port to listen at [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// The address to listen at; any but the default lets other machines in that know the token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Do not open the page in a browser
    #[arg(long)]
    pub no_open: bool,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl Explore {
    /// The data as every other command reads them.
    pub fn reading(&self) -> Data {
        Data {
            data: self.data.clone(),
            task: self.task.clone(),
            columns: self.columns.clone(),
            id: self.id.clone(),
            format: self.format.clone(),
            fields: self.fields.clone(),
            on_bad_row: self.on_bad_row,
            limit: self.limit,
        }
    }
}
