//! The foundation of Fissure: samples, edits, trails, dice, cards and the traits of every part.
//!
//! A *part* (a transformation, a destroyer, a slice) looks at a [`Sample`] and proposes [`Edit`]s; one function,
//! [`apply`], carries them out, moves every label with the words it belongs to, and keeps everything else byte for
//! byte. Chance comes from [`Dice`] owned by seed, part and sample, so neither order nor threads can change an outcome.
//! Each part describes itself on a [`Card`]; lists, help, forms and reference docs are made from the cards.
//!
//! Nothing in this crate reads a file, the clock, the environment or the network.

mod agree;
mod aids;
mod apply;
mod candidates;
mod card;
mod catalog;
mod chain;
mod change;
mod compose;
mod dice;
mod donors;
mod edit;
mod error;
pub mod example;
mod knobs;
pub mod layer;
mod parts;
mod piece;
mod sample;
mod sense;
mod signs;
mod span;
mod task;
mod text;
mod trail;
mod validate;
mod whether;
mod wording;
mod words;
mod yields;

pub use agree::{Disagreement, Why, disagreement};
pub use aids::{Aids, Guesser, Importance, Likeness, Neighbours, Translator};
pub use apply::{Applied, apply, splice};
pub use candidates::{Candidate, Place};
pub use card::{Card, Expectation, Family, HumanScores, Kind, Language, Level, Need, Tag, last_segment};
pub use catalog::{Catalog, Entry, nearest};
pub use chain::{Chain, Outcome, Variant};
pub use change::Change;
pub use compose::{compose, invert};
pub use dice::Dice;
pub use donors::Donors;
pub use edit::{BadEdit, Edit, check};
pub use error::{Error, Result};
pub use example::Example;
pub use knobs::{Choice, Knob, KnobCard, Knobs, Settings, Shape};
pub use parts::{Amount, Cut, EditSample, EditText, EditWord, Proposal, Skip, Slice, Transform};
pub use piece::{BroughtLink, BroughtMark, End, Labels, Piece};
pub use sample::{Column, Field, Hold, Label, Link, Mark, Origin, Sample};
pub use sense::{Sense, Spelling};
pub use signs::Signs;
pub use span::Span;
pub use task::{Does, Has, LabelKind, TaskFacts, Texts};
pub use text::Text;
pub use trail::{Step, Trail, TrailEdit, TrailLabel};
pub use validate::{Failure, Keep, Keeps, Validator};
pub use whether::{BadWhere, Where};
pub use wording::counted;
pub use words::{Word, Words};
pub use yields::{FEW_TEXTS, Yield, Yielded};
