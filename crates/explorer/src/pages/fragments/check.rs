//! The answers of the model to edited texts.

use fissure_geometry::Confidence;
use serde::{Deserialize, Serialize};

use super::known;
use crate::cancel::Visit;
use crate::error::Problem;
use crate::inspection::Draft;
use crate::pages::probability;
use crate::session::Session;

/// The most texts in one question.
const ASKED: usize = 200;

/// What is asked.
#[derive(Debug, Deserialize)]
pub struct Truth {
    #[serde(default)]
    pub model: usize,
    /// The class that is predicted now.
    pub predicted: usize,
    pub drafts: Vec<Draft>,
}

#[derive(Debug, Serialize)]
pub struct Checked {
    pub answer: String,
    pub probability: String,
    /// The probability of the class that is predicted now.
    pub of_now: String,
    pub turns: bool,
}

pub fn truth(session: &Session, visit: &Visit<'_>, asked: &Truth) -> Result<Vec<Checked>, Problem> {
    let model = known(session, asked.model)?;
    if asked.drafts.len() > ASKED {
        return Err(Problem::bad(format!("More than {ASKED} texts in one question.")));
    }
    if asked.predicted >= session.labels(model).len() {
        return Err(Problem::not_found("such class"));
    }
    let checked = |confidence: &Confidence| Checked {
        answer: session.labels(model)[confidence.predicted].clone(),
        probability: probability(confidence.probability(confidence.predicted)),
        of_now: probability(confidence.probability(asked.predicted)),
        turns: confidence.predicted != asked.predicted,
    };
    Ok(session.truth(visit, model, &asked.drafts)?.iter().map(checked).collect())
}
