//! Temperature scaling (Guo et al. 2017): one number that makes stated confidence believable and changes no answer.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fissure_core::Dice;
use fissure_models::{Answer, Capabilities, Input, Model};
use fissure_statistics::{Estimate, ece};
use serde::{Deserialize, Serialize};

use crate::labelled::confidence;
use crate::{Error, LabelledSet, Result};

/// The name of the file beside a model.
pub const FILE: &str = fissure_ask::CALIBRATION;
const FORMAT: &str = "fissure-calibration-1";
/// Bins of equal width, as the papers have them, and resamples for the interval.
const BINS: usize = 10;
const RESAMPLES: usize = 1000;
/// Temperatures beyond these come from no model: all its probabilities would be alike, or 0 and 1.
const POSSIBLE: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// Fewer samples say nothing about a temperature.
pub(crate) const FEWEST: usize = 20;

/// A fitted temperature, and what it does on data it was not fitted on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    pub format: String,
    /// Logits are divided by it; above 1 the model was too sure.
    pub temperature: f64,
    /// Samples it was fitted on, and measured on.
    pub fitted_on: usize,
    pub measured_on: usize,
    /// The checksum of the weights it was fitted for; `None` for a model without a directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    pub before: Stated,
    pub after: Stated,
}

/// How a model states its confidence on some samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stated {
    pub ece: Estimate,
    pub accuracy: f64,
    pub confidence: f64,
    /// Mean negative log-likelihood of the right label.
    pub loss: f64,
    pub bins: Vec<Bin>,
}

/// Answers of about the same confidence: a bar of the reliability diagram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    pub low: f64,
    pub high: f64,
    pub samples: usize,
    pub confidence: f64,
    pub accuracy: Estimate,
}

/// Fits a temperature on `held_out` and measures it on `test`.
pub fn calibrate(model: &dyn Model, held_out: &LabelledSet, test: &LabelledSet, seed: u64) -> Result<Calibration> {
    let known = rows(&held_out.answers(model)?, &held_out.labels)?;
    let tested = rows(&test.answers(model)?, &test.labels)?;
    for (what, found) in [("fitting a temperature", known.len()), ("measuring calibration", tested.len())] {
        if found < FEWEST {
            return Err(Error::TooFew { what, found, needed: FEWEST });
        }
    }
    let temperature = temperature(&known);
    Ok(Calibration {
        format: FORMAT.into(),
        temperature,
        fitted_on: known.len(),
        measured_on: tested.len(),
        weights: None,
        before: stated(&tested, 1.0, seed)?,
        after: stated(&tested, temperature, seed)?,
    })
}

/// The temperature with the smallest mean negative log-likelihood of the right labels. That is convex in 1 / temperature,
/// so its slope is followed to 0; the ends (0.05 and 20) are for models that are always right, or know nothing.
pub fn temperature(rows: &[(Vec<f64>, usize)]) -> f64 {
    let slope = |sharpness: f64| -> f64 {
        rows.iter()
            .map(|(log_probs, gold)| {
                let scaled = scaled(log_probs, 1.0 / sharpness);
                // A class that the model rules out has p = 0 and log p = -inf; it adds nothing.
                let expected: f64 =
                    scaled.iter().zip(log_probs).filter(|(s, _)| s.is_finite()).map(|(s, z)| s.exp() * z).sum();
                expected - log_probs[*gold].max(-1e3)
            })
            .sum()
    };
    let (mut low, mut high) = (0.05_f64, 20.0_f64);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if slope(middle) > 0.0 { high = middle } else { low = middle }
    }
    1.0 / (low * high).sqrt()
}

/// Log-probabilities at another temperature.
pub(crate) fn scaled(log_probs: &[f64], temperature: f64) -> Vec<f64> {
    let most = log_probs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = log_probs.iter().map(|z| ((z - most) / temperature).exp()).sum();
    log_probs.iter().map(|z| (z - most) / temperature - sum.ln()).collect()
}

/// Log-probabilities and the right label of each sample.
fn rows(answers: &[Answer], labels: &[usize]) -> Result<Vec<(Vec<f64>, usize)>> {
    let row = |(answer, label): (&Answer, &usize)| {
        let log_probs = answer.log_probs.as_ref().ok_or(Error::NoProbabilities { what: "calibration" })?;
        Ok((log_probs.iter().map(|z| f64::from(*z)).collect(), *label))
    };
    let unknown = |row: &Result<(Vec<f64>, usize)>| matches!(row, Ok((log_probs, gold)) if *gold >= log_probs.len());
    answers.iter().zip(labels).map(row).filter(|row| !unknown(row)).collect()
}

fn stated(rows: &[(Vec<f64>, usize)], temperature: f64, seed: u64) -> Result<Stated> {
    let mut answers = Vec::with_capacity(rows.len());
    let mut loss = 0.0;
    for (log_probs, gold) in rows {
        let scaled = scaled(log_probs, temperature);
        let best = (0..scaled.len()).reduce(|best, c| if scaled[c] > scaled[best] { c } else { best }).unwrap_or(0);
        answers.push((scaled[best].exp(), best == *gold));
        loss -= scaled[*gold] / rows.len() as f64;
    }
    let found = ece(&answers, BINS, RESAMPLES, &mut Dice::new(seed, &["ece"]));
    let found = found.ok_or(Error::TooFew { what: "measuring calibration", found: 0, needed: FEWEST })?;
    let count = answers.len() as f64;
    let bins = found.bins.iter().map(|bin| Bin {
        low: bin.low,
        high: bin.high,
        samples: bin.samples,
        confidence: bin.confidence,
        accuracy: bin.accuracy,
    });
    Ok(Stated {
        ece: found.ece,
        accuracy: answers.iter().filter(|(_, right)| *right).count() as f64 / count,
        confidence: answers.iter().map(|(confidence, _)| confidence).sum::<f64>() / count,
        loss,
        bins: bins.collect(),
    })
}

