//! Parts of the example page that are made anew as the person works.

mod numbers;
mod painted;

use std::ops::Range;

use fissure_geometry::Confidence;
use fissure_text::{Kinship, analyse, substitutes};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::{number, probability};
use crate::basket::draft_of;
use crate::error::Problem;
use crate::look::{Candidate, Draft, Heat};
use crate::session::Session;

use numbers::numbers;
use painted::painted;

/// The text as it is now, seen by every model.
#[derive(Debug, Deserialize)]
pub struct View {
    pub example: usize,
    #[serde(default)]
    pub heat: Heat,
    #[serde(flatten)]
    pub draft: Draft,
}

pub fn view(session: &Session, asked: &View) -> Result<Markup, Problem> {
    let sample = session.setup.samples.get(asked.example).ok_or_else(|| Problem::not_found("such example"))?;
    let before = draft_of(sample);
    let changed = before.text != asked.draft.text || before.pair != asked.draft.pair;
    let mut parts = Vec::new();
    for (at, subject) in session.setup.subjects.iter().enumerate() {
        let now = session.look(at, &sample.id, &asked.draft)?;
        let was = if changed { Some(session.look(at, &sample.id, &before)?) } else { None };
        let turned = was.as_ref().is_some_and(|was| was.row.predicted != now.row.predicted);
        let predicted = session.labels(at).iter().position(|label| *label == now.row.predicted).unwrap_or(0);
        parts.push(html! {
            article.subject.card data-model=(at) data-predicted=(predicted)
                data-turned=(turned) data-answer=(now.row.predicted) {
                @if session.setup.subjects.len() > 1 { h2 { (subject.name) } }
                @if let (true, Some(was)) = (turned, &was) {
                    p.flipped {
                        span.burst aria-hidden="true" { "✦" } b { "The answer turned" } ": " (was.row.predicted) " → "
                        (now.row.predicted) ". Keep it, or undo and find another."
                    }
                }
                (painted(at, &asked.draft, &now, asked.heat))
                (numbers(session, at, asked.example, &now, was.as_deref(), changed))
            }
        });
    }
    Ok(html! {
        div.row {
            div.choice role="group" aria-label="Colour the words by" data-choice="heat" {
                @for (heat, name, title) in Heat::ALL {
                    button type="button" value=(name) aria-pressed=(heat == asked.heat) { (title) }
                }
            }
            p.note.scale {
                @if asked.heat == Heat::EMax {
                    "darker and thicker: a larger share"
                } @else {
                    span.pos { "solid line: for the answer" } " · " span.neg { "dashed line: against it" }
                }
            }
        }
        div.subjects { @for part in parts { (part) } }
    })
}

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

