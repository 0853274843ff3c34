//! The language toolbox of Fissure: words, sentences, tags, parses, inflection, senses and neighbours.

mod clusters;
mod look;
mod names;
mod perceptron;
mod sentences;
mod tags;
mod tokens;
#[doc(hidden)]
pub mod training;
mod weights;

pub use sentences::sentences;
pub use tags::{Penn, Relation, Upos};
pub use tokens::{Token, TokenKind, tokens};
