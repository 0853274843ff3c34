//! Calibrations kept beside a model, so that single texts can be scored later without calibrating again.

use fissure_models::{Input, WhiteBox};
use serde::{Deserialize, Serialize};

use super::Calibration;
use crate::{EditLaw, Error, Result};

/// The value of `format`.
const FORMAT: &str = "fissure-calibration-1";
/// What every model is asked, to tell it from another.
const QUESTION: &str = "the film was not as good as the book, but the market fell and the team won again";
/// Logits of one model may differ by so much between processors; those of two models differ by more.
const TOLERANCE: f64 = 1e-3;
/// A calibration serves shares of words that are at most this part larger or smaller.
const NEAR: f64 = 0.25;

/// The calibrations of one model, one for each law; what a calibration file holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredCalibrations {
    format: String,
    /// The model's logits for a fixed sentence: a calibration of another model would be worse than none.
    logits: Vec<f64>,
    calibrations: Vec<Calibration>,
}

impl StoredCalibrations {
    /// None yet.
    pub fn new(model: &dyn WhiteBox) -> Result<Self> {
        Ok(Self { format: FORMAT.into(), logits: logits(model)?, calibrations: Vec::new() })
    }

    /// Refuses calibrations that were made for another model.
    pub fn check(&self, model: &dyn WhiteBox) -> Result<()> {
        let found = logits(model)?;
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * (1.0 + a.abs());
        let same = found.len() == self.logits.len() && found.iter().zip(&self.logits).all(near);
        if self.format == FORMAT && same { Ok(()) } else { Err(Error::ForeignCalibration) }
    }

    /// The calibration that serves a law: the same draw, and nearly the same share of words.
    pub fn find(&self, law: &EditLaw) -> Option<&Calibration> {
        let near = |a: f64, b: f64| (a - b).abs() <= NEAR * a.max(b);
        let serves =
            |known: &EditLaw| known.draw == law.draw && near(known.least, law.least) && near(known.most, law.most);
        self.calibrations.iter().find(|calibration| serves(&calibration.law))
    }

    /// Keeps a calibration; it takes the place of one for the same law.
    pub fn keep(&mut self, calibration: Calibration) {
        self.calibrations.retain(|known| known.law != calibration.law);
        self.calibrations.push(calibration);
    }
}

fn logits(model: &dyn WhiteBox) -> Result<Vec<f64>> {
    let logits = model.logits_at(&model.embed(&[Input::from(QUESTION)])?)?;
    Ok(logits.concat().into_iter().map(f64::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;
    use crate::{Draw, Forecaster, NamedInput, Vocabulary};

    fn model(bias: f32) -> Linear {
        Linear::new(1, vec![1.0, -1.0], vec![bias, 0.0])
            .with_words((0..26).map(|k| vec![k as f32 / 10.0 - 1.2]).collect())
    }

    #[test]
    fn a_calibration_comes_back_the_same_for_its_model_and_law_only() {
        let model = model(0.1);
        let vocabulary = Vocabulary::of(&model).unwrap();
        let texts: Vec<NamedInput<'_>> =
            ["the cat", "sat on", "a mat"].iter().map(|text| NamedInput { id: text, input: (*text).into() }).collect();
        let made =
            Forecaster::calibrated(&model, &vocabulary, EditLaw::RANDOM, &texts, 0).unwrap().calibration.unwrap();
        let mut stored = StoredCalibrations::new(&model).unwrap();
        stored.keep(made.clone());
        stored.keep(made.clone());
        let read: StoredCalibrations = serde_json::from_str(&serde_json::to_string(&stored).unwrap()).unwrap();
        assert_eq!(read, stored);
        assert_eq!(read.calibrations.len(), 1);
        assert!(read.check(&model).is_ok());
        assert!(matches!(read.check(&self::model(0.2)), Err(Error::ForeignCalibration)));
        assert_eq!(read.find(&EditLaw::RANDOM), Some(&made));
        assert_eq!(read.find(&EditLaw::new(Draw::Random, 0.11, 0.12).unwrap()), Some(&made));
        assert_eq!(read.find(&EditLaw::new(Draw::Random, 0.2, 0.2).unwrap()), None);
        assert_eq!(read.find(&EditLaw::NEIGHBOURS), None);
    }
}