pub fn word(session: &Session, asked: &Place) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let written =
        asked.draft.field(asked.field).get(asked.bytes()).ok_or_else(|| Problem::bad("There is no word there."))?;
    let candidates = session.candidates(model, &asked.draft, asked.field, &asked.bytes())?;
    let now = session.truth(model, std::slice::from_ref(&asked.draft))?.remove(0);
    let group =
        |kinship: Kinship| candidates.iter().filter(|candidate| candidate.kinship == kinship).collect::<Vec<_>>();
    let mut along: Vec<&Candidate> = candidates.iter().filter(|candidate| candidate.foretold.is_some()).collect();
    let projection =
        |candidate: &Candidate| candidate.foretold.map_or(f64::NEG_INFINITY, |foretold| foretold.projection);
    along.sort_by(|a, b| projection(b).total_cmp(&projection(a)));
    along.dedup_by(|a, b| a.text == b.text);
    along.truncate(4);
    Ok(html! {
        div.row { h2 { "Instead of “" (written) "”" }
            button type="button" data-do="close" aria-label="Close" { "✕" } }
        p.note {
            "Foretold from the gradient; rest on a word or focus it for the truth, click to put it in. Now: "
            b { (session.labels(model)[now.predicted]) } " " (probability(now.probability(now.predicted))) "."
        }
        div.groups data-field=(asked.field) data-start=(asked.start) data-end=(asked.end)
            data-model=(model) data-predicted=(now.predicted) {
            @if !along.is_empty() { (words("Farthest along e_max", &along, &now)) }
            @for kinship in Kinship::ALL {
                @let found = group(kinship);
                @if !found.is_empty() { (words(title(kinship), &found, &now)) }
            }
            @if candidates.is_empty() {
                p.empty { "Nothing is known that could stand there; type a word of your own." }
            }
            form.own data-own {
                label { span { "Another word" } input type="text" name="own" autocomplete="off"; } button { "Put in" }
            }
        }
        div.actions {
            button type="button" data-do="truth-all" { "Try them all" }
            button type="button" data-do="delete" { "Take “" (written) "” out" }
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

fn words(title: &str, candidates: &[&Candidate], now: &Confidence) -> Markup {
    html! {
        fieldset.candidates { legend { (title) }
            @for candidate in candidates {
                button type="button" data-with=(candidate.text) {
                    b { (candidate.text) }
                    @match candidate.foretold {
                        Some(foretold) => {
                            @let change = foretold.probability - now.probability(now.predicted);
                            span.foretold {
                                (if foretold.margin < 0.0 { "turns?" } else if change < 0.0 { "▼" } else { "▲" }) " "
                                (probability(foretold.probability))
                            }
                        },
                        None => span.foretold { "not foretold" },
                    }
                    span.told {}
                }
            }
        }
    }
}

/// What lies farthest along e_max in the whole text.
#[derive(Debug, Deserialize)]
pub struct Along {
    #[serde(default)]
    pub model: usize,
    #[serde(default)]
    pub near: bool,
    #[serde(flatten)]
    pub draft: Draft,
}

pub fn along(session: &Session, asked: &Along) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let found = session.along(model, &asked.draft, asked.near)?;
    Ok(html! {
        @if found.is_empty() { p.empty { "No word of this text has others to stand for it." } }
        @else { div.scroll { table.along {
            thead {
                tr {
                    th scope="col" { "put in" } th.number scope="col" { "along e_max" }
                    th.number scope="col" { "Δ ln p" } th scope="col" { "answer" }
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
                td.number { (number(one.log_prob_change)) }
                td { (one.predicted) @if one.flips { " " span.tag.flip { "turns" } } }
            } } }
        } } }
    })
}

/// Several words at once.
#[derive(Debug, Deserialize)]
pub struct Together {
    #[serde(default)]
    pub model: usize,
    pub kind: String,
    #[serde(flatten)]
    pub draft: Draft,
}

/// How many words are tried together.
const TOGETHER: usize = 6;

pub fn together(session: &Session, asked: &Together) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let kinship = match asked.kind.as_str() {
        "synonym" => Kinship::Synonym,
        "neighbour" => Kinship::Neighbour,
        _ => Kinship::Antonym,
    };
    let look = session.look(model, "", &asked.draft)?;
    let heat = look.heat(Heat::Ig);
    let mut order: Vec<usize> = (0..look.words.len()).collect();
    order.sort_by(|a, b| heat[*b].abs().total_cmp(&heat[*a].abs()).then(a.cmp(b)));
    let texts = [0, 1].map(|field| analyse(asked.draft.field(field)));
    let mut rows = Vec::new();
    // Words far down the list carry nothing; asking for their substitutes would only take time.
    for at in order.into_iter().take(4 * TOGETHER) {
        let word = &look.words[at];
        let found = substitutes(&texts[usize::from(word.field != 0)], word.range.clone());
        let others: Vec<String> =
            found.into_iter().filter(|(kind, _)| *kind == kinship).map(|(_, text)| text).collect();
        if !others.is_empty() {
            rows.push((at, others));
        }
        if rows.len() == TOGETHER {
            break;
        }
    }
    rows.sort_by_key(|(at, _)| *at);
    let predicted = session.labels(model).iter().position(|label| *label == look.row.predicted).unwrap_or(0);
    Ok(html! {
        @if rows.is_empty() { p.empty { "No word of this text has such a substitute." } }
        @else {
            div.scroll { table.together data-model=(model) data-predicted=(predicted) {
                thead {
                    tr {
                        th scope="col" { span.hidden { "taken" } } th scope="col" { "word" }
                        th.number scope="col" { "attribution" } th scope="col" { "becomes" }
                        th scope="col" { "alone" }
                    }
                }
                tbody { @for (at, others) in &rows {
                    @let word = &look.words[*at];
                    @let written = word.text(&asked.draft.input());
                    tr data-field=(word.field) data-start=(word.range.start) data-end=(word.range.end) {
                        td { input type="checkbox" checked aria-label=(format!("replace {written}")); }
                        td { (written) }
                        td.number { (number(heat[*at])) }
                        td {
                            select aria-label=(format!("instead of {written}")) {
                                @for other in others { option value=(other) { (other) } }
                            }
                        }
                        td.told { "…" }
                    }
                } }
                tfoot { tr { th colspan="4" scope="row" { "all together" } td.told #all-told { "…" } } }
            } }
            div.actions { button.strong type="button" data-do="put-all" { "Put them all in" } }
        }
    })
}

/// What the model really says.
#[derive(Debug, Deserialize)]
pub struct Truth {
    #[serde(default)]
    pub model: usize,
    /// The class that is predicted now.
    pub predicted: usize,
    pub drafts: Vec<Draft>,
}

/// The most texts in one question.
const ASKED: usize = 200;

#[derive(Debug, Serialize)]
pub struct Told {
    pub answer: String,
    pub probability: String,
    pub turns: bool,
}

pub fn truth(session: &Session, asked: &Truth) -> Result<Vec<Told>, Problem> {
    let model = known(session, asked.model)?;
    if asked.drafts.len() > ASKED {
        return Err(Problem::bad(format!("More than {ASKED} texts in one question.")));
    }
    let told = |confidence: &Confidence| Told {
        answer: session.labels(model)[confidence.predicted].clone(),
        probability: probability(confidence.probability(confidence.predicted)),
        turns: confidence.predicted != asked.predicted,
    };
    Ok(session.truth(model, &asked.drafts)?.iter().map(told).collect())
}

fn known(session: &Session, model: usize) -> Result<usize, Problem> {
    Some(model).filter(|model| *model < session.setup.subjects.len()).ok_or_else(|| Problem::not_found("such model"))
}
