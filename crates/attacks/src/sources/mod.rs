//! Sources of candidates for a word.

use fissure_core::Entry;

use crate::Source;

mod bugs;
mod delete;
mod hidden_characters;
mod inflections;
mod masked;
mod neighbours;
pub(crate) mod part;
mod synonyms;
mod vocabulary;

/// Every source, in the order of lists.
pub static ALL: &[&Entry<dyn Source>] = &[
    &bugs::ENTRY,
    &delete::ENTRY,
    &hidden_characters::ENTRY,
    &inflections::ENTRY,
    &masked::ENTRY,
    &neighbours::ENTRY,
    &part::ENTRY,
    &synonyms::ENTRY,
    &vocabulary::ENTRY,
];
