//! The foundation: samples, edits, trails, dice, cards and the traits of every part.
//!
//! A *part* (a transformation, a destroyer, a slice) looks at a [`Sample`] and proposes [`Edit`]s; one function,
//! [`apply`], carries them out, moves every label with the words it belongs to, and keeps everything else byte for
//! byte. Chance comes from [`Dice`] owned by seed, part and sample, so neither order nor threads can change an outcome.
//! Each part describes itself on a [`Card`]; lists, help, forms and reference docs are made from the cards.
//!
//! Nothing in this crate reads a file, the clock, the environment or the network.

mod agree;
mod apply;
mod candidates;
mod card;
mod catalog;
mod chain;
mod change;
mod compose;
mod copies;
mod dice;
mod donors;
mod edit;
mod error;
pub mod example;
mod filter;
mod guard;
pub mod keys;
mod knobs;
mod language;
mod law;
pub mod layer;
mod piece;
mod pipeline;
mod plural;
mod protected;
mod resources;
mod sample;
mod sense;
mod span;
mod task;
mod text;
mod thresholds;
mod trail;
mod traits;
mod words;
mod yields;

pub use agree::{Disagreement, Why, disagreement};
pub use apply::{Applied, apply, splice};
pub use candidates::{Candidate, Place};
pub use card::{Card, Expectation, Family, HumanScores, Kind, Level, Need, Tag, last_segment};
pub use catalog::{Catalog, Entry, nearest};
pub use chain::{Chain, Outcome, Variant};
pub use change::Change;
pub use compose::{compose, invert};
pub use copies::Copies;
pub use dice::Dice;
pub use donors::Donors;
pub use edit::{BadEdit, Edit, check};
pub use error::{Error, Result};
pub use example::Example;
pub use filter::{Filter, FilterError};
pub use guard::Part;
pub use knobs::{Choice, Knob, KnobCard, Knobs, Settings, Shape};
pub use language::{Language, is_han, is_word_character};
pub use law::{Drawing, Draws, Law, LawOutcome, LawPlace};
pub use piece::{BroughtLink, BroughtMark, End, Labels, Piece};
pub use pipeline::Pipeline;
pub use plural::counted;
pub use protected::Protected;
pub use resources::{Guess, Importance, MaskedLm, Neighbours, Resources, Similarity, Translator};
pub use sample::{Anchor, Column, Field, Label, Link, Mark, Origin, Sample};
pub use sense::{Sense, Spelling};
pub use span::Span;
pub use task::{Does, Has, LabelKind, TaskFacts, Texts};
pub use text::Text;
pub use thresholds::{Failure, Threshold, Thresholds, Validator};
pub use trail::{Step, Trail, TrailEdit, TrailLabel, TrailMark};
pub use traits::{Amount, Cut, EditSample, EditText, EditWord, Proposal, Skip, Slice, Transform};
pub use words::{Word, Words};
pub use yields::{FEW_TEXTS, Yield, Yielded};
