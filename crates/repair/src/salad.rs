//! How a model answers nonsense: agreement with its own answers, and how sure it is (Tables 5 to 9 of the paper), as
//! `fissure evaluate` counts it.

use fissure_core::Sample;
use fissure_evaluate::{Response, SaladRow};
use fissure_models::Model;
use fissure_tasks::Task;

use crate::labelled::answers;
use crate::{Destroyers, LabelledSet, Result};

/// A row for every destroyer that changed anything. The task says which label copied words suggest.
pub fn salad(model: &dyn Model, destroyers: &Destroyers, test: &LabelledSet, task: &Task) -> Result<Vec<SaladRow>> {
    let labels = &model.capabilities().labels;
    let before = responses(model, &test.samples)?;
    let mut rows = Vec::new();
    for at in 0..destroyers.len() {
        let mut tally = destroyers.tally(at, task, labels);
        let made = destroyers.all(at, &test.samples, labels, &test.labels);
        tally.counts.unchanged = made.iter().filter(|sample| sample.is_none()).count();
        let (samples, old): (Vec<Sample>, Vec<&Response>) =
            made.into_iter().zip(&before).filter_map(|(sample, old)| Some((sample?, old))).unzip();
        tally.counts.changed = samples.len();
        let after = responses(model, &samples)?;
        old.into_iter().zip(&after).for_each(|(old, new)| tally.add(old, &[new]));
        rows.extend(tally.finish(labels.len()));
    }
    Ok(rows)
}

fn responses(model: &dyn Model, samples: &[Sample]) -> Result<Vec<Response>> {
    let labels = &model.capabilities().labels;
    let named = |class: usize| labels.get(class).cloned().unwrap_or_else(|| class.to_string());
    let said = answers(model, samples)?.into_iter();
    Ok(said.map(|said| Response::predicted(named(said.predicted), said.predicted, said.log_probs)).collect())
}
