//! What the chores need to train and measure the taggers. Not a part of the toolbox that probes see.

mod arithmetic;
pub mod chinese;
pub mod clusters;
pub mod entities;
pub mod lemmas;
pub mod network;
pub mod parse;
pub mod scores;
pub mod sentences;
pub mod tags;
pub mod trainer;
pub mod treebank;

pub use crate::clusters::Clusters;
pub use crate::lemmas::Lemmas;
pub use crate::parse::{Draft, Network};
pub use crate::perceptron::{Weights, WeightsError};
pub use crate::word_features::WordFeatures;
pub mod weights {
    pub use crate::weights::*;
}
