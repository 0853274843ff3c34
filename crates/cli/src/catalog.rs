//! Everything that has a card, in one list: what `list`, `explain` and the generated docs show.

use fissure_attacks::{CONSTRAINTS, GOALS, SEARCHES, SOURCES};
use fissure_core::{Card, Kind, KnobCard, nearest};
use fissure_data::Format;
use fissure_probes::{SLICES, TRANSFORMS, VALIDATORS};
use fissure_text::share_alike;

use crate::{Error, Result};

/// A card and the knobs that belong to it.
#[derive(Debug, Clone)]
pub struct Listed {
    pub card: &'static Card,
    pub knobs: Vec<KnobCard>,
}

/// All cards: by kind, in the order of their shelves.
pub fn all() -> Vec<Listed> {
    let transforms = TRANSFORMS.entries().map(|entry| Listed { card: &entry.card, knobs: entry.knobs() });
    let slices = SLICES.entries().map(|entry| Listed { card: &entry.card, knobs: entry.knobs() });
    let validators = VALIDATORS.entries().map(|entry| Listed { card: &entry.card, knobs: entry.knobs() });
    let plain = |card| Listed { card, knobs: Vec::new() };
    let readers = Format::cards().map(plain);
    let tasks = fissure_tasks::ALL.iter().map(|task| plain(&task.card));
    let attacks = fissure_attacks::cards().iter().map(|(card, knobs)| Listed { card, knobs: knobs.clone() });
    let goals = GOALS.entries().map(|entry| Listed { card: &entry.card, knobs: entry.knobs() });
    let sources = SOURCES.entries().map(|entry| Listed { card: &entry.card, knobs: entry.knobs() });
    let constraints = CONSTRAINTS.entries().map(|entry| Listed { card: &entry.card, knobs: entry.knobs() });
    let searches = SEARCHES.entries().map(|entry| Listed { card: &entry.card, knobs: entry.knobs() });
    let of_attacks = attacks.chain(goals).chain(sources).chain(constraints).chain(searches);
    transforms.chain(slices).chain(validators).chain(readers).chain(tasks).chain(of_attacks).collect()
}

/// The cards of one kind.
pub fn of_kind(kind: Kind) -> Vec<Listed> {
    all().into_iter().filter(|listed| listed.card.kind == kind).collect()
}

/// What a user calls `name`, of whatever kinds: `prejudice` is a transformation and a slice.
pub fn find(name: &str) -> Result<Vec<Listed>> {
    let all = all();
    let found: Vec<Listed> = all.iter().filter(|listed| listed.card.is_called(name)).cloned().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let looked = [TRANSFORMS.find(name).err(), SLICES.find(name).err(), VALIDATORS.find(name).err()];
    if let Some(absent) = looked.into_iter().flatten().find(|error| matches!(error, fissure_core::Error::Absent { .. }))
    {
        return Err(absent.into());
    }
    let near = nearest(name, all.iter().map(|listed| listed.card.name));
    let nearest = match near.as_slice() {
        [] => ".".into(),
        near => format!("; did you mean `{}`?", near.join("` or `")),
    };
    Err(Error::Nowhere { name: name.into(), nearest })
}

/// What this build cannot run, in a sentence; nothing if it can run all.
pub fn left_out() -> Option<String> {
    let names = [TRANSFORMS.absent(), SLICES.absent(), VALIDATORS.absent()].concat();
    (!names.is_empty()).then(|| format!("not in this build: {}; each {}", names.join(", "), share_alike::MISSING))
}
