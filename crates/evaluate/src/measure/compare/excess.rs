//! Whether parts do more together than each by itself, in one run more than in the other.

use fissure_core::Dice;

use super::RunComparison;
use super::pairs::{bootstrap, same};
use crate::measure::interactions::{Joint, excess};
use crate::measure::scores::Rows;
use crate::metrics::Metric;
use crate::plan::PlannedChain;
use crate::run::Block;

/// The chains that both runs have with all their parts by themselves, and what was seen of them.
#[derive(Debug)]
pub struct Excesses(Vec<Excess>);

#[derive(Debug)]
struct Excess {
    name: String,
    joints: [Joint; 2],
    /// Before, under the chain and under each part in the first run, then in the second; empty in a run in which one of
    /// them did not change the sample.
    rows: Rows,
}

impl Excesses {
    pub fn new(first: &[PlannedChain], second: &[PlannedChain]) -> Self {
        let excess = |joint: Joint| {
            let alike = |other: &Joint| {
                let pairs = || joint.0.iter().zip(&other.0);
                joint.0.len() == other.0.len() && pairs().all(|(a, b)| same(&first[*a], &second[*b]))
            };
            let other = Joint::all(second).into_iter().find(alike)?;
            Some(Excess { name: first[joint.0[0]].name.clone(), joints: [joint, other], rows: Rows::default() })
        };
        Self(Joint::all(first).into_iter().filter_map(excess).collect())
    }

    pub fn add(&mut self, a: &Block, b: &Block) {
        for Excess { joints: [first, second], rows, .. } in &mut self.0 {
            let (in_first, in_second) = (first.row(a), second.row(b));
            if in_first.is_none() && in_second.is_none() {
                continue;
            }
            let nothing = || vec![Vec::new(); first.0.len() + 1];
            let both = [in_first, in_second].map(|row| row.unwrap_or_else(nothing)).concat();
            rows.add(&both.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }
    }

    pub fn finish(self, metric: &dyn Metric, found: &mut RunComparison, resamples: usize, dice: &mut Dice) {
        let value = |sum: &[f64]| metric.value(sum);
        let gap = |scores: &[f64]| {
            let (first, second) = scores.split_at(scores.len() / 2);
            excess(second) - excess(first)
        };
        for each in self.0 {
            let gap = bootstrap(&each.rows, value, [&gap], resamples, dice);
            found.put("excess", &each.name, gap.map(|[gap]| gap));
        }
    }
}
