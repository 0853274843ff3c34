//! Rejecting what a model is not sure of: at which temperature, and below which probability.
//!
//! The same search serves the extra class: there the probability is that of being valid.

use fissure_core::Sample;
use fissure_models::{Answer, Model};
use serde::Serialize;

use crate::calibrate::{confidences, temperature};
use crate::labelled::answers;
use crate::{Error, LabelledSet, Result};

/// Steps of the grid from the lowest probability there can be (1 / classes; 0 for being valid) to 1.
const STEPS: usize = 200;
/// A threshold must keep this share of the right answers: rejecting everything recognises all nonsense, and is no use.
const KEPT: f64 = 0.95;

/// A tuned threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Threshold {
    pub temperature: f64,
    /// Answers with a lower probability are rejected.
    pub least: f64,
    /// What was gained by it on the samples it was tuned on: the mean of the share of valid samples that are answered
    /// right and kept, and of the share of destroyed ones that are rejected.
    pub score: f64,
}

impl Threshold {
    /// Fits the temperature on valid samples, and then finds the threshold with the best score among those that keep most
    /// of the right answers.
    pub fn tuned(model: &dyn Model, valid: &LabelledSet, destroyed: &[Sample]) -> Result<Self> {
        let known = valid.answers(model)?;
        let rows: Vec<(Vec<f64>, usize)> = known
            .iter()
            .zip(&valid.labels)
            .filter_map(|(answer, gold)| {
                let log_probs = answer.log_probs.as_ref()?;
                (*gold < log_probs.len()).then(|| (log_probs.iter().map(|z| f64::from(*z)).collect(), *gold))
            })
            .collect();
        if rows.is_empty() {
            return Err(Error::NoProbabilities { what: "a threshold" });
        }
        let temperature = temperature(&rows);
        let kept: Vec<(f64, bool)> = confidences(&known, temperature)?
            .into_iter()
            .zip(known.iter().zip(&valid.labels))
            .map(|(p, (answer, gold))| (p, answer.predicted == *gold))
            .collect();
        let broken = confidences(&answers(model, destroyed)?, temperature)?;
        let classes = model.capabilities().labels.len();
        let (least, score) = best(&kept, &broken, 1.0 / classes.max(2) as f64);
        Ok(Self { temperature, least, score })
    }

    /// For a model whose last class is that of nonsense: the least probability of being valid. Nothing is calibrated, as
    /// the model was trained with both.
    pub fn tuned_valid(model: &dyn Model, valid: &LabelledSet, destroyed: &[Sample]) -> Result<Self> {
        let known = valid.answers(model)?;
        let kept = |(answer, gold): (&Answer, &usize)| Ok((validity(answer)?, least_invalid(answer) == *gold));
        let kept: Vec<(f64, bool)> = known.iter().zip(&valid.labels).map(kept).collect::<Result<_>>()?;
        let broken: Vec<f64> = answers(model, destroyed)?.iter().map(validity).collect::<Result<_>>()?;
        let (least, score) = best(&kept, &broken, 0.0);
        Ok(Self { temperature: 1.0, least, score })
    }
}

/// The probability that a sample is of any class but the last.
pub(super) fn validity(answer: &Answer) -> Result<f64> {
    let log_probs = answer.log_probs.as_ref().ok_or(Error::NoProbabilities { what: "a threshold" })?;
    Ok(log_probs.last().map_or(1.0, |invalid| -f64::from(*invalid).exp_m1()))
}

/// The most probable class but the last.
pub(super) fn least_invalid(answer: &Answer) -> usize {
    let classes =
        answer.log_probs.as_ref().and_then(|log_probs| log_probs.split_last()).map_or(&[][..], |(_, rest)| rest);
    (0..classes.len()).reduce(|best, c| if classes[c] > classes[best] { c } else { best }).unwrap_or(answer.predicted)
}

/// The threshold with the best score on the grid, the lowest of equals, and that score.
fn best(valid: &[(f64, bool)], destroyed: &[f64], floor: f64) -> (f64, f64) {
    let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
    let right_at_all = valid.iter().filter(|(_, right)| *right).count();
    let mut best = (floor, f64::NEG_INFINITY);
    for step in 0..=STEPS {
        let least = floor + (1.0 - floor) * step as f64 / STEPS as f64;
        let right = valid.iter().filter(|(p, right)| *right && *p >= least).count();
        if (right as f64) < KEPT * right_at_all as f64 {
            break;
        }
        let rejected = destroyed.iter().filter(|p| **p < least).count();
        let score = (share(right, valid.len()) + share(rejected, destroyed.len())) / 2.0;
        if score > best.1 {
            best = (least, score);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_threshold_by_hand() {
        // Valid answers are right at 0.9 and 0.8, wrong at 0.7; destroyed ones have 0.6, 0.75 and 0.95.
        let valid = [(0.9, true), (0.8, true), (0.7, false)];
        let (least, score) = best(&valid, &[0.6, 0.75, 0.95], 0.5);
        // Above 0.75 and up to 0.8 two of three are right and kept, and two of three rejected.
        assert!(least > 0.75 && least <= 0.8, "{least}");
        assert!((score - 2.0 / 3.0).abs() < 1e-12);
        // However much there is to reject, right answers are not given up for it.
        assert!(best(&valid, &[0.85; 100], 0.5).0 <= 0.8);
        // Where nothing is destroyed, nothing is rejected.
        assert_eq!(best(&valid, &[], 0.5).0, 0.5);
    }

    #[test]
    fn of_the_extra_class_only_the_rest_is_an_answer() {
        let log_probs = Some([0.2_f32, 0.3, 0.5].map(f32::ln).to_vec());
        let answer = Answer { predicted: 2, log_probs, truncated: false };
        assert!((validity(&answer).unwrap() - 0.5).abs() < 1e-6);
        assert_eq!(least_invalid(&answer), 1);
        assert!(validity(&Answer { log_probs: None, ..answer }).is_err());
    }
}
