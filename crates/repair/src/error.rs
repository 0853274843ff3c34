//! What can go wrong in the clinic.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Core(#[from] fissure_core::Error),
    #[error(transparent)]
    Model(#[from] fissure_models::Error),
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
    #[error("the label `invalid` is taken by the data; rename it there, as the extra class is called so")]
    InvalidIsTaken,
    #[error("none of the destroyers {names} changed a training text; give texts of two words or more")]
    NothingDestroyed { names: String },
    #[error("there is no room for a model in the folder of temporary files: {source}; set TMPDIR to another")]
    NoRoom { source: std::io::Error },
    #[error("cannot {action} {}: {source}; check the path and its permissions", path.display())]
    Io { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("{} is not a calibration that Fissure wrote: {why}; make it again with `fissure repair calibrate`", path.display())]
    NotACalibration { path: PathBuf, why: String },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
