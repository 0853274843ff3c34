//! The survey of Fissure: where a model's decision is fragile, in which direction, and which words carry it.
//!
//! Everything here sees a model through [`fissure_models::WhiteBox`] only.

mod attribution;
mod confidence;
mod eigen;
mod error;
mod factor;
mod forecast;
mod many;
mod network;
mod perturb;
mod reading;
pub mod stats;
mod substitute;
mod survey;
mod vectors;
mod vocabulary;
mod words;

#[cfg(test)]
mod testing;

pub use attribution::{Attribution, baseline, gradient_dot_embedding, integrated_gradients};
pub use confidence::Confidence;
pub use error::{Error, Result};
pub use forecast::{CALIBRATION_COPIES, CALIBRATION_TEXTS, Calibration, Forecast, Forecaster, Shift, Surrogate};
pub use network::Network;
pub use perturb::{MinimalStep, REACH, accuracy_after_steps, minimal_steps, random_direction};
pub use reading::Reading;
pub use substitute::{Draw, EditLaw, EditedCopy, FlipCount, Named, edited_copies, flip_counts};
pub use survey::{FEW, Rival, Spectrum, Survey, survey};
pub use vocabulary::{NEAREST, Vocabulary};
pub use words::{Word, words_of};
