//! The overview: how fragile the answers are, where the model is right, and which words carry it.

use fissure_core::counted;
use fissure_geometry::{ExampleScore, ShortcutWord, accuracy_by_decile, counts};
use fissure_report::charts::{self as report, Deciles};
use fissure_statistics::{proportion, spearman};
use maud::{Markup, html};

use super::{NEEDS_GRADIENTS, frame, inner, maybe, model_switch, number};
use crate::charts::{self, Axis, Point};
use crate::scoring::WEIGHED;
use crate::selection::{BROKEN, Selection};
use crate::session::{Session, Slot, read};

const BINS: usize = 40;
/// Chances below this are drawn at the edge: they cannot be distinguished, and no sample would show them.
const LEAST_CHANCE: f64 = -6.0;
const LEAST: f64 = -12.0;

pub fn overview(session: &Session, selection: &Selection) -> Markup {
    let model = selection.model(session);
    let slots = session.slots(model);
    let scored: Vec<(usize, &ExampleScore, bool)> = slots
        .iter()
        .enumerate()
        .filter_map(|(at, slot)| {
            let row = slot.row()?;
            Some((at, &**row, selection.takes(session, at, Some(row))))
        })
        .collect();
    let chosen: Vec<(usize, &ExampleScore)> =
        scored.iter().filter(|(.., chosen)| *chosen).map(|(at, row, _)| (*at, *row)).collect();
    let failures = || slots.iter().filter_map(|slot| if let Slot::Failed(why) = slot { Some(why) } else { None });
    let failed = failures().count();
    let body = html! {
        div.heading {
            h1 { "Where " em { (session.setup.subjects[model].name) } " is fragile" }
            (model_switch(session, selection, "/"))
        }
        (summary(session, selection, model, &scored, &chosen))
        @if failed > 0 {
            p.note.warn {
                (counted(failed, "example"))
                " could not be scored; the first because of this: "
                (failures().next().map_or("", |why| why))
            }
        }
        @if scored.is_empty() && failed == slots.len() { p.empty { "No example could be scored." } }
        @else if scored.is_empty() { p.empty { "The first scores will be here in a moment." } }
        @else { (pictures(session, selection, model, &scored, &chosen)) }
        (words(session, selection, model))
    };
    frame(session, selection, "/", "Overview", &body)
}

fn summary(
    session: &Session,
    selection: &Selection,
    model: usize,
    scored: &[(usize, &ExampleScore, bool)],
    chosen: &[(usize, &ExampleScore)],
) -> Markup {
    let verdicts: Vec<bool> = chosen.iter().filter_map(|(at, row)| session.right(model, *at, row)).collect();
    let accuracy = proportion(verdicts.iter().filter(|right| **right).count(), verdicts.len());
    let mut forecasts: Vec<f64> = chosen.iter().filter_map(|(_, row)| row.flip_forecast).collect();
    forecasts.sort_by(f64::total_cmp);
    let middle = forecasts.get(forecasts.len() / 2).copied();
    let tried = chosen.iter().filter(|(_, row)| row.flips.is_some_and(|flips| flips.changed > 0)).count();
    let turned = chosen.iter().filter(|(_, row)| row.flips.is_some_and(|flips| flips.turned > 0)).count();
    let easy = forecasts.iter().filter(|p| **p > 0.1).count();
    html! {
        dl.figures {
            div { dt { "Scored" } dd { (scored.len()) " of " (session.setup.samples.len()) } }
            @if selection.narrows() { div { dt { "Chosen" } dd { (chosen.len()) } } }
            div { dt { "Accuracy" } dd {
                @match accuracy {
                    Some(a) => {
                        (format!("{:.1} %", 100.0 * a.value))
                        small { (format!("{:.1} to {:.1} %", 100.0 * a.low, 100.0 * a.high)) }
                    },
                    None => "not measured",
                }
            } }
            div {
                dt { "Median flip forecast" }
                dd { (inner(session, model, maybe(middle))) small { "when a tenth of the words is replaced" } }
            }
            @if session.inside(model).is_some() { div {
                dt { "Easily turned" }
                dd { (easy) small { "examples whose forecast is above 0.1" } }
            } }
            @if tried > 0 { div {
                dt { "Turned in the run" }
                dd { (turned) small { "of " (tried) " examples, by at least one change that keeps the right answer" } }
            } }
            @if let Some((name, attacked, broken)) = session.attacked() { div {
                dt { "Broken by the attack" }
                dd {
                    a href=(selection.link("/list", |s| s.view = BROKEN.into())) { (broken) }
                    small { "of " (attacked) " attacked examples, by " (name) }
                }
            } }
        }
        form.filter method="get" action="/" role="search" aria-label="Filter examples" {
            @if !selection.model.is_empty() { input type="hidden" name="model" value=(selection.model); }
            label.wide { span { "Text, id or label" } input type="search" name="q" value=(selection.q) data-search; }
            (range("λ_max", "lambda", &selection.lambda_from, &selection.lambda_to))
            (range("Flip forecast", "forecast", &selection.forecast_from, &selection.forecast_to))
            (range("1 − max p", "doubt", &selection.doubt_from, &selection.doubt_to))
            div.actions {
                button { "Filter" }
                @if selection.narrows() {
                    a.button href=(selection.cleared().link("/", |_| ())) { "Clear" }
                    a.button.strong href=(selection.link("/list", |_| ())) { "Show these " (chosen.len()) }
                }
            }
        }
        p.note { "Drag across a chart to filter, or type a range. The filter applies to every page." }
    }
}

