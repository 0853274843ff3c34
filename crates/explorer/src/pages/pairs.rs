//! Pairs of an original and its revision: which side is more fragile?

use fissure_geometry::{PairScore, Row, question, summarise};
use fissure_report::Chart;
use fissure_report::charts::{Scatter, ScatterPoint, scatter};
use maud::{Markup, html};

use super::{beginning, frame, model_switch, number, verdict};
use crate::charts;
use crate::selection::{PAGE, Selection};
use crate::session::Session;

pub fn pairs(session: &Session, selection: &Selection) -> Markup {
    let model = selection.model(session);
    let slots = session.slots(model);
    let mut scored: Vec<(usize, usize, &Row, &Row)> = session
        .setup
        .pairs
        .iter()
        .filter_map(|&(a, b)| Some((a, b, &**slots.get(a)?.row()?, &**slots.get(b)?.row()?)))
        .filter(|(a, b, one, other)| {
            selection.takes(session, *a, Some(one)) || selection.takes(session, *b, Some(other))
        })
        .collect();
    let difference = |one: &Row, other: &Row| one.log_lambda_max - other.log_lambda_max;
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
        @match summarise(&scores) {
            None => p.empty { "Fewer than two pairs are scored yet, or like the choice." },
            Some(summary) => {
                dl.figures {
                    div { dt { "Pairs" } dd { (summary.pairs) } }
                    div { dt { "Both right" } dd { (followed) } }
                    div {
                        dt { "λ original − λ revised" }
                        dd { (number(summary.mean_difference.value))
                            small {
                                "95 % interval " (number(summary.mean_difference.low)) " to "
                                (number(summary.mean_difference.high)) ", standard deviation " (number(summary.spread))
                            }
                        }
                    }
                    div { dt { "Revision not harder" } dd { (percent(Some(summary.not_harder.value))) } }
                    div { dt { "Overlap of ln λ" } dd { (percent(summary.overlap)) } }
                }
            },
        }
        @if !scored.is_empty() {
            section.card.single {
                h2 { "λ" sub { "max" } " of both sides" } (charts::of_report(&picture(session, &scored)))
            }
        }
        p.note { "The largest ratios of λ" sub { "max" } " first." }
        @for (a, b, one, other) in scored.iter().skip(page * PAGE).take(PAGE) {
            article.card.couple {
                (side(session, selection, model, *a, one, "original"))
                p.between {
                    "ratio " b { (number(difference(one, other).exp())) }
                    small { "difference " (number(one.lambda_max - other.lambda_max)) }
                }
                (side(session, selection, model, *b, other, "revised"))
            }
        }
        @if pages > 1 { nav.pager aria-label="Pages" {
            @if page > 0 {
                a.button rel="prev" href=(selection.link("/pairs", |s| s.page = (page - 1).to_string())) { "← Before" }
            }
            span { "page " (page + 1) " of " (pages) }
            @if page + 1 < pages {
                a.button rel="next" href=(selection.link("/pairs", |s| s.page = (page + 1).to_string())) { "After →" }
            }
        } }
    };
    frame(session, selection, "/pairs", "Pairs", &body)
}

/// Every pair as a point: below the diagonal the revision is the easier one.
fn picture(session: &Session, scored: &[(usize, usize, &Row, &Row)]) -> Chart {
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
    scatter(&data, charts::WIDTH)
}

fn side(session: &Session, selection: &Selection, model: usize, at: usize, row: &Row, what: &str) -> Markup {
    let sample = &session.setup.samples[at];
    html! {
        div.side {
            p.id { (what) " · " (sample.id) }
            p { a href=(selection.link(&format!("/example/{at}"), |_| ())) { (beginning(question(sample).text, 400)) } }
            @if let Some(pair) = question(sample).pair { p.pair { (beginning(pair, 400)) } }
            p {
                "label "
                b { (sample.label.as_ref().map(ToString::to_string).unwrap_or_default()) } " · answer "
                b { (row.predicted) } " " (verdict(session.right(model, at, row))) " · λ_max "
                b { (number(row.lambda_max)) }
            }
        }
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "not measured".into(), |share| format!("{:.0} %", 100.0 * share))
}
