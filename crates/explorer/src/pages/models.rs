//! Several models on the same examples: do they find the same ones fragile?

use fissure_geometry::{ExampleScore, agreements, input_of, universal};
use fissure_report::Chart;
use fissure_report::charts::{Scatter, ScatterPoint, scatter};
use fissure_statistics::Correlation;
use maud::{Markup, html};

use super::overview::standing;
use super::{beginning, frame, label, verdict};
use crate::charts;
use crate::selection::Selection;
use crate::session::Session;

/// Fragile for a model is the upper fifth of its examples.
const SHARE: f64 = 0.2;
const SHOWN: usize = 100;
/// Chances below this are drawn at the edge.
const LEAST: f64 = 1e-6;

pub fn models(session: &Session, selection: &Selection) -> Markup {
    let subjects = &session.setup.subjects;
    let slots: Vec<_> = (0..subjects.len()).map(|model| session.slots(model)).collect();
    // Only examples that every model has scored can be compared.
    let common: Vec<(usize, Vec<&ExampleScore>)> = (0..session.setup.samples.len())
        .filter_map(|at| {
            let rows: Option<Vec<&ExampleScore>> =
                slots.iter().map(|slots| slots.get(at)?.row().map(|row| &**row)).collect();
            rows.filter(|rows| rows.iter().any(|row| selection.takes(session, at, Some(row)))).map(|rows| (at, rows))
        })
        .collect();
    let scores: Vec<Vec<f64>> =
        (0..subjects.len()).map(|model| common.iter().map(|(_, rows)| rank(rows[model])).collect()).collect();
    let hard = universal(&scores, SHARE);
    let shown = |found: Option<Correlation>| {
        found.map_or_else(|| "not measured".into(), |found| format!("{:.2}", found.r).replace('-', "−"))
    };
    let body = html! {
        div.heading { h1 { "Fragile for every model" } }
        @if subjects.len() < 2 {
            p.empty { "There is one model. Give several with " code { "--model" } " to see which examples are fragile for all." }
        }
        @else if common.len() < 3 { p.empty { "The models have too few examples in common so far." } }
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
            div.beside {
            section.card {
                h2 { "Fragility for " (subjects[0].name) " and " (subjects[1].name) }
                p.note { "Each mark is an example; top right are those that both find fragile." }
                (charts::of_report(&picture(session, &common)))
            }
            div.found {
            h2 { "Fragile for all" }
            p.note { "In the upper fifth of every model, the hardest first." }
            div.scroll { table.examples {
                thead {
                    tr { th scope="col" { "Text" } @for subject in subjects { th scope="col" { (subject.name) } } }
                }
                tbody { @for &place in hard.examples.iter().take(SHOWN) {
                    @let (at, rows) = &common[place];
                    @let sample = &session.setup.samples[*at];
                    tr {
                        td.text { a href=(selection.link(&format!("/example/{at}"), |_| ())) { (beginning(input_of(sample).text, 220)) }
                            @if let Some(pair) = input_of(sample).pair { div.pair { (beginning(pair, 220)) } }
                            div.id { (sample.id) " · label " (label(session, 0, *at)) } }
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
            } }
        }
    };
    frame(session, selection, "/models", "Models", &body)
}

/// What an example is ranked by; one of which nothing is known comes last.
fn rank(row: &ExampleScore) -> f64 {
    let fragility = row.fragility();
    if fragility.is_nan() { f64::MIN } else { fragility }
}

/// The first two models: how fragile each finds an example.
fn picture(session: &Session, common: &[(usize, Vec<&ExampleScore>)]) -> Chart {
    let forecast = common.iter().all(|(_, rows)| rows.iter().all(|row| row.flip_forecast.is_some()));
    let inside = common.iter().all(|(_, rows)| rows.iter().all(|row| !row.lambda_max.is_nan()));
    let score = |row: &ExampleScore| match (forecast, inside) {
        (true, _) => row.flip_forecast.unwrap_or(f64::NAN).max(LEAST),
        (false, true) => row.lambda_max,
        (false, false) => row.uncertainty.max(LEAST),
    };
    let points: Vec<ScatterPoint> = common
        .iter()
        .filter_map(|(at, rows)| {
            let (one, other) = (rows.first()?, rows.get(1)?);
            let same = usize::from(one.predicted == other.predicted);
            let id = session.setup.samples[*at].id.clone();
            let (x, y) = (score(one), score(other));
            Some(ScatterPoint { id, x, y, class: same }).filter(|_| x.is_finite() && y.is_finite())
        })
        .collect();
    let names: Vec<String> = session
        .setup
        .subjects
        .iter()
        .take(2)
        .map(|subject| {
            format!(
                "{} for {}",
                if forecast {
                    "flip forecast"
                } else if inside {
                    "λ_max"
                } else {
                    "1 − max p"
                },
                subject.name
            )
        })
        .collect();
    let data = Scatter {
        title: "Fragility of the same examples for two models",
        x_axis: names.first().map_or("", String::as_str),
        y_axis: names.get(1).map_or("", String::as_str),
        x_log: true,
        y_log: true,
        classes: &["another answer", "the same answer"],
        points: &points,
    };
    scatter(&data, charts::REPORT_WIDTH)
}
