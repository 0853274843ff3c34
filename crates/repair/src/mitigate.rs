//! Teaching a model to notice nonsense: three ways, from the same start, compared on valid and on destroyed inputs
//! (Gupta, Kvernadze and Srikumar 2021, Table 12).

mod threshold;
mod transfer;

use fissure_core::Sample;
use fissure_models::train::{Example, Nonsense, Progress};
use fissure_models::{Answer, Model};
use fissure_statistics::{Estimate, proportion};
use serde::Serialize;

use crate::set::{answers, example, input};
use crate::{Destroyers, Error, Graduate, Result, School, Set, calibrate};
pub use threshold::Threshold;
pub use transfer::{Transfer, transfer};

/// The name of the extra class.
pub const INVALID: &str = "invalid";

/// The three ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Reject answers whose calibrated probability is low.
    Threshold,
    /// The same, for a model that was trained to be unsure about nonsense.
    EntropyAndThreshold,
    /// Train with an extra class for nonsense.
    Invalid,
}

impl Way {
    pub const ALL: [Self; 3] = [Self::Threshold, Self::EntropyAndThreshold, Self::Invalid];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Threshold => "threshold",
            Self::EntropyAndThreshold => "entropy + threshold",
            Self::Invalid => "invalid class",
        }
    }
}

/// What to compare on, and how far to look.
#[derive(Debug, Clone)]
pub struct MitigateOptions {
    pub destroyers: Vec<String>,
    /// Weights of the entropy term that are tried.
    pub weights: Vec<f32>,
    /// The share of the training set that settings are tuned on.
    pub tuned_on: f64,
    pub seed: u64,
}

impl Default for MitigateOptions {
    fn default() -> Self {
        let destroyers = crate::NAMES.map(str::to_owned).to_vec();
        Self { destroyers, weights: vec![0.3, 1.0, 3.0], tuned_on: 0.1, seed: 0 }
    }
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Mitigation {
    /// Accuracy of the model before anything was done.
    pub baseline: Estimate,
    pub rows: Vec<Row>,
    /// How many test samples each destroyer changed.
    pub destroyed: Vec<(String, usize)>,
    /// The models of the rows, in the same order; the first is the baseline's.
    #[serde(skip)]
    pub models: Vec<Graduate>,
}

/// One way.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub way: Way,
    /// The share of valid samples that are answered right and not rejected.
    pub accuracy: Estimate,
    /// The share of destroyed samples that are recognised, over all destroyers, each weighing the same as its samples.
    pub recognised: Estimate,
    pub by_destroyer: Vec<(String, Estimate)>,
    pub threshold: Option<Threshold>,
    /// The weight of the entropy term that was chosen.
    pub weight: Option<f32>,
}

/// Trains, tunes and compares the three ways. `tell` hears which model is being trained, and how far it is.
pub fn mitigate(
    school: &School,
    labels: &[String],
    training: &Set,
    test: &Set,
    options: &MitigateOptions,
    tell: &mut dyn FnMut(&str, &Progress),
) -> Result<Mitigation> {
    if labels.iter().any(|label| label == INVALID) {
        return Err(Error::InvalidIsTaken);
    }
    let (fit, tune) = training.split(options.tuned_on, options.seed);
    let mut clinic = Clinic { school, labels, tell };

    // Settings are tuned on what the models of this stage have not seen.
    let first = clinic.teach("baseline, to tune on", &fit.examples(), &Nonsense::default())?;
    let destroyers = Destroyers::new(&options.destroyers, first.model(), &fit, labels, options.seed)?;
    let broken_fit = changed(destroyers.mixed(&fit, labels), options)?;
    let broken_tune = changed(destroyers.mixed(&tune, labels), options)?;
    let plain = Threshold::tuned(&*first.model(), &tune, &broken_tune)?;
    let mut best: Option<(f32, Threshold)> = None;
    for weight in &options.weights {
        let nonsense = nonsense(&broken_fit, *weight);
        let model = clinic.teach(&format!("entropy {weight}, to tune on"), &fit.examples(), &nonsense)?;
        let found = Threshold::tuned(&*model.model(), &tune, &broken_tune)?;
        if best.as_ref().is_none_or(|(_, known)| found.score > known.score) {
            best = Some((*weight, found));
        }
    }

    // The models that are compared have seen the whole training set.
    let baseline = clinic.teach("baseline", &training.examples(), &Nonsense::default())?;
    let destroyers = Destroyers::new(&options.destroyers, baseline.model(), training, labels, options.seed)?;
    let broken = changed(destroyers.mixed(training, labels), options)?;
    let trial = Trial::new(&destroyers, test, labels);
    let mut models = vec![baseline.clone()];
    let mut rows = vec![trial.thresholded(Way::Threshold, &*baseline.model(), plain, None)?];
    if let Some((weight, threshold)) = best {
        let model = clinic.teach("entropy", &training.examples(), &nonsense(&broken, weight))?;
        rows.push(trial.thresholded(Way::EntropyAndThreshold, &*model.model(), threshold, Some(weight))?);
        models.push(model);
    }
    let model = clinic.teach_invalid("invalid class", training, &broken)?;
    rows.push(trial.with_invalid(&*model.model())?);
    models.push(model);
    Ok(Mitigation {
        baseline: accuracy(&test.answers(&*baseline.model())?, &test.labels)?,
        rows,
        destroyed: trial.counts(),
        models,
    })
}

