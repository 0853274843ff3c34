//! What every door of Fissure does in the same way: opening data, models and resources, matching labels, changing data sets so
//! that they can be continued, running evaluations, checking runs against rules.
//!
//! A door (the command line, the Python package) parses what its user says into [`fissure_settings`], calls the kit, and shows
//! what comes back; [`notice`] tells it what the user should know in between.

pub mod attacks;
pub mod classes;
pub mod counting_model;
pub mod data;
mod error;
pub mod evaluation;
#[cfg(feature = "pdf")]
mod font;
pub mod gate;
pub mod labels;
pub mod lazy_model;
pub mod lessons;
pub mod notice;
pub mod outputs;
pub mod own_parts;
pub mod paths;
pub mod remote;
pub mod report;
pub mod resources;
pub mod resume;
pub mod scores_of_run;
pub mod sets;
pub mod stop;
pub mod transform;

pub use error::{Error, OtherMeaning, Result};
