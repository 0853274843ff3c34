//! The pages, as markup. Everything that comes from the data passes through maud, which escapes it.

mod basket;
mod changes;
mod example;
pub mod fragments;
mod list;
mod models;
mod overview;
mod pairs;
mod run;

use maud::{DOCTYPE, Markup, html};

use crate::selection::Selection;
use crate::session::Session;

pub use basket::basket;
pub use example::{Came, example};
pub use list::list;
pub use models::models;
pub use overview::overview;
pub use pairs::pairs;
pub use run::run;

/// What every page has around it.
fn frame(session: &Session, selection: &Selection, here: &str, title: &str, body: &Markup) -> Markup {
    let kept = session.basket().kept.len();
    let mut places = vec![("/", "Overview"), ("/list", "Examples")];
    if session.setup.findings.is_some() {
        places.push(("/run", "Run"));
    }
    if !session.setup.pairs.is_empty() {
        places.push(("/pairs", "Pairs"));
    }
    if session.setup.subjects.len() > 1 {
        places.push(("/models", "Models"));
    }
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Fissure" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/charts.css";
                link rel="stylesheet" href="/assets/style.css";
                script type="module" src="/assets/main.js" {}
            }
            body {
                a.skip href="#main" { "Skip to content" }
                header.top {
                    a.brand href=(selection.cleared().link("/", |_| ())) { (crack()) span { "Fissure" } }
                    nav aria-label="Pages" {
                        @for (path, name) in places {
                            a href=(selection.link(path, |_| ())) aria-current=[(path == here).then_some("page")] {
                                (name)
                            }
                        }
                        a href=(selection.link("/basket", |_| ()))
                            aria-current=[(here == "/basket").then_some("page")] {
                            "Basket" span.count #basket-count { (kept) }
                        }
                    }
                    (progress(session))
                }
                main #main tabindex="-1" { (body) }
                footer {
                    p { (session.setup.title) " · " (session.setup.samples.len()) " examples · "
                        @for (at, subject) in session.setup.subjects.iter().enumerate() { @if at > 0 { ", " } (subject.name) } }
                    p.keys { button type="button" data-do="keys" { kbd { "?" } " Keys" } }
                    dialog #keys aria-label="Keys" {
                        h2 { "Keys" }
                        dl {
                            dt { kbd { "g" } " " kbd { "o" } } dd { "overview" }
                            dt { kbd { "g" } " " kbd { "e" } } dd { "examples" }
                            dt { kbd { "g" } " " kbd { "b" } } dd { "basket" }
                            dt { kbd { "/" } } dd { "search" }
                            dt { kbd { "←" } " " kbd { "→" } } dd { "from word to word, or page to page of the list" }
                            dt { kbd { "Enter" } } dd { "other words to try; apply a word" }
                            dt { kbd { "u" } " / " kbd { "r" } } dd { "undo, redo" }
                            dt { kbd { "1" } " " kbd { "2" } " " kbd { "3" } }
                            dd { "colour words by e_max, integrated gradients, gradient · embedding" }
                            dt { kbd { "s" } } dd { "put this example into the basket" }
                            dt { kbd { "n" } " / " kbd { "p" } } dd { "next, previous example of the list" }
                            dt { kbd { "Esc" } } dd { "close" }
                        }
                        form method="dialog" { button { "Close" } }
                    }
                }
                div.status #status role="status" aria-live="polite" {}
            }
        }
    }
}

fn progress(session: &Session) -> Markup {
    let report = session.progress.report();
    html! {
        div.progress #progress data-running=(report.running) data-finished=(report.finished)
            hidden[report.finished && report.trouble.is_none()] {
            span.phase { (report.trouble.clone().unwrap_or_else(|| report.phase.to_owned())) }
            progress value=(report.done) max=(report.total.max(1)) aria-label="Background work" {}
            span.figures { (report.done) " / " (report.total) }
            button type="button" data-do=(if report.running { "stop" } else { "go" }) {
                (if report.running { "Stop" } else { "Go on" })
            }
        }
    }
}

