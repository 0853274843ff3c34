//! The language toolbox of Fissure: words, sentences, tags, parses, inflection, senses and neighbours.

mod analysis;
mod clusters;
mod entities;
mod lemmas;
mod look;
mod names;
mod parse;
mod perceptron;
mod sentences;
mod tags;
mod tokens;
#[doc(hidden)]
pub mod training;
mod weights;

pub use analysis::{Analysis, analyse};
pub use entities::{Entity, EntityKind};
pub use lemmas::lemma;
pub use parse::Dependency;
pub use sentences::sentences;
pub use tags::{Penn, Relation, Tag, Upos};
pub use tokens::{Token, TokenKind, tokens};
