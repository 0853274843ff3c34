//! What several parts share: a text read for its words, one word put in the place of another, names and neighbours.

pub(crate) mod agreement;
pub(crate) mod known;
pub(crate) mod mentions;
pub(crate) mod names;
pub(crate) mod near;
pub(crate) mod paths;
pub(crate) mod reading;
pub(crate) mod senses;
pub(crate) mod sentences;
pub(crate) mod substitution;
pub(crate) mod swaps;
