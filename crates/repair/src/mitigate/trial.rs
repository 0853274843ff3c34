//! The test of a way to notice nonsense: valid samples, and each destroyer's.

use fissure_core::Sample;
use fissure_models::{Answer, Model};
use fissure_statistics::proportion;

use super::threshold::{least_invalid, validity};
use super::{Row, Threshold, Way};
use crate::labelled::answers;
use crate::{Destroyers, Error, LabelledSet, Result, calibrate};

/// Valid samples, and each destroyer's.
pub(crate) struct Trial<'a> {
    pub test: &'a LabelledSet,
    destroyed: Vec<(String, Vec<Sample>)>,
}

/// What a model says of each sample: its class, or nothing if the sample is rejected.
type Verdicts = Vec<Option<usize>>;

impl<'a> Trial<'a> {
    pub fn new(destroyers: &Destroyers, test: &'a LabelledSet, labels: &[String]) -> Self {
        let of = |(at, name): (usize, &str)| {
            let changed = destroyers.all(at, &test.samples, labels, &test.labels);
            (name.to_owned(), changed.into_iter().flatten().collect())
        };
        Self { test, destroyed: destroyers.names().enumerate().map(of).collect() }
    }

    /// How many samples each destroyer changed.
    pub fn counts(&self) -> Vec<(String, usize)> {
        self.destroyed.iter().map(|(name, samples)| (name.clone(), samples.len())).collect()
    }

    pub fn thresholded(&self, way: Way, model: &dyn Model, threshold: Threshold) -> Result<Row> {
        let judge = |answers: &[Answer]| -> Result<Verdicts> {
            let sure = calibrate::confidences(answers, threshold.temperature)?;
            Ok(answers.iter().zip(sure).map(|(a, p)| (p >= threshold.least).then_some(a.predicted)).collect())
        };
        Ok(Row { threshold: Some(threshold), ..self.row(way, model, &judge)? })
    }

    /// The last class of the model is that of nonsense.
    pub fn with_invalid(&self, model: &dyn Model) -> Result<Row> {
        let invalid = model.capabilities().labels.len() - 1;
        let judge = |answers: &[Answer]| -> Result<Verdicts> {
            Ok(answers.iter().map(|answer| Some(answer.predicted).filter(|class| *class != invalid)).collect())
        };
        self.row(Way::Invalid, model, &judge)
    }

    /// The same, where a sample must be valid with a probability that was tuned.
    pub fn with_tuned_invalid(&self, model: &dyn Model, threshold: Threshold) -> Result<Row> {
        let judge = |answers: &[Answer]| -> Result<Verdicts> {
            let one = |a: &Answer| Ok((validity(a)? >= threshold.least).then_some(least_invalid(a)));
            answers.iter().map(one).collect()
        };
        Ok(Row { threshold: Some(threshold), ..self.row(Way::InvalidTuned, model, &judge)? })
    }

    fn row(&self, way: Way, model: &dyn Model, judge: &dyn Fn(&[Answer]) -> Result<Verdicts>) -> Result<Row> {
        let valid = judge(&self.test.answers(model)?)?;
        let right = valid.iter().zip(&self.test.labels).filter(|(verdict, gold)| **verdict == Some(**gold)).count();
        let rejections = |verdicts: &Verdicts| verdicts.iter().filter(|verdict| verdict.is_none()).count();
        let (mut seen, mut all) = (0, 0);
        let mut by_destroyer = Vec::new();
        for (name, samples) in &self.destroyed {
            let noticed = rejections(&judge(&answers(model, samples)?)?);
            (seen, all) = (seen + noticed, all + samples.len());
            by_destroyer.extend(proportion(noticed, samples.len()).map(|share| (name.clone(), share)));
        }
        let nothing = Error::TooFew { what: "a comparison of mitigations", found: 0, needed: 1 };
        let shares =
            (proportion(right, valid.len()), proportion(rejections(&valid), valid.len()), proportion(seen, all));
        let (Some(accuracy), Some(rejected), Some(recognised)) = shares else { return Err(nothing) };
        Ok(Row { way, accuracy, rejected, recognised, by_destroyer, threshold: None, weight: None })
    }
}
