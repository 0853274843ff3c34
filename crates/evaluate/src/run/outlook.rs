//! The forecast of a run: what each of its parts would do, before any changed text is asked.

use fissure_core::Sample;
use fissure_geometry::{CALIBRATION_POOL, PartCalibration, PartForecaster, Predicted, TextOutlook, Threat};
use fissure_models::resources::finish_programs;
use fissure_statistics::Estimate;
use serde::Serialize;

use super::{OpenData, Prepared, samples};
use crate::{Error, NotRun, Result};
use fissure_core::Expectation;

/// Texts that are looked at together: gradients are held for each.
const BATCH: usize = 128;

/// What every part of a plan would do.
#[derive(Debug, Clone, Serialize)]
pub struct RunOutlook {
    pub samples: usize,
    pub parts: Vec<PartPrediction>,
    pub not_forecast: Vec<NotRun>,
}

/// What one part would do.
#[derive(Debug, Clone, Serialize)]
pub struct PartPrediction {
    pub name: String,
    pub expectation: Expectation,
    /// Texts that it would change.
    pub texts: usize,
    /// The share of answers that would flip, and the same by the calibrated margin alone.
    pub flips: Estimate,
    pub baseline: f64,
    /// The drop in accuracy, for a part that keeps the label of texts that have one.
    pub drop: Option<Estimate>,
    pub calibration: PartCalibration,
    /// Whether the straight line adds nothing to the margin.
    pub margin_only: bool,
}

/// What is forecast for one text: a line of the output.
#[derive(Debug, Clone, Serialize)]
pub struct TextPrediction<'a> {
    pub id: &'a str,
    pub predicted: &'a str,
    /// 1 - max p.
    pub uncertainty: f64,
    /// The parts that would change the text.
    pub parts: Vec<TextPart<'a>>,
}

/// What a part would do to one text.
#[derive(Debug, Clone, Serialize)]
pub struct TextPart<'a> {
    pub part: &'a str,
    /// The probability that it flips the answer, and the same by the calibrated margin alone.
    pub flips: f64,
    pub baseline: f64,
    pub t: f64,
    /// The words whose change would do most.
    pub threats: &'a [Threat],
}

impl Prepared {
    /// Forecasts every part that keeps or may keep the right answer. `see` gets a line for each text; `pause` is called between
    /// two pieces of the work, from any thread, and may unwind.
    pub fn outlook(
        &self,
        open: &OpenData<'_>,
        see: &mut dyn FnMut(&TextPrediction<'_>) -> Result<()>,
        pause: &(dyn Fn() + Sync),
    ) -> Result<RunOutlook> {
        let Some(model) = self.respondent.inside() else {
            let why = match self.header.config.task()?.facts.has_class() {
                true => "the model has no gradients; `evaluate --precision` works without them",
                false => "the task gives a text more than one label, and forecasts are of models that give it one",
            };
            return Err(Error::NoForecast { why: why.into() });
        };
        let planned = &self.plan.written.chains;
        let takes = |at: &usize| matches!(planned[*at].expectation, Expectation::Kept | Expectation::Unsure);
        let (some, others): (Vec<usize>, Vec<usize>) = (0..planned.len()).partition(takes);
        let first: Vec<Sample> = samples(open, &self.header.config)?.take(CALIBRATION_POOL).collect::<Result<_>>()?;
        let chains = some.iter().map(|at| &self.plan.chains[*at]);
        let seed = self.header.config.seed();
        let forecaster = PartForecaster::calibrated_with_pauses(model, chains, &first, seed, pause)?;
        let labels = &self.header.model.labels;
        let mut predicted = vec![Predicted::default(); some.len()];
        let mut seen = 0;
        let mut rest = samples(open, &self.header.config)?;
        loop {
            let batch: Vec<Sample> = rest.by_ref().take(BATCH).collect::<Result<_>>()?;
            if batch.is_empty() {
                break;
            }
            for (sample, text) in batch.iter().zip(forecaster.outlook(&batch)?) {
                let gold = self.gold_labels.class(sample);
                let gold = gold.and_then(|gold| labels.iter().position(|label| *label == gold));
                let right = gold.map(|gold| (gold, gold == text.confidence.predicted));
                for (number, outlook) in text.parts.iter().enumerate() {
                    let kept = planned[some[number]].expectation == Expectation::Kept;
                    if let Some(outlook) = outlook {
                        predicted[number].add(outlook, right.filter(|_| kept));
                    }
                }
                see(&self.line(sample, &text, &some))?;
            }
            seen += batch.len();
        }
        finish_programs().map_err(fissure_models::Error::from)?;
        let mut outlook = RunOutlook { samples: seen, parts: Vec::new(), not_forecast: Vec::new() };
        for at in others {
            let reason = "it changes or destroys the right answer, and flips are then no fault".into();
            outlook.not_forecast.push(NotRun { name: planned[at].name.clone(), reason });
        }
        for ((at, predicted), calibration) in some.iter().zip(&predicted).zip(&forecaster.calibrations) {
            let name = planned[*at].name.clone();
            match (calibration, predicted.flips(), predicted.baseline()) {
                (Some(calibration), Some(flips), Some(baseline)) => outlook.parts.push(PartPrediction {
                    name,
                    expectation: planned[*at].expectation,
                    texts: predicted.texts(),
                    flips,
                    baseline,
                    drop: predicted.drop(),
                    margin_only: calibration.is_margin_only(),
                    calibration: calibration.clone(),
                }),
                (None, ..) => {
                    let reason = format!("it changes none of the first {} texts, which calibrate it", first.len());
                    outlook.not_forecast.push(NotRun { name, reason });
                }
                _ => outlook.not_forecast.push(NotRun { name, reason: "it changes no text".into() }),
            }
        }
        Ok(outlook)
    }

    fn line<'a>(&'a self, sample: &'a Sample, text: &'a TextOutlook, some: &[usize]) -> TextPrediction<'a> {
        let part = |(number, outlook): (usize, &'a Option<fissure_geometry::PartOutlook>)| {
            let outlook = outlook.as_ref()?;
            Some(TextPart {
                part: &self.plan.written.chains[some[number]].name,
                flips: outlook.forecast.probability,
                baseline: outlook.baseline,
                t: outlook.forecast.t,
                threats: &outlook.threats,
            })
        };
        TextPrediction {
            id: &sample.id,
            predicted: &self.header.model.labels[text.confidence.predicted],
            uncertainty: text.confidence.uncertainty(),
            parts: text.parts.iter().enumerate().filter_map(part).collect(),
        }
    }
}
