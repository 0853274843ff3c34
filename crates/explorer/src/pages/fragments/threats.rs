//! The changes that threaten an answer, each with the words that would do it.

use maud::{Markup, html};
use serde::Deserialize;

use super::known;
use crate::cancel::Visit;
use crate::error::Problem;
use crate::inspection::Draft;
use crate::pages::{NEEDS_GRADIENTS, probability};
use crate::session::Session;

/// What is asked.
#[derive(Debug, Deserialize)]
pub struct Threatened {
    pub example: usize,
    #[serde(default)]
    pub model: usize,
    #[serde(flatten)]
    pub draft: Draft,
}

/// Below this probability a change is counted and not shown.
const SHOWN: f64 = 0.001;

pub fn threats(session: &Session, visit: &Visit<'_>, asked: &Threatened) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let Some(found) = session.threats(visit, model, asked.example, &asked.draft)? else {
        return Ok(html! { p.empty { (NEEDS_GRADIENTS) } });
    };
    let (shown, harmless): (Vec<_>, Vec<_>) = found.iter().partition(|(_, part)| part.forecast.probability >= SHOWN);
    Ok(html! {
        @if shown.is_empty() { p.empty { "None of the changes is likely to flip this answer." } }
        @else { table.along.threats {
            thead { tr {
                th scope="col" { "change" } th.number scope="col" { "flips with" }
                th.number.spare scope="col" title="What the margin of the answer alone would say" { "by margin" }
                th scope="col" { "words that would do most" }
            } }
            tbody { @for (name, part) in &shown { tr {
                td { (name) }
                td.number { (probability(part.forecast.probability)) }
                td.number.spare { (probability(part.baseline)) }
                td { @for threat in &part.threats {
                    button.put type="button" data-field=(threat.field) data-start=(threat.start) data-end=(threat.end)
                        data-with=(threat.new) { s { (threat.old) } " → " b { (threat.new) } }
                    " "
                } }
            } } }
        } }
        @if !harmless.is_empty() {
            p.note { "Below 0.1 %: " (harmless.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")) "." }
        }
    })
}
