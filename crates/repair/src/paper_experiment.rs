//! The whole experiment of the word-salad paper on one data set. Every model is trained once: the baseline of one table
//! is the baseline of all.

use fissure_evaluate::SaladRow;
use fissure_models::Model;
use fissure_models::train::{Nonsense, Progress};
use fissure_statistics::{Estimate, mean};
use fissure_tasks::Task;
use serde::Serialize;

use crate::calibrate::{Calibrated, Stated, calibrate};
use crate::labelled::confidence;
use crate::mitigate::{MitigateOptions, Mitigation, TrainingContext, accuracy, mitigate_from};
use crate::salad::salad;
use crate::train_on_destroyed::{Comparison, compare_with};
use crate::{Destroyers, LabelledSet, Result, Trained, Trainer};

/// What is asked of a data set, beside how its models are trained.
#[derive(Debug, Clone, Default)]
pub struct StudyOptions {
    /// Tables 8 and 9.
    pub calibration: bool,
    /// Table 11.
    pub nonsense: bool,
    /// Table 12.
    pub mitigation: bool,
    /// The destroyers, the weights that are tried, the share that is held out, and the seed of everything.
    pub settings: MitigateOptions,
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Study {
    pub data: String,
    pub model: String,
    /// Samples that models learned from, and those that were held out to tune on.
    pub training_samples: usize,
    pub tuning_samples: usize,
    pub test_samples: usize,
    pub labels: Vec<String>,
    /// Table 5: the baseline on valid data.
    pub accuracy: Estimate,
    /// What saying the most frequent label gets right. Where the baseline is no better, nothing further is measured:
    /// a constant agrees with itself, whatever is done to the text.
    pub majority: f64,
    pub confidence: Option<Estimate>,
    /// Tables 6 and 7.
    pub salad: Vec<SaladRow>,
    /// What guessing agrees with, and the confidence of a model that knows that it does not know.
    pub chance: f64,
    /// Tables 8 and 9; empty if they were not asked for.
    pub calibration: Vec<Method>,
    /// Table 11.
    pub nonsense: Option<Comparison>,
    /// Table 12.
    pub mitigation: Option<Mitigation>,
}

impl Study {
    /// Whether the baseline is right more often than one that always says the most frequent label.
    pub fn learned(&self) -> bool {
        self.accuracy.low > self.majority
    }
}

/// A way to calibrate, and whether it helps against nonsense.
#[derive(Debug, Serialize)]
pub struct Method {
    pub name: &'static str,
    pub stated: Stated,
    /// Mean agreement over the lexical destroyers, over those by importance, and of `pbsmt`.
    pub lexical: Option<f64>,
    pub gradient: Option<f64>,
    pub pbsmt: Option<f64>,
    /// Mean confidence on destroyed inputs.
    pub confidence: Option<f64>,
}

/// A data set to study.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub name: &'a str,
    pub task: &'static Task,
    pub labels: &'a [String],
    pub training: &'a LabelledSet,
    pub test: &'a LabelledSet,
}

