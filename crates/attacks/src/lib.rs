//! The arena of Fissure: attacks that look for a small change of a text that turns a model's answer.
//!
//! An attack is a goal, sources of candidates, constraints and a search, put together by a recipe, which is data
//! (`recipes/NAME.toml`). Every success holds its constraints against the original, and the model is asked about it once
//! more: [`run`] checks both, whatever the search says.

#[macro_use]
mod part;

mod ask;
mod attempt;
mod catalog;
mod constraints;
mod error;
mod exact;
mod goals;
mod lines;
mod recipe;
mod resources;
mod run;
mod searches;
mod shrink;
mod sources;
mod summary;
mod text;
mod words;

pub use ask::{Counts, Questions, Target, Verdict};
pub use attempt::Attempt;
pub use catalog::{CONSTRAINTS, GOALS, SEARCHES, SOURCES};
pub use error::{Error, Result};
pub use exact::{Exact, Place, least_edits};
pub use part::{Constraint, Goal, Search, Source};
pub use recipe::{Attack, PartOf, Recipe, cards, names};
pub use resources::{Given, Resource, Resources, Synonyms};
pub use run::{Options, Outcome, Record, RecordEdit, Said, attack, attack_all};
pub use summary::{Spread, Summary};
pub use text::{Change, State, Victim, WordAt};
