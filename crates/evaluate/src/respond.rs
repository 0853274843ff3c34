//! How a run sees a model, whatever its task and wherever it lives.

mod remote;

use std::fmt;

use fissure_core::Sample;
use serde::{Deserialize, Serialize};

pub use remote::RemoteRespondent;

use crate::ModelAbout;

/// What a model says about one sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// The class of the sample (classification, sa, nli, sm, re).
    Class {
        label: String,
        /// In the order of [`ModelAbout::labels`]; absent where the model gives labels only.
        #[serde(skip_serializing_if = "Option::is_none")]
        log_probs: Option<Vec<f32>>,
    },
    /// One label for each mark that the task labels, in their order: tokens (ner, pos), characters (cws), aspects (absa).
    Tags(Vec<String>),
    /// The text of the answer (mrc); `None` says that there is none.
    Answer(Option<String>),
    /// For each token the number of its head, counted from 1, 0 for the root, and the relation (dp).
    Tree(Vec<(usize, String)>),
    /// Clusters of mentions, each by its first and last token, counted over the document from 0 (coref).
    Clusters(Vec<Vec<(usize, usize)>>),
}

/// Somebody who answers: a model of ours, an endpoint, a program.
pub trait Respondent: fmt::Debug + Send + Sync {
    fn about(&self) -> &ModelAbout;

    /// Answers in the order of the samples. A sample that cannot be answered gets the reason; an error means that the
    /// model is gone, and ends the run, which can be resumed. A response depends on its own sample alone.
    fn respond(&self, samples: &[&Sample]) -> Result<Vec<Result<Response, String>>, Gone>;
}

/// The model can no longer be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone(pub String);

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Gone {}
