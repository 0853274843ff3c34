//! One example on the bench: seen closely, changed by hand, kept.

use maud::{Markup, html};

use super::fragments::{View, view};
use super::{beginning, frame};
use crate::basket::draft_of;
use crate::error::Problem;
use crate::look::{Draft, Heat};
use crate::selection::Selection;
use crate::session::{Session, read};

pub fn example(session: &Session, number: usize, selection: &Selection) -> Result<Markup, Problem> {
    let sample = session.setup.samples.get(number).ok_or_else(|| Problem::not_found("such example"))?;
    let model = selection.model(session);
    let draft = draft_of(sample);
    let order = selection.examples(session, &session.slots(model));
    let place = order.iter().position(|at| *at == number);
    let beside = |step: isize| order.get(place?.checked_add_signed(step)?).copied();
    let flip = read(&session.board(model).flips).get(&number).cloned().flatten();
    // As JSON: markup would make one newline of every line end, and the text is the user's own.
    let sent = serde_json::to_string(&draft).unwrap_or_default();
    let asked = View { example: number, heat: Heat::default(), draft: draft.clone() };
    let body = html! {
        nav.crumbs aria-label="Examples" {
            a href=(selection.link("/list", |s| s.page.clone_from(&selection.page))) { "← The list" }
            span {
                @if let Some(place) = place {
                    (place + 1) " of " (order.len())
                } @else {
                    "not in the list as it is chosen"
                }
            }
            @if let Some(at) = beside(-1) {
                a rel="prev" href=(selection.link(&format!("/example/{at}"), |s| s.page.clone_from(&selection.page))) {
                    "Before"
                }
            }
            @if let Some(at) = beside(1) {
                a rel="next" href=(selection.link(&format!("/example/{at}"), |s| s.page.clone_from(&selection.page))) {
                    "Next"
                }
            }
        }
        div.heading { h1 { "Example " span.plain { (sample.id) } }
            p.gold { @match &sample.label { Some(label) => { "label " b { (label) } }, None => "no label" }
                @for (name, value) in &sample.extra { @if let Some(short) = short(value) { span.tag { (name) ": " (short) } } } } }
        @if let Some((original, revised)) = session.setup.pairs.iter().find(|(a, b)| *a == number || *b == number) {
            @let (other, what) = if *original == number { (*revised, "Its revision") } else { (*original, "Its original") };
            p.note {
                (what) ": "
                a href=(selection.link(&format!("/example/{other}"), |_| ())) {
                    (beginning(&draft_of(&session.setup.samples[other]).text, 120))
                }
            }
        }
        div.bench #bench data-example=(number) data-model=(model) data-draft=(sent) {
            div.left {
                section #view aria-label="The text and its scores" { (view(session, &asked)?) }
                section.card #word hidden aria-label="What else could stand there" tabindex="-1" {}
                (editor(&draft))
            }
            div.right {
                section.card {
                    div.row { h2 { "Along e" sub { "max" } }
                        (choice("near", &[("true", "near words"), ("false", "any word")])) }
                    p.note {
                        "The single substitutions that move the text farthest in its most fragile direction."
                        @if flip.is_some() { " One that turns the answer was found." }
                    }
                    div #along data-fragment="along" { p.empty { "…" } } }
                section.card {
                    div.row { h2 { "Several at once" }
                        (choice("kind", &[("antonym", "antonyms"), ("synonym", "synonyms"), ("neighbour", "neighbours")])) }
                    p.note { "The words with the strongest attribution: each replaced alone, and all together." }
                    div #together { p.empty { "…" } } }
                (keeper(session, model))
            }
        }
    };
    Ok(frame(session, selection, "/example", &sample.id, &body))
}

/// Where one types.
fn editor(draft: &Draft) -> Markup {
    html! {
        section.card.editor {
            div.row { h2 { "Edit" }
                div.actions {
                    button type="button" data-do="undo" disabled { "↶ Undo" }
                    button type="button" data-do="redo" disabled { "↷ Redo" }
                    button type="button" data-do="reset" disabled { "Start again" }
                }
            }
            textarea #text aria-label="The text" rows="4" spellcheck="false" { (leading_newline(&draft.text)) }
            @if let Some(pair) = &draft.pair {
                textarea #pair aria-label="The second text" rows="3" spellcheck="false" { (leading_newline(pair)) }
            }
            ol.history #history aria-label="What was done" {}
        }
    }
}

/// A text area drops the first newline of its text; one more keeps what is the user's.
fn leading_newline(text: &str) -> String {
    if text.starts_with('\n') { format!("\n{text}") } else { text.to_owned() }
}

fn keeper(session: &Session, model: usize) -> Markup {
    html! {
        section.card.keeper {
            h2 { "Keep" }
            p.note { "Into the basket, with where it came from and every edit." }
            div.row {
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

/// A choice between a few, the first one made.
fn choice(name: &str, options: &[(&str, &str)]) -> Markup {
    html! {
        div.choice role="group" data-choice=(name) {
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
