//! What every training of a comparison shares.

use fissure_core::Sample;
use fissure_models::Answer;
use fissure_models::train::{Example, Nonsense, Progress};
use fissure_statistics::{Estimate, proportion};

use super::{INVALID, MitigateOptions};
use crate::labelled::{example, input};
use crate::{Error, LabelledSet, Result, Trained, Trainer};

/// The trainer, the labels, and the callback for progress.
pub(crate) struct TrainingContext<'a> {
    pub trainer: &'a Trainer,
    pub labels: &'a [String],
    pub on_progress: &'a mut dyn FnMut(&str, &Progress),
}

impl TrainingContext<'_> {
    pub fn teach(&mut self, name: &str, examples: &[Example], nonsense: &Nonsense) -> Result<Trained> {
        self.trainer.teach(examples, nonsense, self.labels, &mut |progress| (self.on_progress)(name, progress))
    }

    /// With one class more, for the destroyed samples.
    pub fn teach_invalid(&mut self, name: &str, training: &LabelledSet, broken: &[Sample]) -> Result<Trained> {
        let mut examples = training.examples();
        examples.extend(broken.iter().map(|sample| example(sample, self.labels.len())));
        let labels: Vec<String> = self.labels.iter().cloned().chain([INVALID.to_owned()]).collect();
        self.trainer.teach(&examples, &Nonsense::default(), &labels, &mut |progress| (self.on_progress)(name, progress))
    }
}

/// The share of right answers.
pub(crate) fn accuracy(answers: &[Answer], labels: &[usize]) -> Result<Estimate> {
    let right = answers.iter().zip(labels).filter(|(answer, gold)| answer.predicted == **gold).count();
    proportion(right, answers.len()).ok_or(Error::TooFew { what: "an accuracy", found: 0, needed: 1 })
}

/// Those that could be destroyed, of which there must be some.
pub(super) fn changed(samples: Vec<Option<Sample>>, options: &MitigateOptions) -> Result<Vec<Sample>> {
    let changed: Vec<Sample> = samples.into_iter().flatten().collect();
    if changed.is_empty() {
        return Err(Error::NothingDestroyed { names: options.destroyers.join(", ") });
    }
    Ok(changed)
}

/// Destroyed samples as a model learns to be unsure about them.
pub(super) fn nonsense(samples: &[Sample], weight: f32) -> Nonsense {
    let texts = samples.iter().map(|sample| {
        let input = input(sample);
        (input.text.to_owned(), input.pair.map(str::to_owned))
    });
    Nonsense { texts: texts.collect(), weight }
}