impl Calibration {
    /// Writes the file beside a model's own.
    pub fn save(&self, directory: &Path) -> Result<()> {
        let path = directory.join(FILE);
        let text = serde_json::to_vec_pretty(self).unwrap_or_default();
        fs::write(&path, text).map_err(|source| Error::Io { action: "write", path, source })
    }

    /// The calibration beside a model; `None` if there is none.
    pub fn of(directory: &Path) -> Result<Option<Self>> {
        let path = directory.join(FILE);
        if !path.is_file() {
            return Ok(None);
        }
        let text = fs::read(&path).map_err(|source| Error::Io { action: "read", path: path.clone(), source })?;
        let bad = |why: String| Error::NotACalibration { path: path.clone(), why };
        let found: Self = serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))?;
        if found.format != FORMAT || !POSSIBLE.contains(&found.temperature) {
            return Err(bad(format!("format {:?}, temperature {}", found.format, found.temperature)));
        }
        Ok(Some(found))
    }
}

/// A model with its probabilities at another temperature. Its answers are the same.
#[derive(Debug)]
pub struct Calibrated {
    pub model: Arc<dyn Model>,
    pub temperature: f64,
}

impl Model for Calibrated {
    fn capabilities(&self) -> &Capabilities {
        self.model.capabilities()
    }

    fn answer(&self, inputs: &[Input<'_>]) -> fissure_models::Result<Vec<Answer>> {
        let mut answers = self.model.answer(inputs)?;
        for answer in &mut answers {
            if let Some(log_probs) = &mut answer.log_probs {
                *log_probs = at_temperature(log_probs, self.temperature);
            }
        }
        Ok(answers)
    }
}

/// Log-probabilities at another temperature, as answers hold them.
pub fn at_temperature(log_probs: &[f32], temperature: f64) -> Vec<f32> {
    let wide: Vec<f64> = log_probs.iter().map(|z| f64::from(*z)).collect();
    scaled(&wide, temperature).into_iter().map(|z| z as f32).collect()
}

/// The probability of each answer that was given, at a temperature.
pub(crate) fn confidences(answers: &[Answer], temperature: f64) -> Result<Vec<f64>> {
    let one = |answer: &Answer| {
        let log_probs = answer.log_probs.as_ref().ok_or(Error::NoProbabilities { what: "a threshold" })?;
        let wide: Vec<f64> = log_probs.iter().map(|z| f64::from(*z)).collect();
        Ok(scaled(&wide, temperature).get(answer.predicted).map_or(f64::NAN, |log| log.exp()))
    };
    if temperature == 1.0 {
        return answers.iter().map(|a| confidence(a).ok_or(Error::NoProbabilities { what: "a threshold" })).collect();
    }
    answers.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model that says 0.9 and is right in 3 of 4: the temperature that turns 0.9 into 0.75 is ln 9 / ln 3 = 2.
    #[test]
    fn the_temperature_by_hand() {
        let row = |gold| (vec![0.9_f64.ln(), 0.1_f64.ln()], gold);
        let rows = [row(0), row(0), row(0), row(1)];
        assert!((temperature(&rows) - 2.0).abs() < 1e-9, "{}", temperature(&rows));
        let after = stated(&rows, 2.0, 0).unwrap();
        assert!((after.confidence - 0.75).abs() < 1e-12 && after.ece.value < 1e-12);
        let before = stated(&rows, 1.0, 0).unwrap();
        assert!((before.ece.value - 0.15).abs() < 1e-12 && before.loss > after.loss);
        assert_eq!(before.accuracy, after.accuracy);
    }

    #[test]
    fn ends_are_kept_and_ruled_out_classes_do_no_harm() {
        let sure = [(vec![0.0, f64::NEG_INFINITY], 0), (vec![0.0, f64::NEG_INFINITY], 0)];
        assert!(temperature(&sure).is_finite());
        let wrong = [(vec![0.99_f64.ln(), 0.01_f64.ln()], 1), (vec![0.99_f64.ln(), 0.01_f64.ln()], 1)];
        assert!((temperature(&wrong) - 20.0).abs() < 1e-6);
    }

    #[test]
    fn a_calibration_survives_the_disk_and_another_file_does_not() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Calibration::of(folder.path()).unwrap(), None);
        let rows: Vec<(Vec<f64>, usize)> = (0..40).map(|at| (vec![0.8_f64.ln(), 0.2_f64.ln()], at % 2)).collect();
        let stated = stated(&rows, 1.0, 0).unwrap();
        let found = Calibration {
            format: FORMAT.into(),
            temperature: 1.5,
            fitted_on: 40,
            measured_on: 40,
            weights: Some("abc".into()),
            before: stated.clone(),
            after: stated,
        };
        found.save(folder.path()).unwrap();
        assert_eq!(Calibration::of(folder.path()).unwrap(), Some(found));
        fs::write(folder.path().join(FILE), "{}").unwrap();
        assert!(Calibration::of(folder.path()).unwrap_err().to_string().contains(FILE));
    }
}
