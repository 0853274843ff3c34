//! One number for all changes that people judged: the mean of their drops, weighted by how acceptable people found the
//! changed texts. A change that readers stumble over says less about a model than one that they do not notice.
//!
//! The parts share samples, so their drops err together. What is kept are the sums of all tallies and of their products,
//! which is all that the first-order variance of any number made of them needs (the delta method); neither grows with
//! the data.

use fissure_core::{Expectation, HumanScores};
use fissure_statistics::{Estimate, normal_quantile};

use super::Measured;
use super::scores::sum;
use crate::Weighted;
use crate::metrics::{Metric, Tally};
use crate::plan::PlannedChain;
use crate::run::Block;

/// How acceptable people found the changed texts, measured by the originals: 1 is as good as before, and better does not
/// count. The mean of plausibility and grammaticality, as published.
pub fn acceptability(human: &HumanScores) -> Option<f64> {
    let ratio = |(original, changed): (f32, f32)| f64::from(changed) / f64::from(original);
    let mean = f64::midpoint(ratio(human.plausibility), ratio(human.grammaticality));
    (mean.is_finite() && mean > 0.0).then(|| mean.min(1.0))
}

/// A spread below this is none: the slopes are differences of nearly equal numbers.
const ROUNDING: f64 = 1e-6;

/// What was seen of the parts that people judged.
#[derive(Debug)]
pub struct Weights {
    judged: Judged,
    sums: Sums,
}

impl Weights {
    pub fn new(run: &Measured) -> Self {
        Self { judged: Judged::new(&run.header.plan.chains), sums: Sums::default() }
    }

    pub fn add(&mut self, block: &Block) {
        self.judged.fit(block);
        let row = self.judged.row(block);
        self.sums.add(self.judged.numbers(), row.as_deref());
    }

    pub fn finish(self, run: &Measured) -> Option<Weighted> {
        let (drop, parts) = self.sums.estimate(|sums| self.judged.drop(run.metric(), sums))?;
        Some(Weighted { drop: drop.within(-1.0, 1.0), parts, samples: self.sums.samples })
    }
}

/// The parts of a run that people judged.
#[derive(Debug)]
pub struct Judged {
    /// The chains, and the weight of each.
    chains: Vec<(usize, f64)>,
    /// How long a tally is; 0 until one was seen.
    width: usize,
}

impl Judged {
    pub fn new(chains: &[PlannedChain]) -> Self {
        let kept = chains.iter().enumerate().filter(|(_, chain)| chain.expectation == Expectation::Kept);
        let judged = kept.filter_map(|(at, chain)| Some((at, acceptability(&chain.human?)?)));
        Self { chains: judged.collect(), width: 0 }
    }

    /// How many numbers a sample may add: the tallies before and after each part, one after another.
    pub fn numbers(&self) -> usize {
        2 * self.width * self.chains.len()
    }

    /// Learns from a sample how long a tally is.
    pub fn fit(&mut self, block: &Block) {
        self.width = block.before().map_or(self.width, <[f64]>::len);
    }

    /// What a sample adds, with the place of each number; `None` where none of the parts changed it.
    pub fn row(&self, block: &Block) -> Option<Vec<(usize, f64)>> {
        let before = block.before()?;
        let mut row: Vec<(usize, f64)> = Vec::new();
        for (at, (chain, _)) in self.chains.iter().enumerate() {
            let cases = block.cases.iter().filter(|case| case.chain == *chain);
            let mut both: Option<(Tally, Tally)> = None;
            for after in cases.filter_map(|case| case.tally.as_deref()) {
                both = Some(match both {
                    None => (before.to_vec(), after.to_vec()),
                    Some((b, a)) => (sum(&b, before), sum(&a, after)),
                });
            }
            if let Some((before, after)) = both {
                let numbers = before.into_iter().chain(after).enumerate();
                row.extend(numbers.map(|(place, number)| (at * 2 * self.width + place, number)));
            }
        }
        (!row.is_empty()).then_some(row)
    }

    /// The weighted mean of the drops when the tallies sum up to `sums`, and over how many parts.
    pub fn drop(&self, metric: &dyn Metric, sums: &[f64]) -> Option<(f64, usize)> {
        let (mut all, mut weights, mut parts) = (0.0, 0.0, 0);
        for ((_, weight), sums) in self.chains.iter().zip(sums.chunks(2 * self.width.max(1))) {
            let (before, after) = sums.split_at(self.width);
            let Some((before, after)) = metric.value(before).zip(metric.value(after)) else { continue };
            (all, weights, parts) = (all + weight * (before - after), weights + weight, parts + 1);
        }
        (parts > 0).then(|| (all / weights, parts))
    }
}

/// Numbers summed over samples, and the products of any two of them.
#[derive(Debug, Default)]
pub struct Sums {
    sums: Vec<f64>,
    /// Row by row.
    products: Vec<f64>,
    samples: usize,
}

