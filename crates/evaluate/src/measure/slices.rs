//! The model inside and outside a part of the data.

use fissure_statistics::{RESAMPLES, difference, fisher, permutation_test, unpaired_bootstrap};

use super::Measured;
use super::scores::{Rows, score, share};
use crate::SliceFinding;
use crate::run::Block;

/// Divisions drawn for a test where no exact one is at hand.
const PERMUTATIONS: usize = 999;

/// What was measured of every sample.
#[derive(Debug)]
pub struct Slices {
    measures: Vec<Vec<Option<f64>>>,
    rows: Rows,
    /// The kind of each sample's tally; `None` where it has none.
    kinds: Vec<Option<u32>>,
}

impl Slices {
    pub fn new(run: &Measured) -> Self {
        Self { measures: vec![Vec::new(); run.header.plan.slices.len()], rows: Rows::default(), kinds: Vec::new() }
    }

    pub fn add(&mut self, block: &Block) {
        if self.measures.is_empty() {
            return;
        }
        for (measures, measure) in self.measures.iter_mut().zip(&block.sample.slices) {
            measures.push(*measure);
        }
        let kind = block.before().map(|tally| self.rows.add(&[tally]));
        self.kinds.push(kind);
    }

    pub fn finish(self, run: &Measured) -> Vec<SliceFinding> {
        let (rows, kinds) = (&self.rows, &self.kinds);
        let one = |(planned, measures): (&crate::plan::PlannedSlice, Vec<Option<f64>>)| {
            let chosen = planned.cut.select(&measures);
            let tallies = |inside: bool| -> Vec<&[f64]> {
                // A sample that could not be measured is neither in nor out.
                let picked = chosen.iter().zip(&measures).zip(kinds);
                let picked = picked.filter(|((chosen, measure), _)| **chosen == inside && measure.is_some());
                picked.filter_map(|(_, kind)| Some(rows.kind((*kind)?)[0].as_slice())).collect()
            };
            let (inside, outside) = (tallies(true), tallies(false));
            let mut dice = run.dice(&format!("slice {}", planned.name));
            let value = |sum: &[f64]| run.metric().value(sum);
            let (difference, p) = match (share(&inside), share(&outside)) {
                (Some(a), Some(b)) => (difference(a, b), Some(fisher(a, b))),
                _ => (
                    unpaired_bootstrap(&inside, &outside, value, RESAMPLES, &mut dice).map(|found| found.difference),
                    permutation_test(&inside, &outside, value, PERMUTATIONS, &mut dice),
                ),
            };
            let known = || chosen.iter().zip(&measures).filter(|(_, measure)| measure.is_some());
            SliceFinding {
                name: planned.name.clone(),
                summary: planned.summary.clone(),
                inside: known().filter(|(chosen, _)| **chosen).count(),
                outside: known().filter(|(chosen, _)| !**chosen).count(),
                score_inside: score(run.metric(), &inside, &mut dice),
                score_outside: score(run.metric(), &outside, &mut dice),
                difference,
                p: p.filter(|_| difference.is_some()),
            }
        };
        run.header.plan.slices.iter().zip(self.measures).map(one).collect()
    }
}
