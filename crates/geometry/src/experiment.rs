//! The papers' experiments on a trained model.

mod fragility;
mod groups;
mod pairs;
mod parts;
mod words;

pub use fragility::{Fragility, FragilityOptions, ScoreAgainst, TextPoint, fragility};
pub use groups::{BySize, Curve, Groups, Kept};
pub use pairs::{PairsReport, Side, SideReport, pairs};
pub use parts::{CALIBRATION_POOL, PartReport, PartScore, PartsReport, parts};
pub use words::{
    Edit as WordEdit, Offer, Replaceable, Replacement, Tried, TriedText, TriedTogether, WordsOptions, WordsReport,
    words,
};
