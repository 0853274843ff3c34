//! Models: text classifiers with gradients, training, and adapters to remote models.
//!
//! This is the only crate with tensors. The other crates see a model through [`Model`] and, if it
//! gives gradients, through [`WhiteBox`].

pub mod encoder;
mod error;
pub mod kernels;
pub(crate) mod layers;
mod model;
mod open;
pub mod own;
mod programs;
pub mod remote;
pub mod resources;
mod small;
pub mod tagging;
pub mod train;
pub mod weights;

pub use error::{Error, Result};
pub use model::{Answer, Capabilities, Embedded, Gradient, Input, Matrix, Model, Piece, PullBack, WeightsFn, WhiteBox};
pub use open::{open, open_with_max_length};
pub use small::{
    Bag, Filters, ReadText, Reading, Recurrent, Run, Saved, SavedStates, SmallModel, Stretches, Windows, WordCut, Worth,
};
