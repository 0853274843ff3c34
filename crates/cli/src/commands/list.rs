//! `fissure list [KIND]`: the names and summaries of the catalog.

use fissure_core::{Kind, Language};
use fissure_kit::own_parts;

use crate::args::{List, ListKind};
use crate::catalog::{self, Listed};
use crate::ui::{Ui, table};
use crate::{Error, Result};

pub fn run(list: &List, ui: Ui) -> Result<()> {
    own_parts::add(&list.parts_file)?;
    let kinds: &[Kind] = match list.kind {
        None => Kind::ALL,
        Some(ListKind::Transforms) => &[Kind::Transform],
        Some(ListKind::Destroyers) => &[Kind::Destroyer],
        Some(ListKind::Slices) => &[Kind::Slice],
        Some(ListKind::Validators) => &[Kind::Validator],
        Some(ListKind::Readers) => &[Kind::Reader],
        Some(ListKind::Tasks) => &[Kind::Task],
        Some(ListKind::Attacks) => &[Kind::Attack, Kind::Goal, Kind::Source, Kind::Constraint, Kind::Search],
    };
    let task = list.task.as_deref().map(fissure_tasks::find).transpose()?;
    let serves = |listed: &Listed| match (task, listed.card.kind) {
        (Some(task), Kind::Task) => listed.card.name == task.name(),
        (Some(task), _) => listed.card.serves(&task.facts),
        (None, _) => true,
    };
    let listed: Vec<Listed> = kinds.iter().flat_map(|kind| catalog::of_kind(*kind)).filter(serves).collect();
    let text = if ui.json {
        let rows: Vec<_> = listed
            .iter()
            .map(|Listed { card, knobs }| {
                serde_json::json!({
                    "name": card.name, "aliases": card.aliases, "kind": card.kind, "summary": card.summary(), "level": card.level,
                    "family": card.family, "expectation": card.expectation, "languages": card.languages,
                    "knobs": knobs.iter().map(|knob| knob.name).collect::<Vec<_>>(),
                })
            })
            .collect();
        format!("{:#}\n", serde_json::Value::from(rows))
    } else {
        kinds.iter().map(|kind| section(*kind, &listed)).collect::<Vec<_>>().join("\n")
    };
    catalog::left_out().iter().for_each(|left_out| crate::ui::note(left_out));
    crate::ui::print(&text).map_err(Error::writing("standard output"))
}

fn section(kind: Kind, listed: &[Listed]) -> String {
    let rows: Vec<Vec<String>> = listed
        .iter()
        .map(|listed| listed.card)
        .filter(|card| card.kind == kind)
        .map(|card| match kind {
            Kind::Transform | Kind::Destroyer => vec![
                card.name.into(),
                card.expectation.map_or("", |expectation| expectation.name()).into(),
                languages(card.languages),
                card.summary(),
            ],
            Kind::Task => vec![card.name.into(), card.aliases.join(", "), card.summary()],
            _ => vec![card.name.into(), card.summary()],
        })
        .collect();
    let head: &[&str] = match kind {
        Kind::Transform | Kind::Destroyer => &[kind.name(), "label", "language", "what it does"],
        Kind::Task => &[kind.name(), "also called", "what it does"],
        _ => &[kind.name(), "what it does"],
    };
    format!("{}\n", table(head, &rows))
}

pub fn languages(languages: &[Language]) -> String {
    languages.iter().map(|language| language.code()).collect::<Vec<_>>().join(" ")
}