impl Sums {
    /// Adds what a sample has of so many numbers; `None` where it has nothing to say.
    pub fn add(&mut self, numbers: usize, row: Option<&[(usize, f64)]>) {
        let Some(row) = row else { return };
        if self.sums.is_empty() {
            (self.sums, self.products) = (vec![0.0; numbers], vec![0.0; numbers * numbers]);
        }
        self.samples += 1;
        let row: Vec<(usize, f64)> = row.iter().copied().filter(|(_, number)| *number != 0.0).collect();
        for (i, a) in &row {
            self.sums[*i] += a;
            row.iter().for_each(|(j, b)| self.products[i * numbers + j] += a * b);
        }
    }

    /// A number made of the sums, with its interval, and over how many parts it is.
    pub fn estimate(&self, value: impl Fn(&[f64]) -> Option<(f64, usize)>) -> Option<(Estimate, usize)> {
        let (found, parts) = value(&self.sums)?;
        let n = self.samples as f64;
        let slopes: Vec<f64> = (0..self.sums.len()).map(|at| self.slope(&value, at)).collect();
        let of_row = |row: &[f64]| row.iter().zip(&slopes).map(|(product, slope)| product * slope).sum::<f64>();
        let scatter: f64 = (self.products.chunks(self.sums.len()).zip(&slopes)).map(|(row, s)| s * of_row(row)).sum();
        // The mean of what each sample adds to the number is 0, so its scatter is the plain sum of squares.
        let spread = normal_quantile(0.975) * (scatter.max(0.0) * n / (n - 1.0).max(1.0)).sqrt();
        // Where nothing was turned there may still be something to turn, as far as so many samples can tell.
        let unseen = 1.0 - 0.025f64.powf(1.0 / n);
        let half = if spread > ROUNDING { spread } else { unseen };
        Some((Estimate { value: found, low: found - half, high: found + half }, parts))
    }

    /// How much the number grows with one of the sums.
    fn slope(&self, value: impl Fn(&[f64]) -> Option<(f64, usize)>, at: usize) -> f64 {
        let step = 1e-5 * self.sums[at].abs().max(1.0);
        let moved = |by: f64| {
            let mut sums = self.sums.clone();
            sums[at] += by;
            value(&sums)
        };
        match (moved(step), moved(-step)) {
            (Some((up, a)), Some((down, b))) if a == b => (up - down) / (2.0 * step),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use fissure_core::Dice;

    use super::*;
    use crate::metrics::Accuracy;

    /// Two parts over the same texts: (right before, right after the first, right after the second).
    fn weights(rows: impl Iterator<Item = [bool; 3]>) -> Weights {
        let judged = Judged { chains: vec![(0, 1.0), (1, 0.5)], width: 2 };
        let mut sums = Sums::default();
        for right in rows {
            let [before, one, two] = right.map(|right| [f64::from(u8::from(right)), 1.0]);
            let row: Vec<(usize, f64)> = [before, one, before, two].concat().into_iter().enumerate().collect();
            sums.add(judged.numbers(), Some(&row));
        }
        Weights { judged, sums }
    }

    #[test]
    fn two_drops_by_hand() {
        // 8 right before; 6 after the first part, 4 after the second: (1 * 0.2 + 0.5 * 0.4) / 1.5.
        let row = |at: usize| [at < 8, at < 6, at < 4];
        let Weights { judged, sums } = weights((0..10).map(row));
        let drop = |sums: &[f64]| judged.drop(&Accuracy, sums);
        let (value, parts) = drop(&sums.sums).unwrap();
        assert!((value - 0.4 / 1.5).abs() < 1e-12 && parts == 2);
        // d value / d right before = (1 + 0.5) / 1.5 / 10, shared out over the two parts.
        assert!((sums.slope(drop, 0) - 1.0 / 15.0).abs() < 1e-9);
        assert!((sums.slope(drop, 6) + 0.5 / 15.0).abs() < 1e-9);
        let none = Judged { chains: vec![], width: 0 };
        assert_eq!(none.drop(&Accuracy, &[]), None);
    }

    #[test]
    fn one_sample_says_next_to_nothing() {
        let found =
            weights([[true, false, true]].into_iter()).finish(&Measured::new(super::super::together::tests::header(0)));
        let drop = found.unwrap().drop;
        // (1 * 1 + 0.5 * 0) / 1.5, and as far off as one coin can be: 1 - 0.025.
        assert!((drop.value - 1.0 / 1.5).abs() < 1e-12, "{drop:?}");
        assert!((drop.low - (1.0 / 1.5 - 0.975)).abs() < 1e-9 && drop.high == 1.0, "{drop:?}");
    }

    #[test]
    fn the_interval_holds_the_truth_as_often_as_it_says() {
        let mut dice = Dice::new(9, &["weighted"]);
        // The drops are 0.9 - 0.8 and 0.9 - 0.7, and err together.
        let truth = (0.1 + 0.5 * 0.2) / 1.5;
        let header = super::super::together::tests::header(0);
        let run = Measured::new(header);
        let (simulations, mut held) = (1000, 0);
        for _ in 0..simulations {
            let draw = |_| {
                let (hard, other) = (dice.unit(), dice.unit());
                [hard < 0.9, hard < 0.75 || other < 0.2, hard < 0.7]
            };
            let found = weights((0..300).map(draw)).finish(&run).unwrap().drop;
            held += u32::from((found.low..=found.high).contains(&truth));
        }
        let share = held as f64 / f64::from(simulations);
        assert!((0.93..=0.97).contains(&share), "{share}");
    }
}
