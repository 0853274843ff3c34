//! Replacements for one word, each with its predicted effect and the answer of the model.

use std::ops::Range;

use fissure_geometry::Confidence;
use fissure_text::Kinship;
use maud::{Markup, html};
use serde::Deserialize;

use super::known;
use crate::cancel::Visit;
use crate::error::Problem;
use crate::inspection::{Candidate, Draft};
use crate::pages::probability;
use crate::session::Session;

/// How many stand in the first group.
const FARTHEST: usize = 4;

/// A word of the text as it is now.
#[derive(Debug, Deserialize)]
pub struct Place {
    #[serde(default)]
    pub model: usize,
    #[serde(default)]
    pub field: u8,
    pub start: usize,
    pub end: usize,
    #[serde(flatten)]
    pub draft: Draft,
}

impl Place {
    fn bytes(&self) -> Range<usize> {
        self.start..self.end
    }
}

pub fn word(session: &Session, visit: &Visit<'_>, asked: &Place) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let written =
        asked.draft.field(asked.field).get(asked.bytes()).ok_or_else(|| Problem::bad("There is no word there."))?;
    let candidates = session.candidates(visit, model, &asked.draft, asked.field, &asked.bytes())?;
    let now = session.truth(visit, model, std::slice::from_ref(&asked.draft))?.remove(0);
    let group =
        |kinship: Kinship| candidates.iter().filter(|candidate| candidate.kinship == kinship).collect::<Vec<_>>();
    let mut along: Vec<&Candidate> = candidates.iter().filter(|candidate| candidate.effect.is_some()).collect();
    let projection = |candidate: &Candidate| candidate.effect.map_or(f64::NEG_INFINITY, |effect| effect.projection);
    along.sort_by(|a, b| projection(b).total_cmp(&projection(a)).then_with(|| a.text.cmp(&b.text)));
    along.dedup_by(|a, b| a.text == b.text);
    along.truncate(FARTHEST);
    let answer = &session.labels(model)[now.predicted];
    Ok(html! {
        div.row { h2 { "Instead of “" (written) "”" }
            button type="button" data-do="close" aria-label="Close" { "✕" } }
        p.note {
            "Now " b { (answer) " " (probability(now.probability(now.predicted))) } ". On each word: the probability of "
            b { (answer) }
            @if session.inside(model).is_some() { " as the gradient predicts it; hover over the word or focus it for the true one, click to put it in." }
            @else { ": hover over the word or focus it to ask the model, click to put it in." }
        }
        div.groups data-field=(asked.field) data-start=(asked.start) data-end=(asked.end)
            data-model=(model) data-predicted=(now.predicted) {
            @let gradients = session.inside(model).is_some();
            @if !along.is_empty() { (words("Farthest along e_max", &along, &now, gradients)) }
            @for kinship in Kinship::ALL {
                @let found = group(kinship);
                @if !found.is_empty() { (words(title(kinship), &found, &now, gradients)) }
            }
            @if candidates.is_empty() {
                p.empty { "No replacement is known; type a word of your own." }
            }
        }
        div.row.last {
            form.own data-own {
                label { span { "A word of your own" } input type="text" name="own" autocomplete="off"; }
                button { "Put in" }
            }
            div.actions {
                button type="button" data-do="truth-all" { "Check all" }
                button type="button" data-do="delete" { "Take “" (written) "” out" }
            }
        }
    })
}

fn title(kinship: Kinship) -> &'static str {
    match kinship {
        Kinship::Synonym => "Synonyms",
        Kinship::Antonym => "Antonyms",
        Kinship::Neighbour => "Neighbours",
        Kinship::Name => "Names",
        Kinship::Article => "Articles",
    }
}

fn words(title: &str, candidates: &[&Candidate], now: &Confidence, gradients: bool) -> Markup {
    html! {
        fieldset.candidates { legend { (title) }
            @for candidate in candidates {
                button type="button" data-with=(candidate.text) {
                    b { (candidate.text) }
                    @match candidate.effect {
                        Some(effect) => {
                            @let change = effect.probability - now.probability(now.predicted);
                            span.predicted {
                                "≈ " (probability(effect.probability))
                                (if change < 0.0 { " ▼" } else { " ▲" }) @if effect.margin < 0.0 { " turns?" }
                            }
                        },
                        None if !gradients => {},
                        None => span.predicted { "not predicted" },
                    }
                    span.checked {}
                }
            }
        }
    }
}
