//! The language toolbox of Fissure: words, sentences, tags, parses, inflection, senses and neighbours.

mod analysis;
pub mod articles;
pub mod casing;
mod clusters;
mod entities;
pub mod inflection;
pub mod keyboard;
mod lemmas;
pub mod lexicon;
mod look;
pub mod lookalikes;
mod memory;
pub mod misspellings;
mod named;
pub mod names;
pub mod neighbours;
pub mod ngrams;
pub mod numbers;
pub mod opposites;
mod parse;
mod perceptron;
pub mod polarity;
mod sentences;
pub mod sentiment;
pub mod share_alike;
pub mod substitutes;
mod tags;
mod tokens;
#[doc(hidden)]
pub mod training;
mod weights;
pub mod wordnet;

pub use analysis::{Analysis, analyse};
pub use entities::{Entity, EntityKind};
pub use lemmas::lemma;
pub use parse::Dependency;
pub use sentences::sentences;
pub use substitutes::{Kinship, substitutes};
pub use tags::{Penn, Relation, Tag, Upos};
pub use tokens::{Token, TokenKind, tokens};
