//! Trained on nonsense alone: how much of a task can be learned from texts without any order (Table 11 of the paper).

use fissure_models::train::{Nonsense, Progress};
use fissure_statistics::{Estimate, mcnemar};
use serde::Serialize;

use crate::mitigate::{TrainingContext, accuracy};
use crate::{Destroyers, Error, LabelledSet, Result, Trained, Trainer};

/// Accuracy on valid data of two models that start alike.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    pub destroyer: String,
    /// Trained on the original texts.
    pub original: Estimate,
    /// Trained on the same texts, destroyed, with their labels.
    pub destroyed: Estimate,
    /// McNemar's exact test of the two models' answers.
    pub p: f64,
    /// Training texts that could not be destroyed, and were left out.
    pub left_out: usize,
}

/// Trains on texts as they are and on destroyed ones, and tests both on valid data.
pub fn compare(
    trainer: &Trainer,
    labels: &[String],
    training: &LabelledSet,
    test: &LabelledSet,
    destroyer: &str,
    seed: u64,
    on_progress: &mut dyn FnMut(&str, &Progress),
) -> Result<Comparison> {
    let mut context = TrainingContext { trainer, labels, on_progress };
    let original = context.teach("original texts", &training.examples(), &Nonsense::default())?;
    compare_with(&mut context, &original, training, test, destroyer, seed)
}

/// The same, with the model of the original texts trained already.
pub(crate) fn compare_with(
    context: &mut TrainingContext<'_>,
    original: &Trained,
    training: &LabelledSet,
    test: &LabelledSet,
    destroyer: &str,
    seed: u64,
) -> Result<Comparison> {
    let nothing = || Error::NothingDestroyed { names: destroyer.to_owned() };
    let names = [destroyer.to_owned()];
    let destroyers = Destroyers::new(&names, original.model(), training, context.labels, seed)?;
    if destroyers.is_empty() {
        return Err(nothing());
    }
    let mut broken = LabelledSet::default();
    let made = destroyers.all(0, &training.samples, context.labels, &training.labels);
    for (sample, label) in made.into_iter().zip(&training.labels) {
        if let Some(sample) = sample {
            broken.samples.push(sample);
            broken.labels.push(*label);
        }
    }
    if broken.is_empty() {
        return Err(nothing());
    }
    let taught = context.teach(&format!("{destroyer} texts only"), &broken.examples(), &Nonsense::default())?;
    let (one, other) = (test.answers(&*original.model())?, test.answers(&*taught.model())?);
    let (mut lost, mut won) = (0, 0);
    for ((one, other), gold) in one.iter().zip(&other).zip(&test.labels) {
        match (one.predicted == *gold, other.predicted == *gold) {
            (true, false) => lost += 1,
            (false, true) => won += 1,
            _ => {}
        }
    }
    Ok(Comparison {
        destroyer: destroyer.to_owned(),
        original: accuracy(&one, &test.labels)?,
        destroyed: accuracy(&other, &test.labels)?,
        p: mcnemar(lost, won),
        left_out: training.len() - broken.len(),
    })
}
