//! What is wrong with a row, or with what a user says about its columns.

use std::fmt;
use std::sync::Arc;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("`--columns {given}`: {why}")]
    Columns { given: String, why: String },
    #[error(transparent)]
    Unknown(#[from] fissure_core::Error),
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What is wrong with one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The column, where one is to blame.
    pub column: Option<Arc<str>>,
    pub why: String,
    /// The offending value, shortened; empty if there is none to show.
    pub value: String,
    /// Whether the row lacks the columns its task needs.
    pub of_columns: bool,
}

impl Fault {
    /// Something is wrong with the row as a whole.
    pub fn new(why: impl Into<String>) -> Self {
        Self { column: None, why: why.into(), value: String::new(), of_columns: false }
    }

    /// The value of `column` is wrong.
    pub fn at(column: impl Into<Arc<str>>, why: impl Into<String>, value: impl fmt::Display) -> Self {
        Self { column: Some(column.into()), value: shorten(&value.to_string()), ..Self::new(why) }
    }

    /// Shows the offending value.
    pub fn showing(self, value: &str) -> Self {
        Self { value: shorten(value), ..self }
    }

    /// The row lacks columns its task needs.
    pub fn columns(why: String) -> Self {
        Self { of_columns: true, ..Self::new(why) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(column) = &self.column {
            write!(f, "column `{}`: ", shorten(column))?;
        }
        f.write_str(&self.why)?;
        if !self.value.is_empty() {
            write!(f, ": `{}`", self.value)?;
        }
        Ok(())
    }
}

/// At most 60 characters of a value, on one line: enough to find it again.
pub fn shorten(value: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = value.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if value.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}