/// The logo: a crack through a word.
fn crack() -> Markup {
    html! {
        svg.crack viewBox="0 0 24 24" aria-hidden="true" {
            rect.stone x="1" y="4" width="22" height="16" rx="4" {}
            path.gap d="M13.5 3.5L10 9.5l4 3-3.5 3.5 1 4.5" {}
        }
    }
}

/// Chooses between models, where there are several.
fn model_switch(session: &Session, selection: &Selection, path: &str) -> Markup {
    let chosen = selection.model(session);
    html! {
        @if session.setup.subjects.len() > 1 {
            p.switch { span { "Model" }
                @for (at, subject) in session.setup.subjects.iter().enumerate() {
                    a href=(selection.link(path, |s| s.model = at.to_string()))
                        aria-current=[(at == chosen).then_some("true")] {
                        (subject.name)
                    }
                }
            }
        }
    }
}

/// A number for people: three digits that count.
pub fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "not measured".into(),
        value if value.is_infinite() => {
            if value > 0.0 {
                "∞".into()
            } else {
                "−∞".into()
            }
        }
        0.0 => "0".into(),
        value if (0.001..10_000.0).contains(&value.abs()) => {
            let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 5) as usize;
            format!("{value:.digits$}").replace('-', "−")
        }
        value => format!("{value:.1e}").replace('-', "−"),
    }
}

/// What stands in place of a number that only gradients give.
const NEEDS_GRADIENTS: &str = "needs gradients";

/// The same, where it may not have been measured, or cannot be.
fn inner(session: &Session, model: usize, shown: String) -> String {
    let missing = shown.is_empty() || shown == "not measured";
    if missing && session.inside(model).is_none() { NEEDS_GRADIENTS.to_owned() } else { shown }
}

/// The same, where it may not have been measured.
fn maybe(value: Option<f64>) -> String {
    value.map_or_else(|| "not measured".into(), number)
}

/// A probability; near 1 its distance from 1 is shown.
pub fn probability(p: f64) -> String {
    if p.is_nan() {
        return "without a probability".into();
    }
    if p > 0.9995 && p < 1.0 { format!("1 − {}", number(1.0 - p)) } else { format!("{p:.3}") }
}

/// A verdict in a sign and a word.
pub fn verdict(right: Option<bool>) -> Markup {
    html! {
        @match right {
            Some(true) => span.verdict.good { "✓ right" },
            Some(false) => span.verdict.bad { "✗ wrong" },
            None => span.verdict { "no label" },
        }
    }
}

/// The label of an example as the model calls it, and as the data write it where that is something else.
fn label(session: &Session, model: usize, example: usize) -> Markup {
    let written = session.setup.samples[example].label.as_ref().map(ToString::to_string);
    let known = session.gold(model, example).map(|class| &session.labels(model)[class]);
    html! {
        @match (written, known) {
            (None, _) => small { "none" },
            (Some(written), Some(known)) if written != *known => { (known) " " small { "(" (written) ")" } },
            (Some(written), _) => (written),
        }
    }
}

/// From page to page of something long.
fn pager(selection: &Selection, path: &str, name: &str, page: usize, pages: usize) -> Markup {
    html! {
        @if pages > 1 { nav.pager aria-label=(name) {
            @if page > 0 {
                a.button rel="prev" href=(selection.link(path, |s| s.page = (page - 1).to_string())) { "← Previous" }
            }
            span { "page " (page + 1) " of " (pages) }
            @if page + 1 < pages {
                a.button rel="next" href=(selection.link(path, |s| s.page = (page + 1).to_string())) { "After →" }
            }
        } }
    }
}

/// The beginning of a text, cut at a character.
fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        let shown = [1.0, 0.12345, 123.456, -2.5, 0.0, 1.5e-7, f64::NAN, f64::INFINITY, 20_000.0].map(number);
        assert_eq!(shown, ["1.00", "0.123", "123", "−2.50", "0", "1.5e−7", "not measured", "∞", "2.0e4"]);
        assert_eq!([probability(0.5), probability(1.0 - 1e-6)], ["0.500", "1 − 1.0e−6"]);
        assert_eq!(beginning("añb", 2), "añ…");
    }
}
