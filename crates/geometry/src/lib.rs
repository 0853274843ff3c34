//! Geometry of decisions: where a model's answer is fragile, in which direction, and which words carry it.
//!
//! Everything here sees a model through [`fissure_models::WhiteBox`] only, but for `outside`, which needs its answers alone.

mod attribution;
mod black_box;
mod compare;
mod confidence;
mod deciles;
mod decode;
mod eigen;
mod error;
mod experiment;
mod factor;
mod forecast;
pub mod gaussians;
mod importance;
mod network;
mod pairs;
mod perturb;
mod score;
mod shortcuts;
mod space;
mod substitute;
mod substitution_effect;
mod survey;
mod vectors;
mod vocabulary;
mod words;

#[cfg(test)]
mod testing;

pub use attribution::{Attribution, baseline, gradient_dot_embedding, integrated_gradients};
pub use black_box::{Flips, LeftOut, black_box_shortcuts, leave_one_out, written_words};
pub use compare::{Agreement, Universal, agreements, universal};
pub use confidence::Confidence;
pub use deciles::{accuracy_by_decile, counts};
pub use decode::{Candidates, Substitution, decode};
pub use error::{Error, Result};
pub use experiment::{
    BySize, CALIBRATION_POOL, Curve, Fragility, FragilityOptions, Groups, Kept, Offer, PairsReport, PartReport,
    PartScore, PartsReport, Replaceable, Replacement, ScoreAgainst, Side, SideReport, TextPoint, Tried, TriedText,
    TriedTogether, WordEdit, WordsOptions, WordsReport, fragility, pairs, parts as parts_study, words as tried_words,
};
pub use forecast::{
    Blend, CALIBRATION_COPIES, CALIBRATION_TEXTS, Calibration, Fitted, Forecast, Forecaster, PartCalibration,
    PartForecaster, PartOutlook, Predicted, Shift, StoredCalibrations, Surrogate, TextOutlook, Threat,
};
pub use importance::{ByModel, Method};
pub use network::Network;
pub use pairs::{Histogram, PairScore, PairSummary, Series, Training, histogram, summarise};
pub use perturb::{MinimalStep, REACH, accuracy_after_steps, minimal_steps, random_direction};
pub use score::{Decoding, Example, ExampleScore, ScoreOptions, Scorer, Token};
pub use shortcuts::{Labelled, ShortcutOptions, ShortcutWord, shortcuts};
pub use space::Space;
pub use substitute::{Draw, EditLaw, EditedCopy, FlipCount, NamedInput, edited_answers, edited_copies, flip_counts};
pub use substitution_effect::{PredictedEffect, confidences, input_of, predict_effect, word_at};
pub use survey::{EXACT_UP_TO, Rival, Spectrum, Survey, survey};
pub use vocabulary::{NEAREST, Vocabulary};
pub use words::{Word, words_of};
