//! Teaching a model to notice nonsense: threshold, entropy and an extra class, from the same start, compared on valid and
//! on destroyed inputs (Gupta, Kvernadze and Srikumar 2021, Table 12).
//!
//! A tenth of the training set is held out, and every setting is tuned on it; the models that are compared learn from the
//! other nine tenths. (The paper trains once more on everything. We do not: a threshold belongs to the very model that it
//! was tuned for.)
//!
//! Encoders are taught about nonsense from where the baseline left off, as the paper does for its entropy term. From the
//! checkpoint itself they learn within a few hundred steps to recognise nonsense, and by then nothing of the task:
//! the one is so much easier than the other.

mod threshold;
mod training_context;
mod transfer;
mod trial;

use std::sync::Arc;

use fissure_models::train::{Nonsense, Progress};
use fissure_models::{Answer, Model};
use fissure_statistics::Estimate;
use serde::Serialize;

use crate::{Destroyers, Error, LabelledSet, Result, Trained, Trainer, calibrate};
pub use threshold::Threshold;
pub(crate) use training_context::{TrainingContext, accuracy};
use training_context::{changed, nonsense};
pub use transfer::{Transfer, transfer};
pub(crate) use trial::Trial;

/// The name of the extra class.
pub const INVALID: &str = "invalid";

/// The ways to notice nonsense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Reject answers whose calibrated probability is low.
    Threshold,
    /// The same, for a model that was trained to be unsure about nonsense.
    EntropyAndThreshold,
    /// Train with an extra class for nonsense, and reject what most probably is of it.
    Invalid,
    /// The same model, with the least probability of being valid tuned as the thresholds are.
    InvalidTuned,
}

impl Way {
    pub const ALL: [Self; 4] = [Self::Threshold, Self::EntropyAndThreshold, Self::Invalid, Self::InvalidTuned];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Threshold => "threshold",
            Self::EntropyAndThreshold => "entropy + threshold",
            Self::Invalid => "invalid class",
            Self::InvalidTuned => "invalid class, tuned",
        }
    }
}

/// What to compare on, and how far to look.
#[derive(Debug, Clone)]
pub struct MitigateOptions {
    pub destroyers: Vec<String>,
    /// Weights of the entropy term that are tried; none leaves this way out.
    pub weights: Vec<f32>,
    /// The share of the training set that settings are tuned on.
    pub tuned_on: f64,
    /// Destroyed samples for each valid one that a model learns from; at most 1.
    pub per_valid: f64,
    /// The model to start from; where `None`, one is trained first.
    pub baseline: Option<Trained>,
    pub seed: u64,
}

impl Default for MitigateOptions {
    fn default() -> Self {
        let destroyers = crate::NAMES.map(str::to_owned).to_vec();
        Self { destroyers, weights: vec![0.3, 1.0, 3.0], tuned_on: 0.1, per_valid: 1.0, baseline: None, seed: 0 }
    }
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Mitigation {
    /// Accuracy of the model before anything was done.
    pub baseline: Estimate,
    /// The share of the test's most frequent label: what a model that knows nothing gets.
    pub majority: f64,
    /// Of a given model under which every way lost many right answers: the accuracy of one that was trained on the same samples
    /// and on no nonsense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Estimate>,
    pub rows: Vec<Row>,
    /// How many test samples each destroyer changed.
    pub destroyed: Vec<(String, usize)>,
    /// The models that were trained, by name.
    #[serde(skip)]
    pub models: Vec<(&'static str, Trained)>,
}

/// One way.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub way: Way,
    /// The share of valid samples that are answered right and not rejected.
    pub accuracy: Estimate,
    /// The share of valid samples that are rejected.
    pub rejected: Estimate,
    /// The share of destroyed samples that are recognised, over all destroyers, each weighing the same as its samples.
    pub recognised: Estimate,
    pub by_destroyer: Vec<(String, Estimate)>,
    pub threshold: Option<Threshold>,
    /// The weight of the entropy term that was chosen.
    pub weight: Option<f32>,
}

impl Row {
    /// Whether nonsense is recognised beyond noise more often than valid samples are rejected.
    fn notices(&self) -> bool {
        self.recognised.low > self.rejected.high
    }
}

/// The share of its right answers that a way must keep to be of any help.
const KEPT: f64 = 0.95;

impl Mitigation {
    fn before(answers: &[Answer], test: &LabelledSet) -> Result<Self> {
        let baseline = accuracy(answers, &test.labels)?;
        let (rows, destroyed) = (Vec::new(), Vec::new());
        Ok(Self { baseline, majority: test.majority(), control: None, rows, destroyed, models: Vec::new() })
    }

    /// Whether the model is right more often than one that always answers the most frequent label.
    pub fn learned(&self) -> bool {
        self.baseline.low > self.majority
    }

    /// The way that helps most: it keeps nearly all right answers, and recognises nonsense beyond noise more often than it
    /// rejects valid samples.
    pub fn best(&self) -> Option<&Row> {
        let helps = |row: &&Row| row.notices() && row.accuracy.value >= KEPT * self.baseline.value;
        let gain = |row: &&Row| row.recognised.value - row.rejected.value;
        self.rows.iter().filter(helps).max_by(|a, b| gain(a).total_cmp(&gain(b)))
    }

