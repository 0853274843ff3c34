//! Which changes threaten an answer: the forecast of every part that keeps the right answer, from one gradient of the text.

use fissure_core::{Chain, Expectation, Sample, Text};
use fissure_geometry::{PartCalibration, PartForecaster, PartOutlook};
use fissure_models::WhiteBox;
use fissure_probes::TRANSFORMS;

use crate::basket::draft_of;
use crate::cancel::Visit;
use crate::error::Problem;
use crate::inspection::Draft;
use crate::session::Session;

/// Parts are calibrated on the first of this many examples that they change.
const CALIBRATED_ON: usize = 100;

/// What is learned once about a model: how far each part moves its answers.
#[derive(Debug)]
pub struct CalibratedParts {
    chains: Vec<Chain>,
    calibrations: Vec<Option<PartCalibration>>,
}

impl Session {
    /// The forecast of each part that would change the text, the most threatening first; `None` if the model has no gradients. The
    /// first call of a model asks it about changed copies of other examples, some thousands in all.
    pub fn threats(
        &self,
        visit: &Visit<'_>,
        model: usize,
        example: usize,
        draft: &Draft,
    ) -> Result<Option<Vec<(String, PartOutlook)>>, Problem> {
        let sample = self.setup.samples.get(example).ok_or_else(|| Problem::not_found("such example"))?;
        let Some(watched) = self.watched(model, visit) else { return Ok(None) };
        let place = &self.board(model).parts;
        let parts = match place.get() {
            Some(parts) => parts,
            None => {
                let found = self.calibrated_parts(&watched)?;
                place.get_or_init(|| found)
            }
        };
        let forecaster =
            PartForecaster::with_calibrations(&watched, &parts.chains, parts.calibrations.clone(), self.setup.seed);
        let mut outlooks = forecaster.outlook(&[with_draft(sample, draft)])?;
        let Some(outlook) = outlooks.pop() else { return Ok(Some(Vec::new())) };
        let named = forecaster.names().zip(outlook.parts);
        let mut found: Vec<_> = named.filter_map(|(name, part)| Some((name.to_owned(), part?))).collect();
        found.sort_by(|a, b| b.1.forecast.probability.total_cmp(&a.1.forecast.probability).then_with(|| a.0.cmp(&b.0)));
        Ok(Some(found))
    }

    fn calibrated_parts(&self, model: &dyn WhiteBox) -> Result<CalibratedParts, Problem> {
        let task = &self.setup.task.facts;
        let serving = TRANSFORMS.entries().filter(|entry| {
            let card = &entry.card;
            card.serves(task) && card.needs.is_empty() && card.expects_on(task) == Expectation::Kept
        });
        let chains: Vec<Chain> = serving.filter_map(|entry| Chain::of(&[entry], &[]).ok()).collect();
        let first = &self.setup.samples[..self.setup.samples.len().min(CALIBRATED_ON)];
        let calibrations = PartForecaster::calibrated(model, &chains, first, self.setup.seed)?.calibrations;
        Ok(CalibratedParts { chains, calibrations })
    }
}

/// The example with the texts of a draft; labels on words hold for the original only.
fn with_draft(sample: &Sample, draft: &Draft) -> Sample {
    let mut sample = sample.clone();
    if draft_of(&sample) == *draft {
        return sample;
    }
    sample.marks.clear();
    sample.links.clear();
    let texts = [Some(&draft.text), draft.pair.as_ref()];
    for (field, text) in sample.fields.iter_mut().zip(texts) {
        if let Some(text) = text {
            field.text = Text::from(text.as_str());
        }
    }
    sample
}
