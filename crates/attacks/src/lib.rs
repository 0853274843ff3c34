//! Attacks: searches for a small change of a text that flips a model's answer.
//!
//! An attack is a goal, sources of candidates, constraints and a search, put together by a recipe, which is data
//! (`recipes/NAME.toml`). Every success holds its constraints against the original, and the model is asked about it once
//! more: [`run`] checks both, whatever the search says.

#[macro_use]
mod part;

mod ask;
mod attempt;
mod bound;
mod catalog;
mod constraints;
mod error;
mod exact;
mod findings;
mod goals;
mod lines;
mod lockstep;
mod quality;
mod recipe;
mod replay;
mod resources;
mod run;
mod searches;
mod sets;
mod shrink;
mod sources;
mod steps;
mod summary;
mod target;
mod text;
mod trigger;

pub use ask::{Counts, Output, Questions, Verdict};
pub use attempt::{Attempt, NO_CANDIDATE};
pub use catalog::{CONSTRAINTS, GOALS, SEARCHES, SOURCES};
pub use error::{Error, Result};
pub use exact::{Exact, Place, least_edits};
pub use findings::{AttackFinding, AttackRun, Example, Paired, paired};
pub use part::{Constraint, Goal, Search, Source};
pub use quality::Quality;
pub use recipe::{Attack, PartOf, Recipe, cards, names};
pub use replay::{changed, replay};
pub use resources::{AttackResources, Given, Resource, Synonyms};
pub use run::{
    Certificate, Options, Outcome, Record, RecordEdit, Said, attack, attack_all, attack_each, attack_step_by_step,
    leads,
};
pub use sets::{WordSet, word_sets};
pub use steps::Step;
pub use summary::{Spread, Summary};
pub use target::Target;
pub use text::{Change, Replacement, State, Victim, WordAt};
pub use trigger::{Trigger, TriggerOptions, trigger, with_trigger};
