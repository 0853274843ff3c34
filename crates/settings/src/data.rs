//! Where samples come from, and what their labels mean.

use std::convert::Infallible;
use std::fs;

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use fissure_core::Language;
use fissure_tasks::Task;
use serde::{Deserialize, Serialize};

use crate::setting::settings;

settings! {
    /// Where samples come from.
    pub struct DataSource {
        /// The data: files, `-` for standard input, or hf:owner/name
        #[arg(long = "data", id = "data", value_name = "FILE", num_args = 1..)]
        #[serde(rename = "data")]
        pub files: Vec<String>,
        /// The task, which says what the columns mean: see `fissure list tasks` [default: classification]
        #[arg(long, value_name = "TASK", value_parser = task_name)]
        pub task: Option<String>,
        /// Which column is what, if the names are not the usual ones: text=body,label=stars
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
        /// The language of the texts: en, zh, ja, ...; `any` for parts of every language [default: each text by its letters]
        #[arg(long, value_name = "LANGUAGE", value_parser = language)]
        pub language: Option<Language>,
        /// What to do with a row that cannot be read [default: stop]
        #[arg(long, value_enum, value_name = "WHAT")]
        pub on_bad_row: Option<OnBadRow>,
        /// What the number -1 means as a label [default: none]
        #[arg(long, value_enum, value_name = "WHAT")]
        pub minus_one: Option<MinusOne>,
        /// Read at most N samples
        #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
        pub limit: Option<usize>,
    }
}

settings! {
    /// What labels of the data mean to a model.
    pub struct LabelMapping {
        /// What labels of the data mean to the model, if names and numbers are not enough: 1=World,2=Sports. `1=` leaves
        /// samples with the label 1 out of the score
        #[arg(long, value_name = "LABEL=MODEL_LABEL,...")]
        pub label_map: Vec<String>,
    }
}

/// What to do with a row that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnBadRow {
    /// End with an error that names the row
    #[default]
    Stop,
    /// Leave the row out, and count it
    Skip,
}

/// What the number -1 means as a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MinusOne {
    /// The row has no label, as in the usual data sets
    #[default]
    None,
    /// A label like any other
    Label,
}

impl DataSource {
    /// The name of the task, `classification` unless said.
    pub fn task_name(&self) -> &str {
        self.task.as_deref().unwrap_or("classification")
    }

    /// The task; an error if there is none of that name.
    pub fn task(&self) -> fissure_tasks::Result<&'static Task> {
        fissure_tasks::find(self.task_name())
    }

    /// Whether the number -1 is a label like any other.
    pub fn minus_one_is_label(&self) -> bool {
        self.minus_one == Some(MinusOne::Label)
    }

    /// Other files, read the same way and as a whole.
    #[must_use]
    pub fn with(&self, files: &[String]) -> Self {
        Self { files: files.to_vec(), ..self.unlimited() }
    }

    /// Whether parts may edit the field of this name.
    pub fn may_edit(&self, field: &str) -> bool {
        if !self.fields.is_empty() {
            return self.fields.iter().any(|open| open == field);
        }
        let Ok(task) = fissure_tasks::find(self.task_name()) else { return true };
        // Data may name a field otherwise; one that the task does not know is a text like any other.
        task.roles.iter().find(|role| role.name == field).is_none_or(|role| role.open != Some(false))
    }

    /// The same without a limit.
    #[must_use]
    pub fn unlimited(&self) -> Self {
        Self { limit: None, ..self.clone() }
    }

    /// Whether standard input or a pipe is among the files; they can be read only once.
    pub fn is_input(&self) -> bool {
        self.files.iter().any(|name| comes_once(name))
    }
}

/// The language of a short name.
pub fn language(code: &str) -> Result<Language, String> {
    let known = || Language::ALL.iter().map(|language| language.code()).collect::<Vec<_>>().join(", ");
    Language::find(code).ok_or_else(|| format!("the languages are {}", known()))
}

/// Whether this is standard input, a pipe or a device: what is read from it is gone.
pub fn comes_once(name: &str) -> bool {
    name == "-" || fs::metadata(name).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The name of a task, whatever the user calls it; a name that no task has is refused later, with the nearest ones.
pub fn task_name(name: &str) -> Result<String, Infallible> {
    let found = fissure_tasks::find(name).or_else(|_| fissure_tasks::find(&name.replace('-', "_")));
    Ok(found.map_or_else(|_| name.to_owned(), |task| task.card.name.to_owned()))
}
