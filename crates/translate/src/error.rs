//! What can go wrong: each error names the file or label, and the next step.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no labelled text to learn phrases from; give a training file with texts and labels")]
    NothingToLearn,
    #[error("cannot {action} {}: {source}; check the path and its permissions", path.display())]
    Io { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("{} is not a file of phrases, or of another version of Fissure; learn them again with --train FILE", path.display())]
    NotPhrases { path: PathBuf },
    #[error("{} is damaged ({why}); copy it again, or learn the phrases again with --train FILE", path.display())]
    Damaged { path: PathBuf, why: String },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
