//! The survey of Fissure: where a model's decision is fragile, in which direction, and which words carry it.
//!
//! Everything here sees a model through [`fissure_models::WhiteBox`] only, but for `outside`, which needs its answers alone.

mod attribution;
mod carriers;
mod compare;
mod confidence;
mod decode;
mod eigen;
mod error;
mod experiment;
mod factor;
mod forecast;
pub mod gaussians;
mod importance;
mod many;
mod network;
mod outside;
mod overview;
mod pairs;
mod perturb;
mod reading;
mod score;
mod substitute;
mod survey;
mod vectors;
mod vocabulary;
mod what_if;
mod words;

#[cfg(test)]
mod testing;

pub use attribution::{Attribution, baseline, gradient_dot_embedding, integrated_gradients};
pub use carriers::{Carrier, CarrierOptions, Labelled, carriers};
pub use compare::{Agreement, Universal, agreements, universal};
pub use confidence::Confidence;
pub use decode::{Candidates, Substitution, decode};
pub use error::{Error, Result};
pub use experiment::{
    BySize, Curve, Fragility, FragilityOptions, Groups, Kept, Offer, PairsReport, Replaceable, Replacement,
    ScoreAgainst, Side, SideReport, TextPoint, Tried, TriedText, TriedTogether, WordEdit, WordsOptions, WordsReport,
    fragility, pairs, words as tried_words,
};
pub use forecast::{
    CALIBRATION_COPIES, CALIBRATION_TEXTS, Calibration, Forecast, Forecaster, Shift, StoredCalibrations, Surrogate,
};
pub use importance::{ByModel, Method};
pub use network::Network;
pub use outside::{Flips, LeftOut, carriers_outside, leave_one_out, written_words};
pub use overview::{counts, tenths};
pub use pairs::{Histogram, PairScore, PairSummary, Series, Training, histogram, summarise};
pub use perturb::{MinimalStep, REACH, accuracy_after_steps, minimal_steps, random_direction};
pub use reading::Reading;
pub use score::{Decoding, Example, Row, ScoreOptions, Scorer, Token};
pub use substitute::{Draw, EditLaw, EditedCopy, FlipCount, Named, edited_answers, edited_copies, flip_counts};
pub use survey::{FEW, Rival, Spectrum, Survey, survey};
pub use vocabulary::{NEAREST, Vocabulary};
pub use what_if::{Foretold, confidences, foretell, question, word_at};
pub use words::{Word, words_of};
