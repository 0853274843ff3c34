//! Everything in the house that has a card, in one list: what `list`, `explain` and the generated docs show.

use fissure_core::{Card, Kind, KnobCard, nearest};
use fissure_data::{Format, layouts};
use fissure_probes::{SLICES, TRANSFORMS};

use crate::{Error, Result};

/// A card and the knobs that belong to it.
#[derive(Debug, Clone)]
pub struct Listed {
    pub card: &'static Card,
    pub knobs: Vec<KnobCard>,
}

/// All cards: by kind, in the order of their shelves.
pub fn all() -> Vec<Listed> {
    let transforms = TRANSFORMS.entries().map(|entry| Listed { card: &entry.card, knobs: (entry.knobs)() });
    let slices = SLICES.entries().map(|entry| Listed { card: &entry.card, knobs: (entry.knobs)() });
    let plain = |card| Listed { card, knobs: Vec::new() };
    let readers = Format::cards().map(plain);
    let tasks = layouts::ALL.iter().map(|layout| plain(&layout.card));
    transforms.chain(slices).chain(readers).chain(tasks).collect()
}

/// The cards of one kind.
pub fn of_kind(kind: Kind) -> Vec<Listed> {
    all().into_iter().filter(|listed| listed.card.kind == kind).collect()
}

/// What a user calls `name`, of whatever kind.
pub fn find(name: &str) -> Result<Listed> {
    let all = all();
    match all.iter().find(|listed| listed.card.is_called(name)) {
        Some(found) => Ok(found.clone()),
        None => {
            let near = nearest(name, all.iter().map(|listed| listed.card.name));
            let nearest = match near.as_slice() {
                [] => ".".into(),
                near => format!("; did you mean `{}`?", near.join("` or `")),
            };
            Err(Error::Nowhere { name: name.into(), nearest })
        }
    }
}
