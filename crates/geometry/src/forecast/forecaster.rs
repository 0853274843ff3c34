//! Forecasts for texts: calibrates once, then serves batches.

use fissure_core::Dice;
use fissure_models::{Embedded, Input, WhiteBox};
use rayon::prelude::*;

use super::fit::Observed;
use super::{Calibration, Forecast, Surrogate};
use crate::substitute::{EditedCopy, NamedInput, edited_copies};
use crate::survey::{Survey, survey};
use crate::{EditLaw, Result, Space, Vocabulary};

/// Texts that a calibration uses, if there are as many.
pub const CALIBRATION_TEXTS: usize = 50;
/// Edited copies of each of these texts.
pub const CALIBRATION_COPIES: usize = 4;

/// What forecasts of one model under one law need.
#[derive(Debug, Clone)]
pub struct Forecaster<'a> {
    pub model: &'a dyn WhiteBox,
    pub vocabulary: &'a Vocabulary,
    pub law: EditLaw,
    /// `None` for the uncalibrated forecast.
    pub calibration: Option<Calibration>,
    /// Edited copies of each text for the refined forecast; 0 for none. Needs a calibration.
    pub refine: usize,
    pub seed: u64,
}

impl<'a> Forecaster<'a> {
    /// Calibrates on up to [`CALIBRATION_TEXTS`] of the texts, the first ones.
    pub fn calibrated(
        model: &'a dyn WhiteBox,
        vocabulary: &'a Vocabulary,
        law: EditLaw,
        texts: &[NamedInput<'_>],
        seed: u64,
    ) -> Result<Self> {
        let mut forecaster = Self { model, vocabulary, law, calibration: None, refine: 0, seed };
        let texts = &texts[..texts.len().min(CALIBRATION_TEXTS)];
        let inputs: Vec<Input<'_>> = texts.iter().map(|text| text.input).collect();
        let points = model.embed(&inputs)?;
        let surveys = survey(model, &points, Space::Tokens)?;
        let observed = forecaster.observe("calibration", CALIBRATION_COPIES, texts, &points, &surveys)?;
        forecaster.calibration = Some(Calibration::from_observed(law, &observed, CALIBRATION_COPIES)?);
        Ok(forecaster)
    }

    /// A forecast for every text; `None` for one without words. The points are those of the texts, the surveys those of
    /// the points.
    pub fn forecasts(
        &self,
        texts: &[NamedInput<'_>],
        points: &[Embedded],
        surveys: &[Survey],
    ) -> Result<Vec<Option<Forecast>>> {
        match &self.calibration {
            Some(calibration) if self.refine > 0 => {
                let observed = self.observe("refine", self.refine, texts, points, surveys)?;
                Ok(observed.iter().map(|text| calibration.refine(text)).collect())
            }
            calibration => Ok(points
                .par_iter()
                .zip(surveys)
                .map(|(point, survey)| {
                    let shifts = Surrogate::new(survey, point, self.vocabulary).shifts(self.vocabulary, &self.law);
                    calibration.as_ref().map_or_else(|| Forecast::uncalibrated(&shifts), |c| c.forecast(&shifts))
                })
                .collect()),
        }
    }

    /// Edited copies of every text, with their margins by the straight line and by the model.
    fn observe(
        &self,
        purpose: &str,
        copies: usize,
        texts: &[NamedInput<'_>],
        points: &[Embedded],
        surveys: &[Survey],
    ) -> Result<Vec<Observed>> {
        let mut all = Vec::with_capacity(texts.len());
        for ((text, point), survey) in texts.iter().zip(points).zip(surveys) {
            let surrogate = Surrogate::new(survey, point, self.vocabulary);
            let mut dice = Dice::new(self.seed, &[purpose, text.id]);
            let edited = edited_copies(&text.input, point, self.vocabulary, &self.law, copies, &mut dice);
            let inputs: Vec<Input<'_>> = edited.iter().map(EditedCopy::input).collect();
            let logits = self.model.logits_at(&self.model.embed(&inputs)?)?;
            let margins = |logits: &Vec<f32>| {
                let of = |class: usize| f64::from(logits[survey.confidence.predicted]) - f64::from(logits[class]);
                survey.rivals.iter().map(|rival| of(rival.class)).collect()
            };
            all.push(Observed {
                shifts: surrogate.shifts(self.vocabulary, &self.law),
                linear: edited.iter().map(|copy| surrogate.margins_after(self.vocabulary, &copy.changes)).collect(),
                margins: logits.iter().map(margins).collect(),
            });
        }
        Ok(all)
    }
}
