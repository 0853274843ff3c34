//! The papers' experiments on a trained model.

mod fragility;
mod groups;
mod pairs;

pub use fragility::{Fragility, FragilityOptions, ScoreAgainst, TextPoint, fragility};
pub use groups::{BySize, Curve, Groups, Kept};
pub use pairs::{PairsReport, Side, SideReport, pairs};
