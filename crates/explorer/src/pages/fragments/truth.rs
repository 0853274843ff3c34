//! What the model really says to some texts.

use fissure_geometry::Confidence;
use serde::{Deserialize, Serialize};

use super::known;
use crate::error::Problem;
use crate::look::Draft;
use crate::pages::probability;
use crate::session::Session;
use crate::watch::Visit;

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
pub struct Told {
    pub answer: String,
    pub probability: String,
    /// Of the class that is predicted now: what was foretold.
    pub of_now: String,
    pub turns: bool,
}

pub fn truth(session: &Session, visit: &Visit<'_>, asked: &Truth) -> Result<Vec<Told>, Problem> {
    let model = known(session, asked.model)?;
    if asked.drafts.len() > ASKED {
        return Err(Problem::bad(format!("More than {ASKED} texts in one question.")));
    }
    if asked.predicted >= session.labels(model).len() {
        return Err(Problem::not_found("such class"));
    }
    let told = |confidence: &Confidence| Told {
        answer: session.labels(model)[confidence.predicted].clone(),
        probability: probability(confidence.probability(confidence.predicted)),
        of_now: probability(confidence.probability(asked.predicted)),
        turns: confidence.predicted != asked.predicted,
    };
    Ok(session.truth(visit, model, &asked.drafts)?.iter().map(told).collect())
}
