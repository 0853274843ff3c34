//! Does a model that was taught one kind of nonsense notice the others?

use fissure_models::train::{Nonsense, Progress};
use fissure_statistics::Estimate;
use serde::Serialize;

use super::training_context::{TrainingContext, changed};
use super::{MitigateOptions, Trial};
use crate::{Destroyers, LabelledSet, Result, Trainer};

/// The extra class, taught with one destroyer and tried on all.
#[derive(Debug, Clone, Serialize)]
pub struct Transfer {
    pub taught: String,
    pub accuracy: Estimate,
    /// The share that is recognised of each destroyer's samples.
    pub recognised: Vec<(String, Estimate)>,
}

/// One row for each destroyer.
pub fn transfer(
    trainer: &Trainer,
    labels: &[String],
    training: &LabelledSet,
    test: &LabelledSet,
    options: &MitigateOptions,
    on_progress: &mut dyn FnMut(&str, &Progress),
) -> Result<Vec<Transfer>> {
    let mut context = TrainingContext { trainer, labels, on_progress };
    let baseline = match &options.baseline {
        Some(model) => model.clone(),
        None => context.teach("baseline", &training.examples(), &Nonsense::default())?,
    };
    let destroyers = Destroyers::new(&options.destroyers, baseline.model(), training, labels, options.seed)?;
    let trial = Trial::new(&destroyers, test, labels);
    let trainer = trainer.after(&baseline)?;
    let mut context = TrainingContext { trainer: &trainer, labels, on_progress: context.on_progress };
    let names: Vec<String> = destroyers.names().map(str::to_owned).collect();
    let mut rows = Vec::with_capacity(names.len());
    for (at, taught) in names.into_iter().enumerate() {
        let broken = changed(destroyers.all(at, &training.samples, labels, &training.labels), options)?;
        let model = context.teach_invalid(&format!("invalid class from {taught}"), training, &broken)?;
        let row = trial.with_invalid(&*model.model())?;
        rows.push(Transfer { taught, accuracy: row.accuracy, recognised: row.by_destroyer });
    }
    Ok(rows)
}
