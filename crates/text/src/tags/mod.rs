//! Part-of-speech tags.

mod sets;

pub use sets::{Penn, Relation, Upos};
