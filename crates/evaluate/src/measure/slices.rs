//! The model inside and outside a part of the data.

use fissure_statistics::{RESAMPLES, difference, fisher, holm, permutation_test, unpaired_bootstrap};

use super::Measured;
use super::reservoir::Reservoir;
use super::scores::{Rows, score, share};
use crate::SliceFinding;
use crate::run::Block;

/// Divisions drawn for a test where no exact one is at hand.
const PERMUTATIONS: usize = 999;

/// What was measured of every sample.
#[derive(Debug)]
pub struct Slices {
    slices: usize,
    rows: Rows,
    /// The measures of a sample, and the kind of its tally; `None` if it has none.
    samples: Reservoir<(Vec<Option<f64>>, Option<u32>)>,
}

impl Slices {
    pub fn new(run: &Measured) -> Self {
        Self { slices: run.header.plan.slices.len(), rows: Rows::default(), samples: Reservoir::default() }
    }

    pub fn add(&mut self, run: &Measured, block: &Block) {
        if self.slices > 0 {
            let kind = block.before().map(|tally| self.rows.add(&[tally]));
            self.samples.add(&mut run.dice_of(block), (block.sample.slices.clone(), kind));
        }
    }

    pub fn finish(self, run: &Measured) -> Vec<SliceFinding> {
        let (rows, samples) = (&self.rows, &self.samples.items());
        let one = |(at, planned): (usize, &crate::plan::PlannedSlice)| {
            let measures: Vec<Option<f64>> =
                samples.iter().map(|(measures, _)| measures.get(at).copied().flatten()).collect();
            let chosen = planned.cut.select(&measures);
            let tallies = |inside: bool| -> Vec<&[f64]> {
                // A sample that could not be measured is neither in nor out.
                let picked = chosen.iter().zip(&measures).zip(samples);
                let picked = picked.filter(|((chosen, measure), _)| **chosen == inside && measure.is_some());
                picked.filter_map(|(_, (_, kind))| Some(rows.kind((*kind)?)[0].as_slice())).collect()
            };
            let (inside, outside) = (tallies(true), tallies(false));
            let [a, b] = [&inside, &outside].map(|tallies| tallies.iter().map(|tally| (*tally, 1)).collect::<Vec<_>>());
            let mut dice = run.dice(&format!("slice {}", planned.name));
            let value = |sum: &[f64]| run.metric().value(sum);
            let (difference, p) = match (share(&a), share(&b)) {
                (Some(inside), Some(outside)) => (difference(inside, outside), Some(fisher(inside, outside))),
                _ => (
                    unpaired_bootstrap(&inside, &outside, value, RESAMPLES, &mut dice).map(|found| found.difference),
                    permutation_test(&inside, &outside, value, PERMUTATIONS, &mut dice),
                ),
            };
            let known = || chosen.iter().zip(&measures).filter(|(_, measure)| measure.is_some());
            SliceFinding {
                name: planned.name.clone(),
                summary: planned.summary.clone(),
                knobs: planned.knobs.clone(),
                inside: known().filter(|(chosen, _)| **chosen).count(),
                outside: known().filter(|(chosen, _)| !**chosen).count(),
                score_inside: score(run.metric(), &a, &mut dice),
                score_outside: score(run.metric(), &b, &mut dice),
                difference,
                p: p.filter(|_| difference.is_some()),
                p_holm: None,
            }
        };
        let mut found: Vec<SliceFinding> = run.header.plan.slices.iter().enumerate().map(one).collect();
        let mut corrected = holm(&found.iter().filter_map(|slice| slice.p).collect::<Vec<_>>()).into_iter();
        found.iter_mut().for_each(|slice| slice.p_holm = slice.p.and_then(|_| corrected.next()));
        found
    }
}
