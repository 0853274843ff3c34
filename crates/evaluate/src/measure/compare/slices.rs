//! The slices of two runs: what a sample adds inside and outside, in both.

use fissure_core::Dice;

use super::RunComparison;
use super::pairs::bootstrap;
use crate::measure::reservoir::Reservoir;
use crate::measure::scores::Rows;
use crate::metrics::Metric;
use crate::plan::PlannedSlice;
use crate::run::Block;

/// What both runs measured of every sample.
#[derive(Debug)]
pub struct Slices {
    /// The slices that both have, and where.
    slices: Vec<(PlannedSlice, [usize; 2])>,
    /// The tallies of a sample in the first run and in the second.
    rows: Rows,
    /// The measures of a sample in both runs, and the kind of its row.
    samples: Reservoir<([Vec<Option<f64>>; 2], u32)>,
}

impl Slices {
    pub fn new(first: &[PlannedSlice], second: &[PlannedSlice]) -> Self {
        let both = first.iter().enumerate().filter_map(|(at, slice)| {
            let same = |other: &PlannedSlice| {
                other.name == slice.name && other.settings == slice.settings && other.cut == slice.cut
            };
            let other = second.iter().position(same)?;
            Some((slice.clone(), [at, other]))
        });
        Self { slices: both.collect(), rows: Rows::default(), samples: Reservoir::default() }
    }

    pub fn add(&mut self, dice: &mut Dice, a: &Block, b: &Block) {
        if !self.slices.is_empty() {
            let kind = self.rows.add(&[a.before().unwrap_or_default(), b.before().unwrap_or_default()]);
            self.samples.add(dice, ([a.sample.slices.clone(), b.sample.slices.clone()], kind));
        }
    }

    /// Puts the differences of the scores inside, and of inside less outside. Where many samples were thinned out, runs
    /// of one seed alone have kept the same.
    pub fn finish(
        self,
        metric: &dyn Metric,
        same_dice: bool,
        found: &mut RunComparison,
        resamples: usize,
        dice: &mut Dice,
    ) {
        if !same_dice && !self.samples.is_whole() {
            return;
        }
        let samples = self.samples.items();
        let value = |sum: &[f64]| metric.value(sum);
        for (slice, at) in &self.slices {
            let measures = [0, 1].map(|run| -> Vec<Option<f64>> {
                samples.iter().map(|(measures, _)| measures[run].get(at[run]).copied().flatten()).collect()
            });
            let chosen = [0, 1].map(|run| slice.cut.select(&measures[run]));
            let (mut inside, mut all) = (Rows::default(), Rows::default());
            for (number, (_, kind)) in samples.iter().enumerate() {
                let tallies = self.rows.kind(*kind);
                let when = |run: usize, wanted: bool| -> &[f64] {
                    let is = measures[run][number].is_some() && chosen[run][number] == wanted;
                    if is { &tallies[run] } else { &[] }
                };
                let [in_first, in_second, out_first, out_second] =
                    [(0, true), (1, true), (0, false), (1, false)].map(|(run, wanted)| when(run, wanted));
                if !in_first.is_empty() || !in_second.is_empty() {
                    inside.add(&[in_first, in_second]);
                }
                all.add(&[in_first, out_first, in_second, out_second]);
            }
            let score = bootstrap(&inside, value, [&|v| v[1] - v[0]], resamples, dice);
            found.put("score", &slice.name, score.map(|[gap]| gap));
            let difference = bootstrap(&all, value, [&|v| (v[2] - v[3]) - (v[0] - v[1])], resamples, dice);
            found.put("difference", &slice.name, difference.map(|[gap]| gap));
        }
    }
}