    /// Whether anything helped, in a sentence.
    pub fn verdict(&self) -> String {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let before = percent(self.baseline.value);
        if !self.learned() {
            return format!(
                "The model is right for {before} of the test samples, no better than always answering the most frequent \
                 label ({}): there is nothing to build on, so nothing was tried.",
                percent(self.majority)
            );
        }
        match self.best() {
            Some(row) => format!(
                "Best: {}. It recognises {} of the nonsense and rejects {} of the valid samples; right answers: {before} \
                 before, {} now.",
                row.way.name(),
                percent(row.recognised.value),
                percent(row.rejected.value),
                percent(row.accuracy.value)
            ),
            None if self.control.is_some_and(|control| control.value < KEPT * self.baseline.value) => format!(
                "No way keeps {:.0} % of the right answers, but neither does training on these samples without any nonsense: {} \
                 are right then, and {before} of the model that was given, which has probably seen other data, or more. Give the data \
                 that it was trained on.",
                100.0 * KEPT,
                self.control.map_or_else(String::new, |control| percent(control.value))
            ),
            None => format!(
                "Nothing helped: no way recognises clearly more nonsense than it rejects valid samples and keeps {:.0} % of \
                 the right answers.",
                100.0 * KEPT
            ),
        }
    }
}

/// Trains, tunes and compares all ways. `on_progress` is called with the model that is being trained, and how far it is.
pub fn mitigate(
    trainer: &Trainer,
    labels: &[String],
    training: &LabelledSet,
    test: &LabelledSet,
    options: &MitigateOptions,
    on_progress: &mut dyn FnMut(&str, &Progress),
) -> Result<Mitigation> {
    let (fit, tune) = training.split(options.tuned_on, options.seed);
    let mut context = TrainingContext { trainer, labels, on_progress };
    let baseline = match &options.baseline {
        Some(model) => model.clone(),
        None => context.teach("baseline", &fit.examples(), &Nonsense::default())?,
    };
    mitigate_from(&mut context, baseline, &fit, &tune, test, options)
}

/// The same, with the baseline trained already, on `fit`.
pub(crate) fn mitigate_from(
    context: &mut TrainingContext<'_>,
    baseline: Trained,
    fit: &LabelledSet,
    tune: &LabelledSet,
    test: &LabelledSet,
    options: &MitigateOptions,
) -> Result<Mitigation> {
    let labels = context.labels;
    if labels.iter().any(|label| label == INVALID) {
        return Err(Error::InvalidIsTaken);
    }
    let answers = test.answers(&*baseline.model())?;
    let mut found = Mitigation::before(&answers, test)?;
    if !found.learned() {
        found.models.push(("baseline", baseline));
        return Ok(found);
    }
    let destroyers = Destroyers::new(&options.destroyers, baseline.model(), fit, labels, options.seed)?;
    let broken_fit = changed(destroyers.mixed(fit, labels, options.per_valid), options)?;
    let broken_tune = changed(destroyers.mixed(tune, labels, 1.0), options)?;
    let trial = Trial::new(&destroyers, test, labels);
    let mut found = thresholded(&*baseline.model(), tune, &broken_tune, &trial)?;
    let trainer = context.trainer.after(&baseline)?;
    let mut context = TrainingContext { trainer: &trainer, labels, on_progress: &mut *context.on_progress };
    found.models.push(("baseline", baseline));

    let mut best: Option<(f32, Threshold, Trained)> = None;
    for weight in &options.weights {
        let name = format!("entropy, weight {weight}");
        let model = context.teach(&name, &fit.examples(), &nonsense(&broken_fit, *weight))?;
        let tuned = Threshold::tuned(&*model.model(), tune, &broken_tune)?;
        if best.as_ref().is_none_or(|(_, known, _)| tuned.score > known.score) {
            best = Some((*weight, tuned, model));
        }
    }
    if let Some((weight, threshold, model)) = best {
        let row = trial.thresholded(Way::EntropyAndThreshold, &*model.model(), threshold)?;
        found.rows.push(Row { weight: Some(weight), ..row });
        found.models.push(("entropy", model));
    }

    let model = context.teach_invalid("invalid class", fit, &broken_fit)?;
    found.rows.push(trial.with_invalid(&*model.model())?);
    let tuned = Threshold::tuned_valid(&*model.model(), tune, &broken_tune)?;
    found.rows.push(trial.with_tuned_invalid(&*model.model(), tuned)?);
    found.models.push(("invalid", model));
    // A given model may have learned from other samples than these: what is lost with them is no fault of the ways.
    if options.baseline.is_some() && found.best().is_none() && found.rows.iter().any(Row::notices) {
        let model = context.teach("without nonsense", &fit.examples(), &Nonsense::default())?;
        found.control = Some(accuracy(&test.answers(&*model.model())?, &test.labels)?);
    }
    Ok(found)
}

/// A threshold alone, which needs no training: for any model with probabilities, wherever it is. Phrases for `pbsmt` are
/// learned from the samples it is tuned on.
pub fn threshold(
    model: &Arc<dyn Model>,
    tune: &LabelledSet,
    test: &LabelledSet,
    options: &MitigateOptions,
) -> Result<Mitigation> {
    for (what, found) in [("tuning a threshold", tune.len()), ("measuring a threshold", test.len())] {
        if found < calibrate::FEWEST {
            return Err(Error::TooFew { what, found, needed: calibrate::FEWEST });
        }
    }
    let labels = model.capabilities().labels.clone();
    let destroyers = Destroyers::new(&options.destroyers, Arc::clone(model), tune, &labels, options.seed)?;
    let broken = changed(destroyers.mixed(tune, &labels, 1.0), options)?;
    thresholded(&**model, tune, &broken, &Trial::new(&destroyers, test, &labels))
}

fn thresholded(
    model: &dyn Model,
    tune: &LabelledSet,
    broken: &[fissure_core::Sample],
    trial: &Trial<'_>,
) -> Result<Mitigation> {
    let tuned = Threshold::tuned(model, tune, broken)?;
    let answers = trial.test.answers(model)?;
    Ok(Mitigation {
        rows: vec![trial.thresholded(Way::Threshold, model, tuned)?],
        destroyed: trial.counts(),
        ..Mitigation::before(&answers, trial.test)?
    })
}
