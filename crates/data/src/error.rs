//! Errors of a user's files: each error names the file, the line, the column, the value and the next step.

use std::fmt;
use std::sync::Arc;

use fissure_tasks::Fault;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot open `{file}`: {why}")]
    Open { file: Arc<str>, why: std::io::Error },
    #[error("`{file}` ends unexpectedly after {rows} rows: {why}. The rest of it cannot be read; get the file again")]
    Broken { file: Arc<str>, rows: u64, why: std::io::Error },
    #[error("`{file}` cannot be read as {format}: {why}")]
    Unreadable { file: Arc<str>, format: &'static str, why: String },
    #[error(
        "`{file}` is in UTF-16, not UTF-8. Convert it, for instance with `iconv -f UTF-16 -t UTF-8`, and read that file"
    )]
    Utf16 { file: Arc<str> },
    #[error("`{file}`: {why}")]
    Columns { file: Arc<str>, why: String },
    #[error("{0}. To skip such rows: `--on-bad-row skip`")]
    BadRow(BadRow),
    #[error(transparent)]
    Task(#[from] fissure_tasks::Error),
    #[error("task `{task}` has no field `{field}`{nearest}; its fields are `{known}`")]
    Field { task: &'static str, field: String, nearest: String, known: String },
    #[error("cannot write `{file}`: {why}")]
    Write { file: Arc<str>, why: std::io::Error },
    #[error("`{file}` exists already. Give another name, or --force to replace it")]
    Exists { file: Arc<str> },
    #[error(
        "`{folder}` holds other files than those of a model, such as `{file}`, so it is not replaced. Give another name"
    )]
    OtherFiles { folder: Arc<str>, file: String },
    #[error("`{output}` cannot be written: it is the input `{input}`. Give the output another name")]
    OutputIsInput { output: Arc<str>, input: Arc<str> },
    #[error("two outputs go to the same file, `{one}` and `{other}`. Give them different names")]
    TwoOutputs { one: Arc<str>, other: Arc<str> },
    #[error("another process is writing `{file}` (so far as `{draft}`). Wait for it, or give another name")]
    Busy { file: Arc<str>, draft: Arc<str> },
    #[error(
        "`{file}` would be written as `{draft}` first, which exists and may not be Fissure's. Move it away, or give another name"
    )]
    Foreign { file: Arc<str>, draft: Arc<str> },
    #[error("another process has written `{file}` meanwhile. It is left as it is; the new one is whole in `{kept}`")]
    Appeared { file: Arc<str>, kept: Arc<str> },
    #[error(
        "`{file}` was started and stopped after {samples} samples, which are kept in `{kept}`. Add --resume to continue, or \
         --force to start over"
    )]
    Kept { file: Arc<str>, samples: u64, kept: Arc<str> },
    #[error("`{kept}`, the beginning of `{file}`, is damaged. Start over with --force")]
    KeptDamaged { file: Arc<str>, kept: Arc<str> },
    #[error("sample `{id}` cannot be written as {format}: {why}")]
    Unwritable { id: String, format: &'static str, why: String },
    #[error(transparent)]
    Unknown(#[from] fissure_core::Error),
}

/// A row that could not be used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    pub file: Arc<str>,
    /// The line on which the row starts, counted from 1; 0 if the format has no lines.
    pub line: u64,
    /// The running number of the row over all files, counted from 0.
    pub number: u64,
    pub fault: Fault,
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}, row {}: {}", self.file, self.number, self.fault),
            line => write!(f, "{}, line {line}: {}", self.file, self.fault),
        }
    }
}