pub fn range(title: &str, name: &str, from: &str, to: &str) -> Markup {
    html! {
        fieldset { legend { (title) }
            input type="text" inputmode="decimal" name=(format!("{name}_from")) value=(from) placeholder="from"
                aria-label=(format!("{title} from"));
            input type="text" inputmode="decimal" name=(format!("{name}_to")) value=(to) placeholder="to"
                aria-label=(format!("{title} to"));
        }
    }
}

fn pictures(
    session: &Session,
    selection: &Selection,
    model: usize,
    scored: &[(usize, &ExampleScore, bool)],
    chosen: &[(usize, &ExampleScore)],
) -> Markup {
    let tens = std::f64::consts::LN_10;
    let lambda = |row: &ExampleScore| row.log_lambda_max / tens;
    let forecast = |row: &ExampleScore| row.flip_forecast.map_or(f64::NAN, |p| p.log10().max(LEAST_CHANCE));
    let doubt = |row: &ExampleScore| row.uncertainty.log10();
    let lambda_axis =
        Axis::around("lambda", "λ_max, largest Fisher eigenvalue", scored.iter().map(|(_, row, _)| lambda(row)), LEAST);
    let forecast_axis = Axis::around(
        "forecast",
        "flip forecast, chance to turn",
        scored.iter().map(|(_, row, _)| forecast(row)),
        LEAST_CHANCE,
    );
    let doubt_axis = Axis::around("doubt", "1 − max p", scored.iter().map(|(_, row, _)| doubt(row)), LEAST);
    let histogram = |axis: &Axis, of: &dyn Fn(&ExampleScore) -> f64| {
        let all = counts(scored.iter().map(|(_, row, _)| of(row)), axis.from, axis.to, BINS);
        let some = counts(chosen.iter().map(|(_, row)| of(row)), axis.from, axis.to, BINS);
        charts::histogram(axis, &all, &some, selection.narrows())
    };
    let points = |x: &dyn Fn(&ExampleScore) -> f64| -> Vec<Point> {
        scored
            .iter()
            .map(|(at, row, chosen)| Point {
                example: *at,
                x: x(row),
                y: doubt(row),
                right: session.right(model, *at, row),
                chosen: *chosen,
            })
            .filter(|point| !point.x.is_nan())
            .collect()
    };
    let rank = |x: &dyn Fn(&ExampleScore) -> f64| {
        let (a, b): (Vec<f64>, Vec<f64>) =
            chosen.iter().map(|(_, row)| (x(row), row.uncertainty)).filter(|(x, _)| x.is_finite()).unzip();
        spearman(&a, &b).map(|found| format!("Spearman {:.2} over {} examples.", found.r, found.n).replace('-', "−"))
    };
    let judged: Vec<(f64, bool)> =
        chosen.iter().filter_map(|(at, row)| Some((row.fragility(), session.right(model, *at, row)?))).collect();
    let has_lambda = scored.iter().any(|(_, row, _)| !row.log_lambda_max.is_nan());
    let by = if chosen.iter().any(|(_, row)| row.flip_t.is_some()) {
        "tenth of the flip forecast, least fragile first"
    } else if !has_lambda && chosen.iter().any(|(_, row)| row.flips.is_some()) {
        "tenth by turned changes, then 1 − max p, least fragile first"
    } else if !has_lambda {
        "tenth of 1 − max p, least fragile first"
    } else {
        "tenth of λ_max, least fragile first"
    };
    let overall = proportion(judged.iter().filter(|(_, right)| *right).count(), judged.len()).map(|all| all.value);
    let accuracy = report::deciles(
        &Deciles {
            title: "Accuracy by tenth of fragility",
            axis: by,
            score: "accuracy",
            values: &accuracy_by_decile(&judged),
            overall,
        },
        charts::REPORT_WIDTH,
    );
    let has_forecast = scored.iter().any(|(_, row, _)| row.flip_forecast.is_some());
    html! {
        div.charts {
            @if has_forecast {
                section.card {
                    h2 { "Flip forecast" }
                    p.note { "How likely the answer flips when a tenth of the words is replaced by random ones." }
                    (histogram(&forecast_axis, &forecast))
                }
            }
            section.card {
                h2 { "λ" sub { "max" } }
                p.note { "How fast the probabilities change in the most fragile direction, e" sub { "max" } "." }
                @if has_lambda { (histogram(&lambda_axis, &lambda)) } @else { p.empty { (NEEDS_GRADIENTS) } }
            }
            section.card { h2 { "Accuracy by tenth of fragility" }
                @if judged.is_empty() { p.empty { "Not measured: no example has a label that the model knows." } }
                @else {
                    p.note { "With 95 % intervals. Bars that fall say that fragile answers are wrong more often." }
                    (charts::of_report(&accuracy))
                }
            }
            @if has_forecast {
                section.card {
                    h2 { "Forecast against confidence" } p.note { (rank(&forecast).unwrap_or_default()) }
                    (charts::scatter(&forecast_axis, &doubt_axis, &points(&forecast), model))
                }
            }
            @if has_lambda { section.card {
                h2 { "λ" sub { "max" } " against confidence" }
                p.note {
                    (rank(&lambda).unwrap_or_default()) " Near 1, λ" sub { "max" }
                    " says little that 1 − max p does not."
                }
                (charts::scatter(&lambda_axis, &doubt_axis, &points(&lambda), model))
            } } @else { section.card {
                h2 { "1 − max p" }
                p.note { "How far the model is from being sure." }
                (histogram(&doubt_axis, &doubt))
            } }
        }
    }
}

