//! Tallies: what each sample adds to a metric, counted by kind so that they are quick to resample.
//!
//! Most samples of a run tally alike (right or wrong, before and after), so a resample is a draw of *how often each kind
//! comes up*, not a draw of every sample: the cost of a bootstrap does not grow with the data.

use std::collections::BTreeMap;

use fissure_core::Dice;

use crate::binomial_draw::draw_binomial;

/// Rows of tallies, equal ones together. A row is one sample's tallies in one or several columns (before, after).
pub(crate) struct Tallies {
    /// For each kind of row, its columns one after another.
    kinds: Vec<Vec<f64>>,
    counts: Vec<u64>,
    /// The kind of each row; nothing if rows were only counted and kinds are few.
    pub kind_of: Vec<u32>,
    /// Where each column starts in a kind.
    starts: Vec<usize>,
    /// How many rows there are.
    all: usize,
}

/// A binomial draw costs about as much as drawing this many rows.
const COST_OF_BINOMIAL: usize = 20;

impl Tallies {
    /// Counts the rows of `columns`, which are equally long; `None` if they are not, or if there is no row.
    pub fn new<T: AsRef<[f64]>>(columns: &[&[T]]) -> Option<Self> {
        let rows = columns.first()?.len();
        if columns.iter().any(|column| column.len() != rows) {
            return None;
        }
        let row = |row: usize| columns.iter().map(|column| column[row].as_ref()).collect::<Vec<_>>();
        let rows: Vec<(Vec<&[f64]>, usize)> = (0..rows).map(|at| (row(at), 1)).collect();
        Self::counted(&rows)
    }

    /// The same of rows that come so often each; their columns are equally many. `None` if there is no row.
    pub fn counted(rows: &[(Vec<&[f64]>, usize)]) -> Option<Self> {
        let columns = rows.first()?.0.len();
        let mut starts = vec![0; columns + 1];
        for (row, _) in rows {
            row.iter().zip(&mut starts[1..]).for_each(|(tally, width)| *width = tally.len().max(*width));
        }
        (0..columns).for_each(|at| starts[at + 1] += starts[at]);
        let mut known: BTreeMap<Vec<u64>, u32> = BTreeMap::new();
        let (mut kinds, mut counts): (Vec<Vec<f64>>, Vec<u64>) = Default::default();
        let mut kind_of = Vec::with_capacity(rows.len());
        for (row, count) in rows {
            let mut kind = vec![0.0; starts[columns]];
            for (tally, start) in row.iter().zip(&starts) {
                kind[*start..].iter_mut().zip(*tally).for_each(|(slot, number)| *slot = *number);
            }
            let at = *known.entry(kind.iter().map(|number| number.to_bits()).collect()).or_insert_with(|| {
                kinds.push(kind);
                counts.push(0);
                counts.len() as u32 - 1
            });
            counts[at as usize] += *count as u64;
            kind_of.push((at, *count));
        }
        let all = usize::try_from(counts.iter().sum::<u64>()).ok().filter(|all| *all > 0)?;
        // Only where kinds are many are rows drawn one by one.
        let many = kinds.len() * COST_OF_BINOMIAL > all || kind_of.len() == all;
        let kind_of = kind_of.into_iter().filter(|_| many).flat_map(|(kind, count)| std::iter::repeat_n(kind, count));
        Some(Self { kind_of: kind_of.collect(), kinds, counts, starts, all })
    }

    pub fn rows(&self) -> usize {
        self.all
    }

    /// How often each kind is there.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How often each kind comes up among as many rows drawn with replacement.
    pub fn redraw(&self, dice: &mut Dice, weights: &mut Vec<u64>) {
        weights.clear();
        weights.resize(self.kinds.len(), 0);
        if self.kinds.len() * COST_OF_BINOMIAL > self.rows() {
            (0..self.rows()).for_each(|_| weights[self.kind_of[dice.below(self.rows())] as usize] += 1);
            return;
        }
        let (mut draws, mut rows) = (self.rows() as u64, self.rows() as u64);
        for (weight, count) in weights.iter_mut().zip(&self.counts) {
            *weight = draw_binomial(draws, *count as f64 / rows as f64, dice);
            draws -= *weight;
            rows -= count;
        }
    }

    /// The sums of all columns when each kind is there so often, and the metric of each sum; `None` if a column has
    /// no value.
    pub fn values(&self, weights: &[u64], metric: &impl Fn(&[f64]) -> Option<f64>) -> Option<Vec<f64>> {
        let mut sums = vec![0.0; *self.starts.last()?];
        for (kind, &weight) in self.kinds.iter().zip(weights).filter(|(_, weight)| **weight > 0) {
            sums.iter_mut().zip(kind).for_each(|(sum, number)| *sum += weight as f64 * number);
        }
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        self.starts.windows(2).map(|edge| finite(metric(&sums[edge[0]..edge[1]]))).collect()
    }
}
