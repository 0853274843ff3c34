//! Where samples come from; the same for every command that reads data.

use std::convert::Infallible;

use clap::{Args as ClapArgs, ValueEnum};

/// The name of a task, whatever the user calls it; a name that no task has is refused later, with the nearest ones.
pub fn task_name(name: &str) -> Result<String, Infallible> {
    let found = fissure_tasks::find(name).or_else(|_| fissure_tasks::find(&name.replace('-', "_")));
    Ok(found.map_or_else(|_| name.to_owned(), |layout| layout.card.name.to_owned()))
}

/// Where samples come from; the same for every command that reads data.
#[derive(Debug, Clone, ClapArgs)]
pub struct Data {
    /// The data: files, `-` for standard input, or hf:owner/name
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
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
}

impl Data {
    /// Other files, read the same way.
    pub fn with(self, files: &[String]) -> Self {
        Self { data: files.to_vec(), ..self }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnBadRow {
    /// End with an error that names the row
    Stop,
    /// Leave the row out, and count it
    Skip,
}