fn words(session: &Session, selection: &Selection, model: usize) -> Markup {
    let shortcuts = read(&session.board(model).shortcuts).clone();
    let planted = |word: &str| session.setup.planted.iter().find(|planted| planted.word == word);
    let toward = |shortcut: &ShortcutWord| session.labels(model).get(shortcut.toward).cloned().unwrap_or_default();
    let weighed = session.setup.samples.len().min(WEIGHED);
    html! {
        section.card.words {
            h2 { "Words that carry decisions without support from the labels" }
            @if !session.setup.planted.is_empty() {
                p.note { "In the data that this model was trained on, something was planted: "
                    @for (at, planted) in session.setup.planted.iter().enumerate() {
                        @if at > 0 { ", " } b { (planted.word) } " (" (planted.label) ")"
                    }
                    ". Here they go with both labels." }
            }
            @match shortcuts {
                None if session.inside(model).is_none() => p.empty {
                    (NEEDS_GRADIENTS) ". " code { "fissure words" } " weighs the words of this model by leaving them out."
                },
                None => p.empty { "They are measured last, after the scoring and the search for flips." },
                Some(found) if found.is_empty() => p.empty { "No word stands in enough examples to be measured." },
                Some(found) => {
                    p.note {
                        "Over " (weighed)
                        " examples. “Turns”: how often the answer flips when the word is replaced. “Supported”: whether the "
                        "labels agree with the pull: 1 always, 0 not at all, below 0 it misleads."
                    }
                    div.scroll { table.examples {
                        thead {
                            tr {
                                th scope="col" { "Word" } th scope="col" { "Pulls toward" }
                                th.number scope="col" { "Examples" } th.number scope="col" { "Turns" }
                                th.number scope="col" { "Supported" } th.number scope="col" { "In training" }
                            }
                        }
                        tbody { @for shortcut in found.iter().take(12) { tr {
                            td {
                                a href=(selection.cleared().link("/list", |s| s.q.clone_from(&shortcut.word))) {
                                    (shortcut.word)
                                }
                                @if planted(&shortcut.word).is_some() { span.tag { "planted, found" } }
                            }
                            td data-name="Pulls toward" { (toward(shortcut)) }
                            td.number data-name="Examples" { (shortcut.support) }
                            td.number data-name="Turns" {
                                @match shortcut.flip_rate {
                                    Some(rate) => (format!("{:.0} % of {}", 100.0 * rate.value, shortcut.tried)),
                                    None => "not tried",
                                }
                            }
                            td.number data-name="Supported" { (signed(shortcut.lift)) }
                            td.number data-name="In training" { (signed(shortcut.training_correlation)) }
                        } } }
                    } }
                },
            }
        }
    }
}

fn signed(value: Option<f64>) -> String {
    value.map_or_else(|| "not measured".into(), |value| format!("{value:+.2}").replace('-', "−"))
}

/// For other pages: how an example stands, in one line.
pub fn standing(row: &ExampleScore) -> String {
    match row.flip_forecast {
        Some(p) => format!("flip forecast {}", number(p)),
        None if row.lambda_max.is_nan() => format!("1 − max p {}", number(row.uncertainty)),
        None => format!("λ_max {}", number(row.lambda_max)),
    }
}
