//! The substitutions farthest along e_max, tested on the model.

use fissure_core::Language;
use maud::{Markup, html};
use serde::Deserialize;

use super::known;
use crate::cancel::Visit;
use crate::error::Problem;
use crate::inspection::{Draft, Reach};
use crate::pages::{NEEDS_GRADIENTS, number};
use crate::session::Session;

/// What is asked.
#[derive(Debug, Deserialize)]
pub struct Along {
    #[serde(default)]
    pub model: usize,
    #[serde(default)]
    pub reach: Reach,
    #[serde(flatten)]
    pub draft: Draft,
}

pub fn along(session: &Session, visit: &Visit<'_>, asked: &Along) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let found = session.along(visit, model, &asked.draft, asked.reach)?;
    Ok(html! {
        @if session.inside(model).is_none() { p.empty { (NEEDS_GRADIENTS) } }
        @else if found.is_empty() { p.empty { (nothing(asked)) } }
        @else { table.along {
            thead {
                tr {
                    th scope="col" { "put in" } th.number scope="col" { "along e" sub { "max" } }
                    th.number.spare scope="col" { "Δ ln p" } th scope="col" { "answer" }
                }
            }
            tbody { @for one in &found { tr.turns[one.flips] {
                td {
                    button.put type="button" data-field=(u8::from(one.in_pair)) data-start=(one.start)
                        data-end=(one.end) data-with=(one.to) {
                        s { (one.from) } " → " b { (one.to) }
                    }
                }
                td.number { (number(one.projection)) }
                td.number.spare { (number(one.log_prob_change)) }
                td { @if one.flips { span.tag.flip { "turns: " (one.predicted) } } @else { (one.predicted) } }
            } } }
        } }
    })
}

/// Why there is no substitution to show.
fn nothing(asked: &Along) -> &'static str {
    let chinese = Language::of(&asked.draft.text) == Language::Chinese;
    match asked.reach {
        Reach::Meaning if chinese => {
            "No word of this text has a replacement. Of Chinese words, synonyms from a reviewed list are known, and only those \
             that the model has as one token can be shown; “any word” needs no list."
        }
        _ => "No word of this text has a replacement.",
    }
}
