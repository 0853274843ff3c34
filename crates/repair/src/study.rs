//! The whole experiment of the word-salad paper on one data set.

use fissure_models::Model;
use fissure_models::train::{Nonsense, Progress};
use fissure_statistics::{Estimate, mean};
use serde::Serialize;

use crate::calibrate::{Calibrated, Stated, calibrate};
use crate::mitigate::{Clinic, MitigateOptions, Mitigation, accuracy, mitigate};
use crate::nonsense::{Comparison, compare};
use crate::salad::{Salad, default_label, salad};
use crate::set::confidence;
use crate::{Destroyers, NAMES, Result, School, Set};

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub struct Study {
    pub data: String,
    pub model: String,
    pub training_samples: usize,
    pub test_samples: usize,
    pub labels: Vec<String>,
    /// Table 5: the baseline on valid data.
    pub accuracy: Estimate,
    pub confidence: Option<Estimate>,
    /// Tables 6 and 7.
    pub salad: Vec<Salad>,
    /// What guessing agrees with, and the confidence of a model that knows that it does not know.
    pub chance: f64,
    /// Tables 8 and 9.
    pub calibration: Vec<Method>,
    /// Table 11.
    pub nonsense: Comparison,
    /// Table 12.
    pub mitigation: Mitigation,
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

/// Trains and measures everything. `tell` hears what is being trained.
pub fn study(
    data: &str,
    school: &School,
    labels: &[String],
    training: &Set,
    test: &Set,
    seed: u64,
    tell: &mut dyn FnMut(&str, &Progress),
) -> Result<Study> {
    let names: Vec<String> = NAMES.map(str::to_owned).to_vec();
    let default = default_label(labels);
    let (fit, held_out) = training.split(0.1, seed);
    let mut methods = Vec::new();
    let mut first: Option<(Estimate, Option<Estimate>, Vec<Salad>)> = None;
    for (name, smoothing, focus) in [("baseline", 0.0, 0.0), ("label smoothing", 0.1, 0.0), ("focal loss", 0.0, 2.0)] {
        let school = school.with_loss(smoothing, focus);
        let mut clinic = Clinic { school: &school, labels, tell };
        let model = clinic.teach(name, &fit.examples(), &Nonsense::default())?.model();
        let destroyers = Destroyers::new(&names, model.clone(), &fit, labels, seed)?;
        let rows = salad(&*model, &destroyers, test, labels, default)?;
        let found = calibrate(&*model, &held_out, test, seed)?;
        if first.is_none() {
            let answers = test.answers(&*model)?;
            let sure = mean(&answers.iter().filter_map(confidence).collect::<Vec<_>>());
            first = Some((accuracy(&answers, &test.labels)?, sure, rows.clone()));
            methods.push(Method::of(name, found.before, &rows));
            let scaled = Calibrated { model, temperature: found.temperature };
            let rows = salad(&scaled as &dyn Model, &destroyers, test, labels, default)?;
            methods.push(Method::of("temperature scaling", found.after, &rows));
        } else {
            methods.push(Method::of(name, found.before, &rows));
        }
    }
    let nonsense = compare(school, labels, training, test, "shuffle", seed, tell)?;
    let options = MitigateOptions { seed, ..MitigateOptions::default() };
    let mitigation = mitigate(school, labels, training, test, &options, tell)?;
    let (accuracy, confidence, salad) = first.unwrap_or((mitigation.baseline, None, Vec::new()));
    Ok(Study {
        data: data.to_owned(),
        model: school.name(),
        training_samples: training.len(),
        test_samples: test.len(),
        labels: labels.to_vec(),
        accuracy,
        confidence,
        salad,
        chance: 1.0 / labels.len() as f64,
        calibration: methods,
        nonsense,
        mitigation,
    })
}

impl Method {
    fn of(name: &'static str, stated: Stated, rows: &[Salad]) -> Self {
        let mean = |of: &[&str]| {
            mean_of(rows.iter().filter(|row| of.contains(&row.destroyer.as_str())), |row| Some(row.agreement.value))
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

/// The mean of what rows have; `None` where none has it.
pub fn mean_of<'a>(rows: impl Iterator<Item = &'a Salad>, value: impl Fn(&Salad) -> Option<f64>) -> Option<f64> {
    let values: Vec<f64> = rows.filter_map(value).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
