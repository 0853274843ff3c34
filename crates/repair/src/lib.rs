//! Repairs a model: calibration, mitigation, augmentation and test sets, each with a test of whether it helped.
//!
//! [`calibrate`] makes stated confidence believable; [`mitigate`] teaches a model to notice nonsense; [`augment`] writes
//! training data with the changes that hurt most and shows before and after on the same frozen variants; [`testset`]
//! mines and perturbs fragile examples into a test set for the next round; [`certify`] trains with bounds, so that more
//! answers are proved to withstand other words. [`salad`] measures how a model answers
//! nonsense, as the paper on word salad does, and [`paper_experiment`] is its whole experiment.
//!
//! Everything that needs no training takes any [`fissure_models::Model`].

pub mod augment;
pub mod calibrate;
pub mod certify;
mod destroy;
mod error;
mod found;
mod labelled;
pub mod mitigate;
pub mod paper_experiment;
pub mod salad;
pub mod testset;
pub mod train_on_destroyed;
mod trainer;

pub use destroy::{Destroyers, NAMES};
pub use error::{Error, Result};
pub use found::FoundAttacks;
pub use labelled::{LabelledSet, SOURCE, source};
pub use trainer::{Trained, Trainer};
