//! The scores on the original data.

use std::collections::BTreeMap;

use fissure_statistics::{Estimate, RESAMPLES, ece};

use super::Measured;
use super::reservoir::Reservoir;
use super::scores::{Rows, score};
use crate::run::Block;
use crate::{Reliability, ReliabilityBin};

/// Bins of confidence.
pub const BINS: usize = 10;
/// Resampling a calibration looks at every sample: with many samples there are fewer resamples.
const MANY: usize = 20_000;

/// Answers to the originals.
#[derive(Debug)]
pub struct Clean {
    /// One for each metric.
    metrics: Vec<Rows>,
    classes: BTreeMap<String, Rows>,
    answers: Reservoir<(f64, bool)>,
}

impl Clean {
    pub fn new(run: &Measured) -> Self {
        let metrics = run.metrics.iter().map(|_| Rows::default()).collect();
        Self { metrics, classes: BTreeMap::new(), answers: Reservoir::default() }
    }

    pub fn add(&mut self, run: &Measured, block: &Block) {
        for (rows, tally) in self.metrics.iter_mut().zip(&block.sample.tallies) {
            if let Some(tally) = tally {
                rows.add(&[tally]);
            }
        }
        if let Some((gold, tally)) = block.sample.gold.as_ref().zip(block.before()) {
            self.classes.entry(gold.clone()).or_default().add(&[tally]);
        }
        if let Some(answer) = sureness(block) {
            self.answers.add(&mut run.dice_of(block), answer);
        }
    }

    /// How many samples the main metric is over.
    pub fn scored(&self) -> usize {
        self.metrics.first().map_or(0, Rows::len)
    }

    #[allow(clippy::type_complexity, reason = "three fields of the findings")]
    pub fn finish(
        self,
        run: &Measured,
    ) -> (Vec<(String, Estimate)>, Vec<(String, usize, Estimate)>, Option<Reliability>) {
        let mut dice = run.dice("clean");
        let scored = run.metrics.iter().zip(&self.metrics).filter_map(|(metric, rows)| {
            Some((metric.name().to_owned(), score(&**metric, &rows.column(0), &mut dice)?))
        });
        let metrics = scored.collect();
        let mut dice = run.dice("classes");
        let class =
            |(name, rows): (String, Rows)| Some((name, rows.len(), score(run.metric(), &rows.column(0), &mut dice)?));
        let classes = self.classes.into_iter().filter_map(class).collect();
        let answers = self.answers.items();
        let resamples = if answers.len() > MANY { RESAMPLES / 5 } else { RESAMPLES };
        let reliability = ece(&answers, BINS, resamples, &mut run.dice("reliability")).map(|found| Reliability {
            ece: found.ece,
            bins: found
                .bins
                .iter()
                .map(|bin| ReliabilityBin {
                    low: bin.low,
                    high: bin.high,
                    samples: bin.samples,
                    confidence: bin.confidence,
                    accuracy: bin.accuracy,
                })
                .collect(),
        });
        (metrics, classes, reliability)
    }
}

/// How sure the model is of its answer to the original, and whether it is right.
pub fn sureness(block: &Block) -> Option<(f64, bool)> {
    let (gold, said) = block.sample.gold.as_ref().zip(block.sample.said.as_ref())?;
    Some((said.confidence()?, said.shown() == *gold))
}
