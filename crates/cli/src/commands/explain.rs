//! `fissure explain NAME`: one card in full.

use std::fmt::Write as _;

use fissure_core::{Card, Chain, Example, Kind, KnobCard, Outcome, Resources, Sample, Trail};
use fissure_kit::own_parts;
use fissure_probes::TRANSFORMS;

use crate::args::Explain;
use crate::catalog::{self, Listed};
use crate::commands::list::languages;
use crate::ui::{Ui, bold, marked, table, wrapped};
use crate::{Error, Result};

pub fn run(explain: &Explain, ui: Ui) -> Result<()> {
    own_parts::add(&explain.parts_file)?;
    let found = catalog::find(&explain.name)?;
    let text = match found.as_slice() {
        [Listed { card, knobs }] if ui.json => format!("{:#}\n", json(card, knobs)),
        several if ui.json => {
            let all: Vec<_> = several.iter().map(|Listed { card, knobs }| json(card, knobs)).collect();
            format!("{:#}\n", serde_json::Value::from(all))
        }
        found => found.iter().map(|Listed { card, knobs }| page(card, knobs)).collect::<Vec<_>>().join("\n"),
    };
    crate::ui::print(&text).map_err(Error::writing("standard output"))
}

fn json(card: &Card, knobs: &[KnobCard]) -> serde_json::Value {
    let mut value = serde_json::json!(card);
    value["summary"] = card.summary().into();
    value["knobs"] = knobs
        .iter()
        .map(|knob| {
            serde_json::json!({
                "name": knob.name, "docs": one_line(knob.docs), "takes": knob.shape.describe(), "default": knob.default,
            })
        })
        .collect();
    value
}

fn page(card: &Card, knobs: &[KnobCard]) -> String {
    let mut page = format!("{} ({})\n\n{}", bold(card.name), card.kind.name(), prose(&card.text()));
    let facts = facts(card);
    if !facts.is_empty() {
        let _ = write!(page, "\n{}\n", table(&[], &facts));
    }
    if !knobs.is_empty() {
        let rows: Vec<Vec<String>> = knobs
            .iter()
            .map(|knob| vec![knob.name.into(), knob.default.clone(), knob.shape.describe(), one_line(knob.docs)])
            .collect();
        let _ = write!(page, "\n{}\n", table(&["knob", "default", "takes", "what it does"], &rows));
    }
    if let Some(recipe) = fissure_attacks::Recipe::text_of(card.name).filter(|_| card.kind == Kind::Attack) {
        let _ = write!(page, "\n{}\n\n{recipe}", bold("The recipe, as a file of your own (`--recipe mine.toml`)"));
    }
    if !card.examples.is_empty() {
        let _ = write!(page, "\n{}\n", bold("Examples"));
        for example in card.examples {
            page.push_str(&shown(card, example));
        }
    }
    page
}

/// Paragraphs in lines that fit; lists and code stay as they are.
fn prose(text: &str) -> String {
    let as_it_is = |paragraph: &str| paragraph.lines().any(|line| line.starts_with([' ', '-', '|', '*', '`']));
    let paragraphs = text.split("\n\n").map(|paragraph| match as_it_is(paragraph) {
        true => format!("{paragraph}\n"),
        false => wrapped(paragraph, ""),
    });
    paragraphs.collect::<Vec<_>>().join("\n")
}

fn facts(card: &Card) -> Vec<Vec<String>> {
    let mut facts: Vec<(&str, String)> = Vec::new();
    if let Some(expectation) = fissure_tasks::expectation_in_words(card) {
        facts.push(("label", expectation));
        facts.push(("language", languages(card.languages)));
        facts.push(("tasks", fissure_tasks::served_in_words(card)));
    }
    facts.extend(card.facts.iter().map(|(what, value)| (*what, (*value).into())));
    if let Some(human) = card.human {
        let ((p0, p1), (g0, g1)) = (human.plausibility, human.grammaticality);
        facts.push((
            "human scores",
            format!("plausible {p0} -> {p1}, grammatical {g0} -> {g1} (of 5, before -> after)"),
        ));
    }
    if !card.aliases.is_empty() {
        facts.push(("also called", card.aliases.join(", ")));
    }
    if let Some(citation) = card.citation {
        facts.push(("from", citation.into()));
    }
    facts.into_iter().map(|(what, value)| vec![what.into(), value]).collect()
}

/// An example run again, so that its changes can be marked.
fn shown(card: &Card, example: &Example) -> String {
    let (trail, settings) = rerun(card, example);
    let mut text = String::new();
    if !settings.is_empty() {
        let _ = writeln!(text, "  with {settings}");
    }
    // Edits count bytes of the text, so they can be painted only where the notation is the text.
    let is_plain = |sample: Sample| matches!(&sample.fields[..], [field] if field.text.as_str() == example.before);
    match trail {
        Some(trail) if example.sample().is_ok_and(is_plain) => {
            text + &format!("  {}\n", marked(example.before, "text", &trail.edits))
        }
        _ if example.before == example.after => text + &format!("  {}   (left alone)\n", example.before),
        _ => text + &format!("  {}  ->  {}\n", example.before, example.after),
    }
}

fn rerun(card: &Card, example: &Example) -> (Option<Trail>, String) {
    let own = example.settings.iter().filter(|(name, _)| *name != "seed");
    let settings: Vec<(String, String)> = own.map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let seed = example.settings.iter().find(|(name, _)| *name == "seed").and_then(|(_, value)| value.parse().ok());
    let shown = example.settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
    if !matches!(card.kind, Kind::Transform | Kind::Destroyer) {
        return (None, shown);
    }
    let chain = Chain::build(&TRANSFORMS, card.name, &settings).ok().map(|chain| chain.with(Resources::toy()));
    match chain.map(|chain| chain.run(&example.sample().unwrap_or_default(), seed.unwrap_or(0), 0)) {
        Some(Outcome::Changed(variant)) => (Some(variant.trail), shown),
        _ => (None, shown),
    }
}

fn one_line(docs: &str) -> String {
    docs.split_whitespace().collect::<Vec<_>>().join(" ")
}
