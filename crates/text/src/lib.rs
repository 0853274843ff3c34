//! Language tools: words, sentences, tags, parses, inflection, senses and neighbours.

mod analysis;
pub mod articles;
pub mod casing;
pub mod chinese;
mod clusters;
mod entities;
pub mod function_words;
pub mod inflection;
pub mod keyboard;
mod lemmas;
pub mod lexicon;
pub mod lookalikes;
pub mod misspellings;
pub mod names;
pub mod neighbours;
pub mod ngrams;
pub mod numbers;
pub mod opinions;
pub mod opposites;
mod parse;
mod perceptron;
pub mod polarity;
mod score_cache;
pub mod sense_keys;
mod sentences;
pub mod sentiment;
pub mod share_alike;
pub mod substitutes;
mod tag_enum;
mod tags;
mod tokens;
#[doc(hidden)]
pub mod training;
mod weights;
mod word_features;
pub mod wordnet;

pub use analysis::{Analysis, analyse};
pub use entities::{Entity, EntityKind};
pub use lemmas::lemma;
pub use parse::Dependency;
pub use sentences::sentences;
pub use substitutes::{Kinship, substitutes};
pub use tags::{Penn, Relation, Tag, Upos};
pub use tokens::{Token, TokenKind, tokens};