/// What every training of a comparison shares.
pub(crate) struct Clinic<'a> {
    pub school: &'a School,
    pub labels: &'a [String],
    pub tell: &'a mut dyn FnMut(&str, &Progress),
}

impl Clinic<'_> {
    pub fn teach(&mut self, name: &str, examples: &[Example], nonsense: &Nonsense) -> Result<Graduate> {
        self.school.teach(examples, nonsense, self.labels, &mut |progress| (self.tell)(name, progress))
    }

    /// With one class more, for the destroyed samples.
    pub fn teach_invalid(&mut self, name: &str, training: &Set, broken: &[Sample]) -> Result<Graduate> {
        let mut examples = training.examples();
        examples.extend(broken.iter().map(|sample| example(sample, self.labels.len())));
        let labels: Vec<String> = self.labels.iter().cloned().chain([INVALID.to_owned()]).collect();
        self.school.teach(&examples, &Nonsense::default(), &labels, &mut |progress| (self.tell)(name, progress))
    }
}

/// The test: valid samples, and each destroyer's.
pub(crate) struct Trial<'a> {
    test: &'a Set,
    destroyed: Vec<(String, Vec<Sample>)>,
}

impl<'a> Trial<'a> {
    pub fn new(destroyers: &Destroyers, test: &'a Set, labels: &[String]) -> Self {
        let of = |(at, name): (usize, &str)| {
            let changed = destroyers.all(at, &test.samples, labels, &test.labels);
            (name.to_owned(), changed.into_iter().flatten().collect())
        };
        Self { test, destroyed: destroyers.names().enumerate().map(of).collect() }
    }

    fn counts(&self) -> Vec<(String, usize)> {
        self.destroyed.iter().map(|(name, samples)| (name.clone(), samples.len())).collect()
    }

    fn thresholded(&self, way: Way, model: &dyn Model, threshold: Threshold, weight: Option<f32>) -> Result<Row> {
        let rejects = |answers: &[Answer]| -> Result<Vec<bool>> {
            Ok(calibrate::confidences(answers, threshold.temperature)?.iter().map(|p| *p < threshold.least).collect())
        };
        let row = self.row(way, model, &rejects)?;
        Ok(Row { threshold: Some(threshold), weight, ..row })
    }

    pub fn with_invalid(&self, model: &dyn Model) -> Result<Row> {
        let invalid = model.offers().labels.len() - 1;
        let rejects = |answers: &[Answer]| -> Result<Vec<bool>> {
            Ok(answers.iter().map(|answer| answer.predicted == invalid).collect())
        };
        self.row(Way::Invalid, model, &rejects)
    }

    fn row(&self, way: Way, model: &dyn Model, rejects: &dyn Fn(&[Answer]) -> Result<Vec<bool>>) -> Result<Row> {
        let valid = self.test.answers(model)?;
        let rejected = rejects(&valid)?;
        let right = valid.iter().zip(&rejected).zip(&self.test.labels);
        let right = right.filter(|((answer, rejected), gold)| !**rejected && answer.predicted == **gold).count();
        let (mut seen, mut all) = (0, 0);
        let mut by_destroyer = Vec::new();
        for (name, samples) in &self.destroyed {
            let noticed = rejects(&answers(model, samples)?)?.into_iter().filter(|rejected| *rejected).count();
            (seen, all) = (seen + noticed, all + samples.len());
            by_destroyer.extend(proportion(noticed, samples.len()).map(|share| (name.clone(), share)));
        }
        let nothing = Error::TooFew { what: "a comparison of mitigations", found: 0, needed: 1 };
        let accuracy = proportion(right, valid.len());
        let (Some(accuracy), Some(recognised)) = (accuracy, proportion(seen, all)) else { return Err(nothing) };
        Ok(Row { way, accuracy, recognised, by_destroyer, threshold: None, weight: None })
    }
}

/// The share of right answers.
pub(crate) fn accuracy(answers: &[Answer], labels: &[usize]) -> Result<Estimate> {
    let right = answers.iter().zip(labels).filter(|(answer, gold)| answer.predicted == **gold).count();
    proportion(right, answers.len()).ok_or(Error::TooFew { what: "an accuracy", found: 0, needed: 1 })
}

pub(crate) fn changed(samples: Vec<Option<Sample>>, options: &MitigateOptions) -> Result<Vec<Sample>> {
    let changed: Vec<Sample> = samples.into_iter().flatten().collect();
    if changed.is_empty() {
        return Err(Error::NothingDestroyed { names: options.destroyers.join(", ") });
    }
    Ok(changed)
}

fn nonsense(samples: &[Sample], weight: f32) -> Nonsense {
    let texts = samples.iter().map(|sample| {
        let input = input(sample);
        (input.text.to_owned(), input.pair.map(str::to_owned))
    });
    Nonsense { texts: texts.collect(), weight }
}
