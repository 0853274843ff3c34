//! The text as it is now, as one model sees it: first its answer, which comes at once, then all that can be measured.

use maud::{Markup, html};
use serde::Deserialize;

use super::heatmap::{painted, word_numbers};
use super::known;
use super::numbers::{classes, numbers};
use crate::basket::draft_of;
use crate::cancel::Visit;
use crate::error::Problem;
use crate::inspection::{Draft, Heat};
use crate::session::Session;

/// What is asked.
#[derive(Debug, Deserialize)]
pub struct View {
    pub example: usize,
    #[serde(default)]
    pub model: usize,
    #[serde(default)]
    pub heat: Heat,
    #[serde(flatten)]
    pub draft: Draft,
}

impl View {
    /// The text as it was at first.
    fn original(&self, session: &Session) -> Result<Draft, Problem> {
        session.setup.samples.get(self.example).map(draft_of).ok_or_else(|| Problem::not_found("such example"))
    }
}

/// What the model says: one pass, so that it keeps up with typing.
pub fn answer(session: &Session, visit: &Visit<'_>, asked: &View) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let said = session.truth(visit, model, &[asked.draft.clone(), asked.original(session)?])?;
    Ok(classes(session.labels(model), said[0].predicted, &said[0].log_probs, Some(&said[1].log_probs)))
}

/// Everything about the text.
pub fn view(session: &Session, visit: &Visit<'_>, asked: &View) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let before = asked.original(session)?;
    let id = &session.setup.samples[asked.example].id;
    let now = session.look(visit, model, id, &asked.draft)?;
    session.warm(visit, model, &asked.draft, &now, asked.heat)?;
    let was = if before == asked.draft { None } else { Some(session.look(visit, model, id, &before)?) };
    let turned = was.as_ref().filter(|was| was.row.predicted != now.row.predicted);
    let predicted = session.labels(model).iter().position(|label| *label == now.row.predicted).unwrap_or(0);
    Ok(html! {
        div.seen data-predicted=(predicted) data-turned=(turned.is_some()) data-answer=(now.row.predicted) {
            @if session.setup.subjects.len() > 1 { h2 { (session.setup.subjects[model].name) } }
            @if let Some(was) = turned {
                div.flipped {
                    span.burst aria-hidden="true" { "✦" }
                    p { b { "The answer flipped" } ": " (was.row.predicted) " → " b { (now.row.predicted) } }
                    div.actions {
                        button.strong type="button" data-do="keep" { "Keep it" }
                        button type="button" data-do="undo" { "Undo" }
                    }
                }
            }
            (painted(model, &asked.draft, &now, asked.heat))
            (numbers(session, model, asked.example, &now, was.as_deref()))
            (word_numbers(&asked.draft, &now))
        }
    })
}
