//! Pairs of an original and its revision: which side is more fragile?

use std::ops::Range;

use fissure_geometry::{ExampleScore, PairScore, input_of, summarise};
use fissure_report::Chart;
use fissure_report::charts::{Scatter, ScatterPoint, scatter};
use maud::{Markup, html};

use super::changes::{changes, marked};
use super::{NEEDS_GRADIENTS, beginning, frame, label, model_switch, number, pager, verdict};
use crate::charts;
use crate::selection::{PAGE, Selection};
use crate::session::Session;

pub fn pairs(session: &Session, selection: &Selection) -> Markup {
    let model = selection.model(session);
    let slots = session.slots(model);
    let mut scored: Vec<(usize, usize, &ExampleScore, &ExampleScore)> = session
        .setup
        .pairs
        .iter()
        .filter_map(|&(a, b)| Some((a, b, &**slots.get(a)?.row()?, &**slots.get(b)?.row()?)))
        .filter(|(a, b, one, other)| {
            selection.takes(session, *a, Some(one)) || selection.takes(session, *b, Some(other))
        })
        .collect();
    let difference = |one: &ExampleScore, other: &ExampleScore| one.log_lambda_max - other.log_lambda_max;
    scored.sort_by(|a, b| difference(a.2, a.3).abs().total_cmp(&difference(b.2, b.3).abs()).reverse());
    let scores: Vec<PairScore> = scored
        .iter()
        .map(|(_, _, one, other)| PairScore { original: one.lambda_max, revised: other.lambda_max, seen: None })
        .collect();
    let followed = scored
        .iter()
        .filter(|(a, b, one, other)| {
            session.right(model, *a, one) == Some(true) && session.right(model, *b, other) == Some(true)
        })
        .count();
    let pages = scored.len().div_ceil(PAGE).max(1);
    let page = selection.page().min(pages - 1);
    let body = html! {
        div.heading { h1 { "Originals and their revisions" } (model_switch(session, selection, "/pairs")) }
        @if session.inside(model).is_none() { p.empty { (NEEDS_GRADIENTS) ": this model gives answers only." } }
        @else { @match summarise(&scores) {
            None => p.empty { "Fewer than two pairs are scored so far, or match the filter." },
            Some(summary) => div.beside {
                section.card {
                    h2 { "λ" sub { "max" } " of both sides" }
                    p.note { "Each mark is a pair: how fragile the original is (across), and its revision (up)." }
                    (charts::of_report(&picture(session, &scored)))
                }
                dl.figures.stacked {
                    div { dt { "Pairs" } dd { (summary.pairs) } }
                    div { dt { "Both sides answered right" } dd { (followed) } }
                    div {
                        dt { "λ original − λ revised, on average" }
                        dd { (number(summary.mean_difference.value))
                            small {
                                "95 % interval " (number(summary.mean_difference.low)) " to "
                                (number(summary.mean_difference.high)) ", standard deviation " (number(summary.spread))
                            }
                        }
                    }
                    div { dt { "Revision not more fragile" } dd { (percent(Some(summary.not_harder.value))) small { "of the pairs" } } }
                    div { dt { "Overlap of ln λ" } dd { (percent(summary.overlap)) small { "of the two distributions" } } }
                }
            },
        } }
        p.note { "The largest ratios of λ" sub { "max" } " first." }
        @for (a, b, one, other) in scored.iter().skip(page * PAGE).take(PAGE) {
            @let (gone, come) = changes(input_of(&session.setup.samples[*a]).text, input_of(&session.setup.samples[*b]).text);
            article.card.couple {
                (side(session, selection, model, *a, one, &gone))
                p.between {
                    "λ" sub { "max" } " × " b { (number((-difference(one, other)).exp())) }
                    small { "from " (number(one.lambda_max)) " to " (number(other.lambda_max)) ", difference "
                        (number(other.lambda_max - one.lambda_max)) }
                }
                (side(session, selection, model, *b, other, &come))
            }
        }
        (pager(selection, "/pairs", "Pages", page, pages))
    };
    frame(session, selection, "/pairs", "Pairs", &body)
}

/// Every pair as a point: below the diagonal the revision is the easier one.
fn picture(session: &Session, scored: &[(usize, usize, &ExampleScore, &ExampleScore)]) -> Chart {
    let points: Vec<ScatterPoint> = scored
        .iter()
        .map(|(a, _, one, other)| ScatterPoint {
            id: session.setup.samples[*a].id.clone(),
            x: one.lambda_max,
            y: other.lambda_max,
            class: usize::from(one.predicted == other.predicted),
        })
        .collect();
    let data = Scatter {
        title: "λ_max of originals and revisions",
        x_axis: "λ_max of the original",
        y_axis: "λ_max of the revision",
        x_log: true,
        y_log: true,
        classes: &["another answer", "the same answer"],
        points: &points,
    };
    scatter(&data, charts::REPORT_WIDTH)
}

fn side(
    session: &Session,
    selection: &Selection,
    model: usize,
    at: usize,
    row: &ExampleScore,
    marks: &[Range<usize>],
) -> Markup {
    let sample = &session.setup.samples[at];
    let old = session.setup.pairs.iter().any(|(original, _)| *original == at);
    html! {
        div.side {
            p.id { (if old { "original" } else { "revised" }) " · " (sample.id) }
            p { a href=(selection.link(&format!("/example/{at}"), |_| ())) { (marked(input_of(sample).text, marks, old)) } }
            @if let Some(pair) = input_of(sample).pair { p.pair { (beginning(pair, 400)) } }
            p {
                "label "
                b { (label(session, model, at)) } " · answer "
                b { (row.predicted) } " " (verdict(session.right(model, at, row)))
            }
            p { "λ" sub { "max" } " " b { (number(row.lambda_max)) } }
        }
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "not measured".into(), |share| format!("{:.0} %", 100.0 * share))
}
