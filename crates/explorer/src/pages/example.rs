//! The page of one example: scores, words, edits by hand.

use fissure_core::Language;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use super::fragments::{classes, found_before};
use super::{NEEDS_GRADIENTS, beginning, frame, label};
use crate::attacks::RECIPES;
use crate::basket::draft_of;
use crate::error::Problem;
use crate::inspection::{Draft, Heat};
use crate::selection::Selection;
use crate::session::{Session, read};

/// How the person came here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Came {
    /// From a telling example of the run, by its number: its change is the first step.
    telling: Option<usize>,
}

pub fn example(session: &Session, number: usize, selection: &Selection, came: &Came) -> Result<Markup, Problem> {
    let sample = session.setup.samples.get(number).ok_or_else(|| Problem::not_found("such example"))?;
    let model = selection.model(session);
    let draft = draft_of(sample);
    // As JSON: markup would make one newline of every line end, and the text is the user's own.
    let mut steps = vec![json!({ "draft": draft, "words": "the original" })];
    steps.extend(first_step(session, number, came));
    let steps = serde_json::Value::from(steps).to_string();
    let body = html! {
        (crumbs(session, selection, model, number))
        div.heading { h1 { "Example " span.plain { (sample.id) } }
            p.gold { "label " b { (label(session, model, number)) }
                @for (name, value) in &sample.extra {
                    @if let Some(short) = short(value).filter(|_| !name.eq_ignore_ascii_case("id")) { span.tag { (name) ": " (short) } }
                } } }
        @if let Some((original, revised)) = session.setup.pairs.iter().find(|(a, b)| *a == number || *b == number) {
            @let (other, what) = if *original == number { (*revised, "Its revision") } else { (*original, "Its original") };
            p.note {
                (what) ": "
                a href=(selection.link(&format!("/example/{other}"), |_| ())) {
                    (beginning(&draft_of(&session.setup.samples[other]).text, 120))
                }
            }
        }
        div.bench #bench data-example=(number) data-model=(model) data-steps=(steps) {
            div.left {
                section #view aria-label="The text and its scores" {
                    (colouring(session.inside(model).is_some()))
                    div.subjects { @for at in 0..session.setup.subjects.len() { (waiting(session, at, number, &draft)) } }
                }
                section.card #word hidden aria-label="Other words to try" tabindex="-1" {}
                (editor(session, model, &draft))
            }
            div.right {
                (substitutions(session, model, number))
                (threats(session, model))
                (attacks(session, model, number))
            }
        }
    };
    Ok(frame(session, selection, "/example", &sample.id, &body))
}

/// The changed text of a telling example, to go on from.
fn first_step(session: &Session, number: usize, came: &Came) -> Option<serde_json::Value> {
    let sample = &session.setup.samples[number];
    let telling = session.setup.findings.as_ref()?.telling.get(came.telling?).filter(|one| one.id == sample.id)?;
    let field = sample.fields.iter().position(|field| *field.name == *telling.field)?;
    let mut draft = draft_of(sample);
    match field {
        0 => draft.text.clone_from(&telling.after),
        1 => draft.pair = Some(telling.after.clone()),
        _ => return None,
    }
    Some(json!({ "draft": draft, "words": telling.part }))
}

fn crumbs(session: &Session, selection: &Selection, model: usize, number: usize) -> Markup {
    let order = selection.examples(session, &session.slots(model));
    let place = order.iter().position(|at| *at == number);
    let beside = |step: isize| order.get(place?.checked_add_signed(step)?).copied();
    let link = |at: usize| selection.link(&format!("/example/{at}"), |s| s.page.clone_from(&selection.page));
    html! {
        nav.crumbs aria-label="Examples" {
            a href=(selection.link("/list", |s| s.page.clone_from(&selection.page))) { "← The list" }
            span {
                @if let Some(place) = place {
                    (place + 1) " of " (order.len())
                } @else {
                    "not in the filtered list"
                }
            }
            @if let Some(at) = beside(-1) { a rel="prev" href=(link(at)) { "Previous" } }
            @if let Some(at) = beside(1) { a rel="next" href=(link(at)) { "Next" } }
        }
    }
}

/// By which score the words are coloured.
fn colouring(gradients: bool) -> Markup {
    let options = if gradients {
        Heat::ALL.map(|(_, name, title)| (name, title)).to_vec()
    } else {
        // The first is what the page begins with, and asks nothing.
        vec![("e_max", "nothing"), ("leave_one_out", "leaving each out (a question a word)")]
    };
    html! {
        div.row {
            (choice("heat", "Colour the words by", &options))
            p.note.scale data-of="share" { "thicker line: a larger share" }
            p.note.scale data-of="signed" hidden {
                span.pos { "solid line: for the answer" } " · " span.neg { "dashed line: against it" }
            }
        }
    }
}

