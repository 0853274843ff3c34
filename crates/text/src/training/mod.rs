//! What the chores need to train and measure the taggers. Not a part of the toolbox that probes see.

pub mod scores;
pub mod sentences;
pub mod trainer;
pub mod treebank;

pub use crate::look::Look;
pub use crate::perceptron::{Weights, WeightsError};