/// Trains and measures everything. `on_progress` is called with what is being trained.
pub fn study(
    subject: Subject<'_>,
    trainer: &Trainer,
    options: &StudyOptions,
    on_progress: &mut dyn FnMut(&str, &Progress),
) -> Result<Study> {
    let Subject { name, labels, training, test, .. } = subject;
    let settings = &options.settings;
    let (fit, tune) = training.split(settings.tuned_on, settings.seed);
    let mut context = TrainingContext { trainer, labels, on_progress };
    let baseline = context.teach("baseline", &fit.examples(), &Nonsense::default())?;
    let answers = test.answers(&*baseline.model())?;
    let mut found = Study {
        data: name.to_owned(),
        model: trainer.name(),
        training_samples: fit.len(),
        tuning_samples: tune.len(),
        test_samples: test.len(),
        labels: labels.to_vec(),
        accuracy: accuracy(&answers, &test.labels)?,
        majority: test.majority(),
        confidence: mean(&answers.iter().filter_map(confidence).collect::<Vec<_>>()),
        salad: Vec::new(),
        chance: 1.0 / labels.len() as f64,
        calibration: Vec::new(),
        nonsense: None,
        mitigation: None,
    };
    if !found.learned() {
        return Ok(found);
    }
    let destroyers = Destroyers::new(&settings.destroyers, baseline.model(), &fit, labels, settings.seed)?;
    found.salad = salad(&*baseline.model(), &destroyers, test, subject.task)?;
    if options.calibration {
        let ward = Shared { subject, fit: &fit, tune: &tune, settings };
        found.calibration = ward.calibrated(&mut context, &baseline, &destroyers, &found.salad)?;
    }
    if options.nonsense {
        found.nonsense = Some(compare_with(&mut context, &baseline, &fit, test, "shuffle", settings.seed)?);
    }
    if options.mitigation {
        found.mitigation = Some(mitigate_from(&mut context, baseline, &fit, &tune, test, settings)?);
    }
    Ok(found)
}

/// What the calibrated models share.
struct Shared<'a> {
    subject: Subject<'a>,
    fit: &'a LabelledSet,
    tune: &'a LabelledSet,
    settings: &'a MitigateOptions,
}

impl Shared<'_> {
    fn calibrated(
        &self,
        context: &mut TrainingContext<'_>,
        baseline: &Trained,
        destroyers: &Destroyers,
        rows: &[SaladRow],
    ) -> Result<Vec<Method>> {
        let Subject { test, task, labels, .. } = self.subject;
        let seed = self.settings.seed;
        let found = calibrate(&*baseline.model(), self.tune, test, seed)?;
        let scaled = Calibrated { model: baseline.model(), temperature: found.temperature };
        let scaled_rows = salad(&scaled as &dyn Model, destroyers, test, task)?;
        let mut methods = vec![
            Method::of("baseline", found.before, rows),
            Method::of("temperature scaling", found.after, &scaled_rows),
        ];
        for (name, smoothing, focus) in [("label smoothing", 0.1, 0.0), ("focal loss", 0.0, 2.0)] {
            let trainer = context.trainer.with_loss(smoothing, focus);
            let mut context = TrainingContext { trainer: &trainer, labels, on_progress: &mut *context.on_progress };
            let model = context.teach(name, &self.fit.examples(), &Nonsense::default())?.model();
            let destroyers = Destroyers::new(&self.settings.destroyers, model.clone(), self.fit, labels, seed)?;
            let rows = salad(&*model, &destroyers, test, task)?;
            methods.push(Method::of(name, calibrate(&*model, self.tune, test, seed)?.before, &rows));
        }
        Ok(methods)
    }
}

impl Method {
    fn of(name: &'static str, stated: Stated, rows: &[SaladRow]) -> Self {
        let mean = |of: &[&str]| {
            mean_of(rows.iter().filter(|row| of.contains(&row.name.as_str())), |row| Some(row.agreement.value))
        };
        Self {
            name,
            stated,
            lexical: mean(&LEXICAL),
            gradient: mean(&GRADIENT),
            pbsmt: mean(&["pbsmt"]),
            confidence: mean_of(rows.iter(), |row| row.confidence.map(|confidence| confidence.value)),
        }
    }
}

/// The paper's two larger groups.
pub const LEXICAL: [&str; 4] = ["sort", "reverse", "shuffle", "copy_sort"];
pub const GRADIENT: [&str; 4] = ["replace", "repeat", "drop", "copy_one"];

/// The mean of what rows have; `None` if none has it.
pub fn mean_of<'a>(rows: impl Iterator<Item = &'a SaladRow>, value: impl Fn(&SaladRow) -> Option<f64>) -> Option<f64> {
    let values: Vec<f64> = rows.filter_map(value).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
