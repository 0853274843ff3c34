//! Trains the taggers of `fissure-text`, and measures them.

mod corpora;
mod measure;
mod train;

pub use measure::measure;
pub use train::train;
