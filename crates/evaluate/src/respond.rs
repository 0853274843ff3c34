//! How a run sees a model, whatever its task and wherever it lives.

mod local;
mod remote;

use std::fmt;

use fissure_core::Sample;
use fissure_models::WhiteBox;
use serde::{Deserialize, Serialize};

pub(crate) use local::hex;
pub use local::{LocalClassifier, checksum, input, open_local};
pub use remote::{RemoteRespondent, Unasked, question};

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

    /// The model's inside, where it can be seen.
    fn inside(&self) -> Option<&dyn WhiteBox> {
        None
    }
}

impl Response {
    /// The answer in a word, for people; a long one is shortened.
    pub fn shown(&self) -> String {
        match self {
            Self::Class { label, .. } => label.clone(),
            Self::Tags(tags) => tags.join(" "),
            Self::Answer(Some(text)) => text.clone(),
            Self::Answer(None) => "(no answer)".into(),
            Self::Tree(heads) => {
                heads.iter().map(|(head, relation)| format!("{head}:{relation}")).collect::<Vec<_>>().join(" ")
            }
            Self::Clusters(clusters) if clusters.len() == 1 => "1 cluster".into(),
            Self::Clusters(clusters) => format!("{} clusters", clusters.len()),
        }
    }

    /// The probability of the answer given, where the model says it.
    pub fn confidence(&self) -> Option<f64> {
        let Self::Class { log_probs: Some(log_probs), .. } = self else { return None };
        let best = log_probs.iter().copied().max_by(f32::total_cmp)?;
        Some(f64::from(best).exp().min(1.0))
    }

    /// How undecided the model is, in nats.
    pub fn entropy(&self) -> Option<f64> {
        let Self::Class { log_probs: Some(log_probs), .. } = self else { return None };
        let term = |log: &f32| -f64::from(*log).exp() * f64::from(*log);
        Some(log_probs.iter().map(term).filter(|term| term.is_finite()).sum())
    }

    /// Whether both say the same, however sure they are of it.
    pub fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Class { label: a, .. }, Self::Class { label: b, .. }) => a == b,
            (a, b) => a == b,
        }
    }
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
