//! The fragility of the answers to the originals, for models with gradients.

use fissure_core::Sample;
use fissure_geometry::{EditLaw, Example, Forecaster, NamedInput, ScoreOptions, Scorer, Vocabulary};
use fissure_models::WhiteBox;

use super::record::FragilityRecord;
use crate::Result;
use fissure_ask::input;

/// Texts scored at a time: gradients are held for each.
const BATCH: usize = 128;

/// Scores originals.
#[derive(Debug)]
pub struct FragilityScorer<'a>(Scorer<'a>);

impl<'a> FragilityScorer<'a> {
    /// The forecast is calibrated on `first`, the first texts of the data, so that a resumed run calibrates the same.
    pub fn new(
        model: &'a dyn WhiteBox,
        vocabulary: Option<&'a Vocabulary>,
        first: &[Sample],
        seed: u64,
    ) -> Result<Self> {
        let law = EditLaw::RANDOM;
        let texts: Vec<NamedInput<'_>> =
            first.iter().map(|sample| NamedInput { id: &sample.id, input: input(sample) }).collect();
        let forecaster = match vocabulary {
            None => None,
            Some(vocabulary) => Some(match Forecaster::calibrated(model, vocabulary, law, &texts, seed) {
                Ok(forecaster) => forecaster,
                // Texts without a single known word cannot calibrate anything; their forecast is the plain one.
                Err(fissure_geometry::Error::NothingToCalibrate) => {
                    Forecaster { model, vocabulary, law, calibration: None, refine: 0, seed }
                }
                Err(error) => return Err(error.into()),
            }),
        };
        Ok(Self(Scorer { model, options: ScoreOptions::default(), forecaster, decoding: None }))
    }

    pub fn scores(&self, samples: &[Sample]) -> Result<Vec<FragilityRecord>> {
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        let mut records = Vec::with_capacity(samples.len());
        for batch in samples.chunks(BATCH) {
            let examples: Vec<Example<'_>> =
                batch.iter().map(|sample| Example { id: &sample.id, input: input(sample), label: None }).collect();
            records.extend(self.0.score(&examples)?.into_iter().map(|row| FragilityRecord {
                log_lambda: finite(row.log_lambda_max),
                forecast: row.flip_forecast.and_then(finite),
                t: row.flip_t.and_then(finite),
            }));
        }
        Ok(records)
    }
}
