//! Tallies kept by kind, and the metric's value of them with its interval.

use fissure_core::Dice;
use fissure_statistics::{Estimate, RESAMPLES, counted_bootstrap, proportion};
use hashbrown::HashMap;

use crate::metrics::{Metric, Tally};

/// Rows of tallies, of which equal ones are kept once: most answers are just right or wrong.
#[derive(Debug, Default)]
pub struct Rows {
    kinds: Vec<Vec<Tally>>,
    known: HashMap<Vec<u64>, u32>,
    counts: Vec<usize>,
}

impl Rows {
    /// Adds a row: the tallies of one sample in one or several columns.
    pub fn add(&mut self, row: &[&[f64]]) -> u32 {
        let key = row.iter().flat_map(|tally| tally.iter().map(|number| number.to_bits()).chain([u64::MAX])).collect();
        let Self { kinds, known, counts } = self;
        let kind = *known.entry(key).or_insert_with(|| {
            kinds.push(row.iter().map(|tally| tally.to_vec()).collect());
            counts.push(0);
            kinds.len() as u32 - 1
        });
        counts[kind as usize] += 1;
        kind
    }

    pub fn len(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The tallies of a kind of row.
    pub fn kind(&self, kind: u32) -> &[Tally] {
        &self.kinds[kind as usize]
    }

    /// Every kind of row, and how many there are of it.
    pub fn counted(&self) -> Vec<(Vec<&[f64]>, usize)> {
        let kinds = self.kinds.iter().zip(&self.counts);
        kinds.map(|(kind, count)| (kind.iter().map(Vec::as_slice).collect(), *count)).collect()
    }

    /// The same of one column.
    pub fn column(&self, column: usize) -> Vec<(&[f64], usize)> {
        self.kinds.iter().zip(&self.counts).map(|(kind, count)| (kind[column].as_slice(), *count)).collect()
    }
}

/// The metric of these tallies, each of which comes so often, with its interval.
pub fn score(metric: &dyn Metric, tallies: &[(&[f64], usize)], dice: &mut Dice) -> Option<Estimate> {
    if let Some((right, all)) = share(tallies) {
        return proportion(right, all);
    }
    let value = |sum: &[f64]| metric.value(sum);
    let rows: Vec<(Vec<&[f64]>, usize)> = tallies.iter().map(|(tally, count)| (vec![*tally], *count)).collect();
    let found = counted_bootstrap(&rows, value, &[&|values| values[0]], RESAMPLES, dice)?;
    found.first().map(|estimate| estimate.within(0.0, 1.0))
}

/// How many are right of how many, where the tallies say just that.
pub fn share(tallies: &[(&[f64], usize)]) -> Option<(usize, usize)> {
    let is_plain = |(tally, _): &(&[f64], usize)| matches!(tally, [right, 1.0] if *right == 0.0 || *right == 1.0);
    let right = || tallies.iter().filter(|(tally, _)| tally[0] == 1.0);
    let count = |all: usize, (_, count): &(&[f64], usize)| all + count;
    (!tallies.is_empty() && tallies.iter().all(is_plain))
        .then(|| (right().fold(0, count), tallies.iter().fold(0, count)))
}

/// The sum of two tallies.
pub fn sum(a: &[f64], b: &[f64]) -> Tally {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}
