//! An attack on the example, step by step; every step can be taken to the bench.

use fissure_attacks::{Outcome, Record, RecordEdit, Step};
use fissure_core::{Edit, Sample, apply, counted};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use super::known;
use crate::basket::draft_of;
use crate::cancel::Visit;
use crate::error::Problem;
use crate::inspection::Draft;
use crate::pages::probability;
use crate::session::Session;

/// What is asked.
#[derive(Debug, Deserialize)]
pub struct Attacked {
    pub example: usize,
    #[serde(default)]
    pub model: usize,
    pub recipe: String,
}

/// A step as the bench takes it.
struct Shown {
    draft: Draft,
    words: String,
    /// The label, the probability of the right one, and the questions so far.
    said: Option<(String, f64, usize)>,
}

pub fn attack(session: &Session, visit: &Visit<'_>, asked: &Attacked) -> Result<Markup, Problem> {
    let model = known(session, asked.model)?;
    let (record, steps) = session.attack(visit, model, asked.example, &asked.recipe)?;
    let sample = &session.setup.samples[asked.example];
    let mut before: &[RecordEdit] = &[];
    let mut shown = Vec::new();
    for step in &steps {
        shown.extend(of_step(sample, step, before));
        before = &step.edits;
    }
    Ok(html! { p.note role="status" { (outcome(&record)) } (table(&shown)) })
}

/// What an earlier run found, on the page from the start.
pub fn found_before(session: &Session, example: usize) -> Markup {
    let Some((record, steps)) = session.found_before(example) else { return html! {} };
    let name = session.setup.attacks.as_ref().map_or("", |(name, _)| name);
    let sample = &session.setup.samples[example];
    let mut before: &[RecordEdit] = &[];
    let mut shown = Vec::new();
    for edits in &steps {
        shown.extend(edited(sample, edits).map(|draft| Shown { draft, words: in_words(edits, before), said: None }));
        before = edits;
    }
    html! {
        p.note {
            "Found before by " b { (name) } ": "
            @if let Some(after) = &record.after { "the answer becomes " b { (after.label) } " " (probability(after.p)) ". " }
            (counted(record.counts.questions, "question")) "."
        }
        (table(&shown))
    }
}

fn table(steps: &[Shown]) -> Markup {
    if steps.is_empty() {
        return html! {};
    }
    // An earlier run kept what it found, not what the model said on the way.
    let says = steps.iter().any(|step| step.said.is_some());
    let all: Vec<_> = steps.iter().map(|step| json!({ "draft": step.draft, "words": step.words })).collect();
    html! {
        table.steps {
            thead { tr {
                th scope="col" { "step" } th scope="col" { "what changes" }
                @if says { th.number scope="col" { "questions" } th scope="col" { "the model" } }
            } }
            tbody { @for (at, step) in steps.iter().enumerate() {
                tr {
                    td {
                        button type="button" data-until=(at + 1) title="Take the text of this step to the bench" { (at + 1) }
                    }
                    td { (step.words) }
                    @if let Some((label, p, questions)) = &step.said {
                        td.number { (questions) } td { (label) ", right label " (probability(*p)) }
                    }
                }
            } }
        }
        div.actions data-replay=(serde_json::Value::from(all)) {
            button.strong type="button" data-do="replay" { "Replay on the bench" }
        }
    }
}

fn of_step(sample: &Sample, step: &Step, before: &[RecordEdit]) -> Option<Shown> {
    let said = Some((step.label.clone(), step.p_gold, step.questions));
    Some(Shown { draft: edited(sample, &step.edits)?, words: in_words(&step.edits, before), said })
}

/// The example with some edits.
fn edited(sample: &Sample, edits: &[RecordEdit]) -> Option<Draft> {
    let edit = |edit: &RecordEdit| {
        let field = sample.fields.iter().position(|field| *field.name == *edit.field)?;
        Some(Edit::replace(edit.start..edit.end, edit.new.as_str()).on(field))
    };
    let edits = edits.iter().map(edit).collect::<Option<Vec<_>>>()?;
    Some(draft_of(&apply(sample, edits).ok()?.sample))
}

/// What is new since the step before, and what was taken back.
fn in_words(edits: &[RecordEdit], before: &[RecordEdit]) -> String {
    let new = edits.iter().filter(|edit| !before.contains(edit));
    let mut words: Vec<String> = new.map(|edit| format!("{} → {}", edit.old.trim(), edit.new.trim())).collect();
    let gone =
        before.iter().filter(|old| !edits.iter().any(|edit| (&edit.field, edit.start) == (&old.field, old.start)));
    words.extend(gone.map(|edit| format!("{} again", edit.old.trim())));
    words.join(", ")
}

fn outcome(record: &Record) -> String {
    let questions = format!("{} questions", record.counts.questions);
    let reason = record.reason.as_deref().unwrap_or("");
    match (record.outcome, &record.certificate, &record.after) {
        (Outcome::Succeeded, _, Some(after)) => {
            format!("Broken: the answer becomes {} ({questions}, {} words changed).", after.label, record.changed)
        }
        (_, Some(proof), _) => format!(
            "Certified: no {} of its {} words with {} candidates flip the answer.",
            proof.edits, proof.places, proof.candidates
        ),
        (Outcome::Skipped, ..) => format!("Not attacked: {reason}."),
        _ => format!("It withstood ({reason}; {questions})."),
    }
}
