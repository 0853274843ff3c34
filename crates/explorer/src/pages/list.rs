//! The list of examples: searched, filtered and sorted here, fifty rows at a time, so that any number will do.

use fissure_attacks::Record;
use fissure_geometry::input_of;
use maud::{Markup, html};

use super::overview::range;
use super::{beginning, frame, inner, label, maybe, model_switch, number, pager, probability, verdict};
use crate::selection::{BROKEN, PAGE, Selection, VIEWS};
use crate::session::{Session, Slot, read};

/// Characters of a text in the list.
const SHOWN: usize = 220;

pub fn list(session: &Session, selection: &Selection) -> Markup {
    let model = selection.model(session);
    let slots = session.slots(model);
    let chosen = selection.examples(session, &slots);
    let pages = chosen.len().div_ceil(PAGE).max(1);
    let page = selection.page().min(pages - 1);
    let first = page * PAGE;
    let view = VIEWS.iter().find(|(name, ..)| *name == selection.view).unwrap_or(&VIEWS[0]);
    let body = html! {
        div.heading { h1 { (view.1) } (model_switch(session, selection, "/list")) }
        nav.tabs aria-label="Views" {
            @for (name, title, _) in VIEWS.into_iter().filter(|(name, ..)| *name != BROKEN || session.setup.attacks.is_some()) {
                a href=(selection.link("/list", |s| { s.view = name.into(); s.sort.clear(); s.order.clear(); }))
                    aria-current=[(name == view.0).then_some("true")] {
                    (title)
                }
            }
        }
        p.note { (view.2) }
        (filter(session, selection, model))
        p.found { b { (chosen.len()) } @if chosen.len() == 1 { " example" } @else { " examples" }
            @if chosen.len() > PAGE { ", " (first + 1) " to " (chosen.len().min(first + PAGE)) } }
        @if chosen.is_empty() { p.empty {
            @if session.progress.report().running {
                "Nothing yet; scoring continues."
            } @else {
                "No example matches. "
                a href=(selection.cleared().link("/list", |_| ())) { "Show all" }
            }
        } } @else {
            (table(session, selection, model, &slots, &chosen[first..chosen.len().min(first + PAGE)], first))
        }
        (pager(selection, "/list", "Pages of the list", page, pages))
    };
    frame(session, selection, "/list", view.1, &body)
}

fn filter(session: &Session, selection: &Selection, model: usize) -> Markup {
    let labels = session.labels(model);
    let mut golds: Vec<String> =
        session.setup.samples.iter().filter_map(|sample| sample.label.as_ref().map(ToString::to_string)).collect();
    golds.sort();
    golds.dedup();
    html! {
        form.filter method="get" action="/list" role="search" {
            @if !selection.view.is_empty() { input type="hidden" name="view" value=(selection.view); }
            @if !selection.model.is_empty() { input type="hidden" name="model" value=(selection.model); }
            label.wide { span { "Text, id or label" } input type="search" name="q" value=(selection.q) data-search; }
            @if golds.len() < 200 && !golds.is_empty() { label { span { "Label" } select name="label" {
                option value="" { "any" }
                @for gold in &golds { option value=(gold) selected[*gold == selection.label] { (gold) } }
            } } }
            label { span { "Answer" } select name="predicted" {
                option value="" { "any" }
                @for label in labels { option value=(label) selected[*label == selection.predicted] { (label) } }
            } }
            (range("Flip forecast", "forecast", &selection.forecast_from, &selection.forecast_to))
            (range("λ_max", "lambda", &selection.lambda_from, &selection.lambda_to))
            (range("1 − max p", "doubt", &selection.doubt_from, &selection.doubt_to))
            div.actions {
                button { "Filter" }
                @if selection.narrows() {
                    a.button href=(selection.cleared().link("/list", |s| s.view.clone_from(&selection.view))) {
                        "Clear"
                    }
                }
            }
        }
    }
}

fn table(
    session: &Session,
    selection: &Selection,
    model: usize,
    slots: &[Slot],
    shown: &[usize],
    first: usize,
) -> Markup {
    let flips = read(&session.board(model).flips);
    html! {
        div.scroll { table.examples {
            thead { tr {
                th scope="col" { "Text" }
                th scope="col" { "Label" }
                th scope="col" { "Answer" }
                (head(selection, "Flip forecast", "forecast"))
                (head(selection, "λ_max", "lambda"))
                (head(selection, "1 − max p", "doubt"))
                (head(selection, "Margin", "margin"))
            } }
            tbody { @for &at in shown {
                @let sample = &session.setup.samples[at];
                @let input = input_of(sample);
                tr {
                    td.text {
                        a href=(selection.link(&format!("/example/{at}"), |s| s.page = (first / PAGE).to_string())) {
                            (beginning(input.text, SHOWN)) @if input.text.trim().is_empty() { i { "(no text)" } }
                        }
                        @if let Some(pair) = input.pair { div.pair { (beginning(pair, SHOWN)) } }
                        div.id { (sample.id)
                            @if let Some(Some(flip)) = flips.get(&at) {
                                span.tag.flip { "turns to " (flip.predicted) ": " (flip.from) " → " (flip.to) }
                            }
                            @if let Some(record) = session.broken(at) {
                                span.tag.flip { "broken: " (changes(record)) }
                            }
                            @if let Some(flips) = slots[at].row().and_then(|row| row.flips).filter(|flips| flips.turned > 0) {
                                span.tag.flip { "turned by " (flips.turned) " of " (flips.changed) " changes" }
                            }
                        }
                    }
                    td data-name="Label" { (label(session, model, at)) }
                    @match &slots[at] {
                        Slot::Scored(row) => {
                            td data-name="Answer" {
                                (row.predicted) " " small { (probability(1.0 - row.uncertainty)) }
                                div { (verdict(session.right(model, at, row))) }
                            }
                            td.number data-name="Flip forecast" { (inner(session, model, maybe(row.flip_forecast))) }
                            td.number data-name="λ_max" { (inner(session, model, number(row.lambda_max))) }
                            td.number data-name="1 − max p" { (number(row.uncertainty)) }
                            td.number data-name="Margin" { (number(row.margin)) }
                        },
                        Slot::Waiting => td colspan="5" { "not scored yet" },
                        Slot::Failed(why) => td colspan="5" { "could not be scored: " (why) },
                    }
                }
            } }
        } }
    }
}

/// What an attack changed, the first few words of it.
fn changes(record: &Record) -> String {
    const MOST: usize = 3;
    let shown: Vec<String> =
        record.edits.iter().take(MOST).map(|edit| format!("{} → {}", edit.old.trim(), edit.new.trim())).collect();
    let more = if record.edits.len() > MOST { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn head(selection: &Selection, title: &str, sort: &str) -> Markup {
    let sorted = selection.sort == sort;
    let falling = selection.order == "falling";
    let direction = if falling { "descending" } else { "ascending" };
    html! {
        th.number scope="col" aria-sort=[sorted.then_some(direction)] {
            a href=(selection.link("/list", |s| {
                s.sort = sort.into();
                s.order = if sorted && falling { String::new() } else { "falling".into() };
            })) { (title) @if sorted { (if falling { " ↓" } else { " ↑" }) } }
        }
    }
}
