//! Several models on the same examples: do they find the same ones fragile?

use fissure_geometry::{Row, agreements, question, universal};
use fissure_statistics::Correlation;
use maud::{Markup, html};

use super::overview::standing;
use super::{beginning, frame, verdict};
use crate::selection::Selection;
use crate::session::Session;

/// Fragile for a model is the upper fifth of its examples.
const SHARE: f64 = 0.2;
const SHOWN: usize = 100;

pub fn models(session: &Session, selection: &Selection) -> Markup {
    let subjects = &session.setup.subjects;
    let slots: Vec<_> = (0..subjects.len()).map(|model| session.slots(model)).collect();
    // Only examples that every model has scored can be compared.
    let common: Vec<(usize, Vec<&Row>)> = (0..session.setup.samples.len())
        .filter_map(|at| {
            let rows: Option<Vec<&Row>> = slots.iter().map(|slots| slots.get(at)?.row().map(|row| &**row)).collect();
            rows.filter(|rows| rows.iter().any(|row| selection.takes(session, at, Some(row)))).map(|rows| (at, rows))
        })
        .collect();
    let scores: Vec<Vec<f64>> =
        (0..subjects.len()).map(|model| common.iter().map(|(_, rows)| rows[model].fragility()).collect()).collect();
    let hard = universal(&scores, SHARE);
    let shown = |found: Option<Correlation>| {
        found.map_or_else(|| "not measured".into(), |found| format!("{:.2}", found.r).replace('-', "−"))
    };
    let body = html! {
        div.heading { h1 { "Fragile for every model" } }
        @if common.len() < 3 { p.empty { "The models have too few examples in common so far." } }
        @else {
            dl.figures {
                div { dt { "Examples in common" } dd { (common.len()) } }
                div {
                    dt { "Fragile for all" }
                    dd {
                        (hard.examples.len())
                        small { "in the upper fifth of each; " (format!("{:.0}", hard.by_chance)) " by chance" }
                    }
                }
                @for pair in agreements(&scores) {
                    div { dt { (subjects[pair.first].name) " and " (subjects[pair.second].name) }
                        dd { "ρ " (shown(pair.spearman)) small { "Kendall’s τ " (shown(pair.kendall)) } } }
                }
            }
            p.note { "ρ: how far two models rank the examples alike (1 the same, 0 nothing in common)." }
            div.scroll { table.examples {
                thead {
                    tr { th scope="col" { "Text" } @for subject in subjects { th scope="col" { (subject.name) } } }
                }
                tbody { @for &place in hard.examples.iter().take(SHOWN) {
                    @let (at, rows) = &common[place];
                    @let sample = &session.setup.samples[*at];
                    tr {
                        td.text { a href=(selection.link(&format!("/example/{at}"), |_| ())) { (beginning(question(sample).text, 220)) }
                            @if let Some(pair) = question(sample).pair { div.pair { (beginning(pair, 220)) } }
                            div.id { (sample.id) @if let Some(label) = &sample.label { " · label " (label) } } }
                        @for (model, row) in rows.iter().enumerate() {
                            td data-name=(subjects[model].name) {
                                (row.predicted) " " (verdict(session.right(model, *at, row)))
                                div { small { (standing(row)) } }
                            }
                        }
                    }
                } }
            } }
            @if hard.examples.len() > SHOWN { p.note { "The first " (SHOWN) " of " (hard.examples.len()) "." } }
        }
    };
    frame(session, selection, "/models", "Models", &body)
}
