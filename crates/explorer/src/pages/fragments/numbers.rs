//! The scores of a text in figures, beside those it had before it was changed.

use fissure_geometry::{ExampleScore, REACH};
use maud::{Markup, html};

use crate::inspection::Inspection;
use crate::pages::{inner, maybe, number, probability, verdict};
use crate::session::Session;

/// Classes shown; the likeliest of many.
const CLASSES: usize = 8;

/// A score: its name, what it says, how it is read.
type Score = (&'static str, &'static str, fn(&ExampleScore) -> String);

const SCORES: [Score; 6] = [
    ("Flip forecast", "chance that the answer flips when a tenth of the words is replaced", |row| {
        maybe(row.flip_forecast)
    }),
    ("λ_max", "largest eigenvalue of the Fisher information", |row| number(row.lambda_max)),
    ("Margin", "logit of the answer less that of the next class", |row| number(row.margin)),
    ("Minimal perturbation", "smallest step along e_max that flips the answer", step),
    ("Distance", "to the nearest boundary, to first order", |row| number(row.distance)),
    ("Eigenvalues", "of the Fisher information, largest first", eigenvalues),
];

/// How likely each class is, and was.
pub fn classes(labels: &[String], predicted: usize, log_probs: &[f64], was: Option<&[f64]>) -> Markup {
    let mut classes: Vec<usize> = (0..log_probs.len().min(labels.len())).collect();
    classes.sort_by(|a, b| log_probs[*b].total_cmp(&log_probs[*a]));
    let more = classes.len().saturating_sub(CLASSES);
    classes.truncate(CLASSES);
    classes.sort_unstable();
    let before = |class: usize| was.filter(|was| *was != log_probs).map(|was| was[class].exp()).filter(|p| !p.is_nan());
    html! {
        table.classes { tbody { @for class in classes {
            @let p = log_probs[class].exp();
            @let drawn = if p.is_nan() { 0.0 } else { p };
            tr.best[class == predicted] {
                th scope="row" {
                    (labels[class])
                    @if class == predicted { span.hidden { " (the answer)" } }
                }
                td.bars { svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
                    rect.track x="0" y="0" width="100" height="8" {}
                    rect.bar x="0" y="0" width=(format!("{:.2}", 100.0 * drawn)) height="8" {}
                    @if let Some(before) = before(class) {
                        rect.was x=(format!("{:.2}", (100.0 * before - 0.6).max(0.0))) y="0" width="1.2" height="8" {}
                    }
                } }
                td.number {
                    @if !p.is_nan() { (probability(p)) } @else if class == predicted { "the answer" }
                    @if let Some(before) = before(class) { small { " was " (probability(before)) } }
                }
            }
        } } }
        @if more > 0 { p.note { "The likeliest " (CLASSES) " of " (CLASSES + more) " classes." } }
    }
}

pub fn numbers(session: &Session, model: usize, example: usize, now: &Inspection, was: Option<&Inspection>) -> Markup {
    let labels = session.labels(model);
    let row = &now.row;
    let predicted = labels.iter().position(|label| *label == row.predicted).unwrap_or(0);
    html! {
        div.answer { (classes(labels, predicted, &row.log_probs, was.map(|was| was.row.log_probs.as_slice()))) }
        @if was.is_none() { p.judged { (verdict(session.right(model, example, row))) } }
        dl.scores {
            @for (name, what, value) in SCORES {
                @let shown = |row: &ExampleScore| inner(session, model, value(row));
                (score(name, what, &shown(row), was.map(|was| shown(&was.row)).as_deref()))
            }
            (score("1 − max p", "how far the model is from being sure", &number(row.uncertainty), was.map(|was| number(was.row.uncertainty)).as_deref()))
        }
        @if row.flip_forecast.is_none() && !session.calibrated(model) {
            p.note { "The forecast is being calibrated on the first examples." }
        }
        details.numbers { summary { "What they mean" }
            dl.meanings { @for (name, what, _) in SCORES { dt { (name) } dd { (what) } } }
        }
    }
}

fn score(name: &str, what: &str, value: &str, was: Option<&str>) -> Markup {
    html! {
        div title=(what) {
            dt { (name) }
            dd { (value) @if let Some(was) = was { @if was != value { small { "was " (was) } } } }
        }
    }
}

fn step(row: &ExampleScore) -> String {
    let Some(eta) = row.eta else { return "not measured".into() };
    match (eta.eta_plus, eta.eta_minus) {
        (Some(plus), Some(minus)) => format!("{} (back: {})", number(plus), number(minus)),
        (Some(plus), None) => number(plus),
        (None, Some(minus)) => format!("{} backwards", number(minus)),
        (None, None) => format!("beyond {REACH}"),
    }
}

fn eigenvalues(row: &ExampleScore) -> String {
    const SHOWN: usize = 4;
    let shown: Vec<String> = row.eigenvalues.iter().take(SHOWN).map(|value| number(*value)).collect();
    let more = if row.eigenvalues.len() > SHOWN {
        format!(" and {} more", row.eigenvalues.len() - SHOWN)
    } else {
        String::new()
    };
    shown.join(", ") + &more
}
