//! The answers of a run as rows of scores: nothing is asked again.

use std::collections::BTreeMap;
use std::path::Path;

use fissure_evaluate::{AnsweredSample, Header, RUN_FILE, Response, SampleRecord, read_answers};
use fissure_geometry::{ExampleScore, Flips};
use fissure_models::Answer;

use crate::Result;

/// What a run says about its samples.
pub struct Answered {
    pub header: Header,
    pub samples: Vec<AnsweredSample>,
}

impl Answered {
    pub fn read(folder: &Path) -> Result<Self> {
        let (header, samples) = read_answers(&folder.join(RUN_FILE))?;
        Ok(Self { header, samples })
    }

    /// The answer to a sample, as the model gave it.
    pub fn answer(&self, sample: &SampleRecord) -> Option<Answer> {
        let Some(Response::Class { label, log_probs, .. }) = &sample.said else { return None };
        let predicted = self.header.model.labels.iter().position(|known| known == label)?;
        Some(Answer { predicted, log_probs: log_probs.clone(), truncated: false })
    }

    /// The row of a sample: its answer, what the run measured inside the model, and what its changes did.
    pub fn row(&self, answered: &AnsweredSample, label: Option<&str>) -> Option<ExampleScore> {
        let AnsweredSample { sample, changed, turned } = answered;
        let mut row = ExampleScore::of_answer(&sample.id, label, &self.header.model.labels, &self.answer(sample)?);
        if let Some(fragility) = sample.fragility {
            row.log_lambda_max = fragility.log_lambda.unwrap_or(f64::NAN);
            row.lambda_max = row.log_lambda_max.exp();
            (row.flip_forecast, row.flip_t) = (fragility.forecast, fragility.t);
        }
        row.flips = Some(Flips { changed: *changed, turned: *turned });
        Some(row)
    }

    /// The samples by id and texts: an id that comes twice may stand for two texts.
    pub fn by_texts(&self) -> BTreeMap<(&str, Vec<&str>), &AnsweredSample> {
        self.samples
            .iter()
            .map(|one| {
                let texts = one.sample.texts.iter().map(|(_, text)| text.as_str()).collect();
                ((one.sample.id.as_str(), texts), one)
            })
            .collect()
    }
}
