//! Transformations made for tasks: their cards say what a sample must have (a pair, entities, answers, clusters), never
//! the name of a task.

use fissure_core::{Entry, Transform};

mod add_sent;
mod concat_sent;
mod ent_typos;
mod modify_pos;
mod num_word;
mod rnd_delete;
mod rnd_insert;
mod rnd_repeat;
mod rnd_replace;
mod rnd_shuffle;
mod swap_ent;

/// Every part of this folder, in the order of lists.
pub static ALL: &[&Entry<dyn Transform>] = &[
    &add_sent::ENTRY,
    &concat_sent::ENTRY,
    &ent_typos::ENTRY,
    &modify_pos::ENTRY,
    &num_word::ENTRY,
    &rnd_delete::ENTRY,
    &rnd_insert::ENTRY,
    &rnd_repeat::ENTRY,
    &rnd_replace::ENTRY,
    &rnd_shuffle::ENTRY,
    &swap_ent::ENTRY,
];
