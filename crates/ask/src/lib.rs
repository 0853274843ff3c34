//! One interface to every model, local or remote, for every task: a [`Respondent`] is asked about samples and gives
//! a [`Response`] to each.
//!
//! [`open`] takes a directory or an address (`http://`, `https://`, `process:COMMAND`). Evaluations, repairs, attacks and
//! the explorer see models through this crate; a caller with a model of its own implements [`Respondent`].

mod local;
mod remote;
mod shown;

use std::fmt;
use std::path::{Path, PathBuf};

use fissure_core::Sample;
use fissure_models::WhiteBox;
use fissure_models::remote::{RemoteOptions, is_remote};
use fissure_tasks::Task;
use serde::{Deserialize, Serialize};

pub use fissure_tasks::Response;
pub use local::{
    CALIBRATION, LocalClassifier, checksum, hex, input, open_local, uncalibrated_checksum, weights_checksum,
};
pub use remote::{RemoteRespondent, Unasked};
pub use shown::{Sees, Shown};

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a model cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Model(#[from] fissure_models::Error),
    #[error(
        "models of Fissure do not answer the task `{task}`; give an http(s):// or process: model, or one of the tasks \
         {known}"
    )]
    NoModelForTask { task: &'static str, known: String },
    #[error("cannot read {}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
}

/// What a model says about itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelAbout {
    pub name: String,
    /// SHA-256 of its files; absent for models behind an address.
    pub checksum: Option<String>,
    /// The same without the calibration that `fissure repair calibrate` leaves beside it: two that share it are one model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncalibrated: Option<String>,
    pub labels: Vec<String>,
    /// What the model calls its labels, where that was given: (label, its name for it).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub label_names: Vec<(String, String)>,
    pub probabilities: bool,
    pub gradients: bool,
}

impl ModelAbout {
    /// Whether a directory holds this model, calibrated or not.
    pub fn is_in(&self, directory: &Path) -> Result<bool> {
        match (&self.uncalibrated, &self.checksum) {
            (Some(then), _) => Ok(*then == uncalibrated_checksum(directory)?),
            // Of an earlier version.
            (None, Some(then)) => Ok(*then == checksum(directory)? || *then == uncalibrated_checksum(directory)?),
            (None, None) => Ok(false),
        }
    }
}

/// Opens the model called `name`, a directory or an address, for a task.
pub fn open(name: &str, task: &'static Task, options: &RemoteOptions) -> Result<Box<dyn Respondent>> {
    if is_remote(name) {
        return Ok(Box::new(RemoteRespondent::open(name, task, options)?));
    }
    open_local(name, Path::new(name), task)
}

/// A model that can be asked: one of ours, an endpoint, a program, a function of the caller.
pub trait Respondent: fmt::Debug + Send + Sync {
    fn about(&self) -> &ModelAbout;

    /// Answers in the order of the samples. A sample that cannot be answered gets the reason; an error means that the
    /// model is gone, and ends the run, which can be resumed. A response depends on its own sample alone.
    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Unavailable>;

    /// The model with its gradients; `None` if it gives none.
    fn inside(&self) -> Option<&dyn WhiteBox> {
        None
    }
}

/// The model can no longer be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable(pub String);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}
