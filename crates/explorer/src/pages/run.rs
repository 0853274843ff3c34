//! What a run of `fissure evaluate` found: which changes cost how much, and telling examples to go on with by hand.

use fissure_core::Expectation;
use fissure_evaluate::{Findings, PartFinding, TellingExample};
use fissure_report::charts::{DropRow, drops};
use fissure_report::sure;
use maud::{Markup, html};

use super::changes::{changes, marked};
use super::{frame, number};
use crate::charts;
use crate::error::Problem;
use crate::selection::Selection;
use crate::session::Session;

pub fn run(session: &Session, selection: &Selection) -> Result<Markup, Problem> {
    let findings = session.setup.findings.as_ref().ok_or_else(|| Problem::not_found("run"))?;
    let about = &findings.about;
    let kinds = KINDS.map(|(expectation, title)| (title, rows(findings, expectation)));
    let is_measured = kinds.iter().any(|(_, rows)| !rows.is_empty());
    let place = |id: &str| session.setup.samples.iter().position(|sample| sample.id == id);
    let body = html! {
        div.heading { h1 { "What the run found" } p.gold { "suite " b { (about.suite) } " · seed " (about.seed) } }
        dl.figures {
            @for (name, estimate) in &findings.clean {
                div { dt { (name) " on the original data" }
                    dd { (format!("{:.1} %", 100.0 * estimate.value))
                        small { (format!("{:.1} to {:.1} %", 100.0 * estimate.low, 100.0 * estimate.high)) } } }
            }
            div { dt { "Changes tried" } dd { (findings.parts.len()) } }
            div { dt { "Not run" } dd { (findings.not_run.len()) } }
        }
        div.beside {
            section.card {
                h2 { "What each change costs" }
                @if !is_measured { p.empty { "No change has a measured drop." } }
                @for (title, rows) in kinds.iter().filter(|(_, rows)| !rows.is_empty()) {
                    h3 { (title) }
                    (charts::of_report(&drops(rows, &about.metric, charts::REPORT_WIDTH)))
                }
            }
            @if !findings.telling.is_empty() {
                div.found { h2 { "Telling examples" } p.note { "Open one to go on from the changed text." }
                    (telling(findings, selection, &place))
                }
            }
        }
        @if !findings.not_run.is_empty() {
            details.numbers { summary { "What was asked for and not run" }
                ul { @for not in &findings.not_run { li { b { (not.name) } ": " (not.reason) } } } }
        }
    };
    Ok(frame(session, selection, "/run", "Run", &body))
}

/// The kinds of changes, each in a chart of its own: a drop means another thing where the right answer changes too. Where either
/// answer may be right there is no drop.
const KINDS: [(Expectation, &str); 3] = [
    (Expectation::Kept, "Changes that keep the right answer"),
    (Expectation::Relabelled, "Changes that set the right answer: scored by the new labels"),
    (Expectation::Flipped, "Changes that flip the right answer: a drop means that the model does not follow"),
];

fn rows(findings: &Findings, expectation: Expectation) -> Vec<DropRow> {
    let parts = findings.parts.iter().filter(|part| part.expectation == expectation);
    parts.filter_map(|part| row(findings, part)).collect()
}

fn row(findings: &Findings, part: &PartFinding) -> Option<DropRow> {
    let evidence = part.evidence.as_ref()?;
    let sure = sure(findings, evidence);
    Some(DropRow { name: part.name.clone(), drop: evidence.drop, sure, samples: evidence.samples })
}

fn telling(findings: &Findings, selection: &Selection, place: &dyn Fn(&str) -> Option<usize>) -> Markup {
    let sure = |confidence: Option<f64>| confidence.map(|p| format!(" {}", number(p))).unwrap_or_default();
    let text = |telling: &TellingExample| {
        let (gone, come) = changes(&telling.before, &telling.after);
        html! { div { (marked(&telling.before, &gone, true)) } div.pair { (marked(&telling.after, &come, false)) } }
    };
    html! {
        div.scroll { table.examples {
            thead {
                tr { th scope="col" { "Before and after" } th scope="col" { "Change" } th scope="col" { "Answer" } }
            }
            tbody { @for (number, one) in findings.telling.iter().enumerate() { tr {
                td.text {
                    @match place(&one.id) {
                        Some(at) => {
                            @let path = selection.link(&format!("/example/{at}"), |_| ());
                            @let and = if path.contains('?') { '&' } else { '?' };
                            a href=(format!("{path}{and}telling={number}")) { (text(one)) }
                        },
                        None => (text(one)),
                    }
                    div.id { (one.id)
                        @if let Some(gold) = &one.gold { " · label " (gold) }
                        @if let Some(gold) = &one.gold_after { " · after the change " (gold) } }
                }
                td data-name="Change" { (one.part) }
                td data-name="Answer" {
                    (one.answer_before) small { (sure(one.confidence_before)) } " → " b { (one.answer_after) }
                    small { (sure(one.confidence_after)) }
                }
            } } }
        } }
    }
}
