//! Errors of calibration, mitigation and augmentation.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Core(#[from] fissure_core::Error),
    #[error(transparent)]
    Model(#[from] fissure_models::Error),
    #[error(transparent)]
    Attack(#[from] fissure_attacks::Error),
    #[error(transparent)]
    Geometry(#[from] fissure_geometry::Error),
    #[error(transparent)]
    Phrases(#[from] fissure_translate::Error),
    #[error("the model gives labels without probabilities, and {what} needs them; serve log-probabilities too")]
    NoProbabilities { what: &'static str },
    #[error("{found} samples with a known label are too few for {what}: give at least {needed}")]
    TooFew { what: &'static str, found: usize, needed: usize },
    #[error(
        "no part of the run made the answers worse, so there is nothing to augment with; name parts with --parts, or \
         evaluate with more of them"
    )]
    NothingHurts,
    #[error(
        "after `{chain}` the label of a text is {expectation} here, and copies for training keep the label: a model would learn \
         the error. Choose parts that keep labels"
    )]
    LabelNotKept { chain: String, expectation: &'static str },
    #[error("the label `invalid` is used by the data; rename it there: the extra class has that name")]
    InvalidIsTaken,
    #[error("none of the destroyers {names} changed a training text; give texts of two words or more")]
    NothingDestroyed { names: String },
    #[error("cannot write a model to the folder of temporary files: {source}; set TMPDIR to another")]
    NoRoom { source: std::io::Error },
    #[error("cannot {action} {}: {source}; check the path and its permissions", path.display())]
    Io { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("{} is not a calibration that Fissure wrote: {why}; make it again with `fissure repair calibrate`", path.display())]
    NotACalibration { path: PathBuf, why: String },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
