//! The stage of Fissure: text classifiers with gradients, training, and adapters to models elsewhere.
//!
//! This is the only crate with tensors. The rest of the house sees a model through [`Model`] and, where its
//! inside can be seen, through [`WhiteBox`].

pub mod aids;
pub mod encoder;
mod error;
pub mod kernels;
pub(crate) mod layers;
mod model;
mod open;
pub mod remote;
mod small;
pub mod train;
pub mod weights;

pub use error::{Error, Result};
pub use model::{Answer, Ask, Embedded, Gradient, Input, Model, Offers, Piece, PullBack, Rows, WhiteBox};
pub use open::{open, open_with_max_length};
pub use small::{Bag, SmallModel};