/// A model's place before it is looked at closely: the text, and what the scoring has found.
fn waiting(session: &Session, model: usize, number: usize, draft: &Draft) -> Markup {
    let labels = session.labels(model);
    html! {
        article.subject.card data-model=(model) aria-busy="true" {
            @if session.setup.subjects.len() > 1 { h2 { (session.setup.subjects[model].name) } }
            p.text dir="auto" lang=[Language::of(&draft.text).tag()] { (beginning(&draft.text, 20_000)) }
            @if let Some(pair) = &draft.pair {
                p.text.pair dir="auto" lang=[Language::of(pair).tag()] { (beginning(pair, 20_000)) }
            }
            div.answer {
                @if let Some(row) = session.slot(model, number).row() {
                    @let predicted = labels.iter().position(|label| *label == row.predicted).unwrap_or(0);
                    (classes(labels, predicted, &row.log_probs, None))
                }
            }
            p.empty { "Looking closely …" }
        }
    }
}

/// Where one types, goes back, and keeps.
fn editor(session: &Session, model: usize, draft: &Draft) -> Markup {
    html! {
        section.card.editor {
            div.row { h2 { "Edit" }
                div.actions {
                    button type="button" data-do="undo" disabled { "↶ Undo" }
                    button type="button" data-do="redo" disabled { "↷ Redo" }
                    button type="button" data-do="reset" disabled { "Start again" }
                }
            }
            textarea #text aria-label="The text" rows="3" spellcheck="false" { (leading_newline(&draft.text)) }
            @if let Some(pair) = &draft.pair {
                textarea #pair aria-label="The second text" rows="2" spellcheck="false" { (leading_newline(pair)) }
            }
            ol.history #history aria-label="What was done" {}
            div.row.keeper {
                p.note { "Saved with its source and edit history." }
                div.actions {
                    label { span { "Its label" } select #keep-label {
                        option value="=" { "as the original" }
                        @for label in session.labels(model) { option value=(format!("+{label}")) { (label) } }
                        option value="+" { "none" }
                    } }
                    button.strong type="button" data-do="keep" { "Keep this example" }
                }
            }
        }
    }
}

/// A text area drops the first newline of its text; one more keeps what is the user's.
fn leading_newline(text: &str) -> String {
    if text.starts_with('\n') { format!("\n{text}") } else { text.to_owned() }
}

fn substitutions(session: &Session, model: usize, number: usize) -> Markup {
    let subjects = &session.setup.subjects;
    let flip = read(&session.board(model).flips).get(&number).cloned().flatten();
    html! {
        @if subjects.len() > 1 {
            div.choice role="group" aria-label="Words that move" data-choice="model" {
                @for (at, subject) in subjects.iter().enumerate() {
                    button type="button" value=(at) aria-pressed=(at == model) { (subject.name) }
                }
            }
        }
        section.card {
            h2 { "Along e" sub { "max" } }
            p.note {
                "The single substitutions that move the text farthest in its most fragile direction."
                @if let Some(flip) = flip { " Found before: " b { (flip.from) " → " (flip.to) } " flips the answer." }
            }
            (choice("reach", "Which words", &[("meaning", "near in meaning"), ("model", "near for the model"), ("any", "any word")]))
            div #along { p.empty { "…" } } }
        section.card {
            h2 { "Several at once" }
            p.note { "The words with the strongest attribution: each replaced alone, and all together." }
            (choice("kind", "By what", &[("antonym", "antonyms"), ("synonym", "synonyms"), ("neighbour", "neighbours")]))
            div #together { p.empty { "…" } } }
    }
}

/// The forecast of every change, when somebody asks for it: the first time takes a while.
fn threats(session: &Session, model: usize) -> Markup {
    html! {
        section.card {
            h2 { "Which changes threaten it" }
            p.note { "How likely each change is to flip this answer, predicted from its gradient: no changed form of this text is asked." }
            @if session.inside(model).is_some() {
                div.actions { button type="button" data-do="threats" { "Forecast" } }
                div #threats {}
            } @else {
                p.empty { (NEEDS_GRADIENTS) }
            }
        }
    }
}

/// Attacks to run on the example, and what an earlier run found.
fn attacks(session: &Session, model: usize, number: usize) -> Markup {
    let capabilities = session.setup.subjects[model].model.capabilities();
    let recipes: Vec<(&str, &str)> =
        RECIPES.iter().filter(|(name, _)| capabilities.gradients || *name != "jump").copied().collect();
    html! {
        section.card {
            h2 { "Attack" }
            p.note { "Searches for a change of the original that flips its answer, and shows the way there." }
            @if capabilities.probabilities {
                (choice("recipe", "Which attack", &recipes))
                div.actions { button type="button" data-do="attack" { "Attack this example" } }
                div #attack { (found_before(session, number)) }
            } @else {
                p.empty { "The model gives labels without probabilities, which an attack needs." }
            }
        }
    }
}

/// A choice between a few, the first one made.
fn choice(name: &str, title: &str, options: &[(&str, &str)]) -> Markup {
    html! {
        div.choice role="group" aria-label=(title) data-choice=(name) {
            @for (at, (value, title)) in options.iter().enumerate() {
                button type="button" value=(value) aria-pressed=(at == 0) { (title) }
            }
        }
    }
}

/// A value that fits in a tag; longer ones stay in the data.
fn short(value: &serde_json::Value) -> Option<String> {
    let text = match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(_) | serde_json::Value::Object(_) | serde_json::Value::Null => return None,
        other => other.to_string(),
    };
    Some(text).filter(|text| text.chars().count() <= 60)
}
