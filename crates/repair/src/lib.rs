//! The clinic of Fissure: what can be done about a model that cracks, and whether it helped.
//!
//! [`calibrate`] makes stated confidence believable; [`mitigate`] teaches a model to notice nonsense; [`augment`] writes
//! training data with the changes that hurt most and shows before and after on the same frozen variants; [`testset`]
//! mines and perturbs fragile examples into a test set for the next round. [`salad`] measures how a model answers
//! nonsense, as the paper on word salad does, and [`study`] is its whole experiment.
//!
//! Everything that needs no training takes any [`fissure_models::Model`].

pub mod augment;
pub mod calibrate;
mod destroy;
mod error;
pub mod mitigate;
pub mod nonsense;
pub mod salad;
mod school;
mod set;
pub mod study;
pub mod testset;

pub use destroy::{Destroyers, NAMES};
pub use error::{Error, Result};
pub use school::{Graduate, School};
pub use set::{SOURCE, Set, source};
