//! One number for all changes that people judged: the mean of their drops, weighted by how acceptable people found the
//! changed texts. A change that readers stumble over says less about a model than one that they do not notice.
//!
//! The parts share samples, so their drops err together. What is kept are the sums of all tallies and of their products,
//! which is all that the first-order variance of any number made of them needs (the delta method); neither grows with
//! the data. Where answers are right or wrong as a whole, that variance gives the effective number of independent answers,
//! and the interval is that of a paired difference of that number of samples: a few answers that only break are far from normal.

use fissure_core::{Expectation, HumanScores};
use fissure_statistics::{Estimate, effective_number, normal_quantile, paired_difference};

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

/// A part that changed fewer samples than this is left out of means over parts, unless all have so few: the drop of one text is
/// 0 or 100 points, and would weigh as much as that of a thousand. The choice hangs on counts alone, never on answers.
pub const ENOUGH_FOR_MEAN: usize = 30;

/// Which parts enter a mean, by the samples that each changed.
pub fn enter_mean(samples: &[usize]) -> Vec<bool> {
    let any = samples.iter().any(|samples| *samples >= ENOUGH_FOR_MEAN);
    samples.iter().map(|samples| !any || *samples >= ENOUGH_FOR_MEAN).collect()
}

/// A spread below this is none: the slopes are differences of nearly equal numbers.
const ROUNDING: f64 = 1e-6;

/// What was seen of the parts that people judged.
#[derive(Debug)]
pub struct Weights {
    judged: HumanWeighted,
    sums: Sums,
    turned: Turned,
}

/// Answers that went from right to wrong and back, where answers are right or wrong as a whole.
#[derive(Debug, Default)]
struct Turned {
    /// (broken, fixed) under each part.
    parts: Vec<(f64, f64)>,
    /// Samples with such an answer.
    samples: usize,
}

impl Weights {
    pub fn new(run: &Measured) -> Self {
        Self { judged: HumanWeighted::new(&run.header.plan.chains), sums: Sums::default(), turned: Turned::default() }
    }

    pub fn add(&mut self, block: &Block) {
        self.judged.fit(block);
        let row = self.judged.row(block);
        self.add_row(row.as_deref());
    }

    fn add_row(&mut self, row: Option<&[(usize, f64)]>) {
        self.sums.add(self.judged.numbers(), row);
        if let (Some(row), WHOLE) = (row, self.judged.width) {
            self.turned.add(self.judged.chains.len(), row);
        }
    }

    pub fn finish(self, run: &Measured) -> Option<Weighted> {
        let (entered, left_out) = self.judged.entered(&self.sums, 0);
        let (drop, parts) = self.sums.estimate(|sums| self.judged.drop(run.metric(), sums, &entered))?;
        let paired = if run.metric().counts_samples() { self.paired(&entered) } else { None };
        let samples = self.sums.samples;
        Some(Weighted { drop: paired.unwrap_or(drop).within(-1.0, 1.0), parts, samples, left_out })
    }

    /// The drop as a paired difference of the effective number of answers.
    fn paired(&self, entered: &[bool]) -> Option<Estimate> {
        // How many answers each part has, and how much one of them weighs: all together 1.
        let answers = |at: usize| if entered[at] { self.sums.sums[at * 2 * WHOLE + 1] } else { 0.0 };
        let answers: Vec<f64> = (0..self.turned.parts.len()).map(answers).collect();
        let judged = || self.judged.chains.iter().zip(&answers).filter(|(_, answers)| **answers > 0.0);
        let weights: f64 = judged().map(|((_, weight), _)| weight).sum();
        let of = |at: usize| match answers[at] {
            0.0 => 0.0,
            all => self.judged.chains[at].1 / weights / all,
        };
        let (mut broken, mut fixed, mut squares) = (0.0, 0.0, 0.0);
        // What a sample adds to the drop less its share of it, and its weight, by the place of each number.
        let (mut gaps, mut sizes) = (vec![0.0; self.sums.sums.len()], vec![0.0; self.sums.sums.len()]);
        for (at, (down, up)) in self.turned.parts.iter().enumerate() {
            let (weight, place) = (of(at), at * 2 * WHOLE);
            broken += weight * down;
            fixed += weight * up;
            // Variants are taken for copies here, so that more of them cannot say more by themselves.
            squares += weight * weight * self.sums.products[(place + 1) * self.sums.sums.len() + place + 1];
            let drop = if answers[at] > 0.0 { (down - up) / answers[at] } else { 0.0 };
            (gaps[place], gaps[place + 1], gaps[place + WHOLE]) = (weight, -weight * drop, -weight);
            sizes[place + 1] = weight;
        }
        let each = broken + fixed - (broken - fixed) * (broken - fixed);
        let (seen, copies) = (self.sums.square_of(&gaps), 1.0 / self.sums.square_of(&sizes));
        let n = effective_number(each, seen, 1.0 / squares, copies, self.turned.samples as f64);
        paired_difference(n, n * broken, n * fixed)
    }
}

/// The numbers of a tally (right, all).
const WHOLE: usize = 2;

impl Turned {
    /// Adds what a sample has of a number of parts.
    fn add(&mut self, parts: usize, row: &[(usize, f64)]) {
        self.parts.resize(parts, (0.0, 0.0));
        let mut gaps = vec![0.0; parts];
        for (place, number) in row {
            let (part, column) = (place / (2 * WHOLE), place % (2 * WHOLE));
            // Right before less right after; the others say how many answers there are.
            gaps[part] += match column {
                0 => *number,
                WHOLE => -number,
                _ => 0.0,
            };
        }
        for ((broken, fixed), gap) in self.parts.iter_mut().zip(&gaps) {
            *broken += gap.max(0.0);
            *fixed += (-gap).max(0.0);
        }
        self.samples += usize::from(gaps.iter().any(|gap| *gap != 0.0));
    }
}

/// The parts of a run that people judged.
#[derive(Debug)]
pub struct HumanWeighted {
    /// The chains, and the weight of each.
    chains: Vec<(usize, f64)>,
    /// How long a tally is; 0 until one was seen.
    width: usize,
}

impl HumanWeighted {
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

    /// What a sample adds, with the place of each number; `None` if none of the parts changed it.
    pub fn row(&self, block: &Block) -> Option<Vec<(usize, f64)>> {
        let mut row: Vec<(usize, f64)> = Vec::new();
        for (at, (chain, _)) in self.chains.iter().enumerate() {
            let cases = block.cases.iter().filter(|case| case.chain == *chain);
            let mut both: Option<(Tally, Tally)> = None;
            let tallies = cases.filter_map(|case| Some((block.before_case(case)?, case.tally.as_deref()?)));
            for (before, after) in tallies {
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

    /// Which parts enter the mean, and how many changed samples but too few; the numbers of these parts begin at `from`.
    pub fn entered(&self, sums: &Sums, from: usize) -> (Vec<bool>, usize) {
        let samples = |at: usize| sums.counts.get(from + at * 2 * self.width).copied().unwrap_or(0);
        let samples: Vec<usize> = (0..self.chains.len()).map(samples).collect();
        let entered = enter_mean(&samples);
        let left_out = samples.iter().zip(&entered).filter(|(samples, entered)| **samples > 0 && !**entered).count();
        (entered, left_out)
    }

    /// The weighted mean of the drops when the tallies sum up to `sums`, and over how many parts.
    pub fn drop(&self, metric: &dyn Metric, sums: &[f64], entered: &[bool]) -> Option<(f64, usize)> {
        let (mut all, mut weights, mut parts) = (0.0, 0.0, 0);
        let parts_of = self.chains.iter().zip(sums.chunks(2 * self.width.max(1))).zip(entered);
        for ((_, weight), sums) in parts_of.filter(|(_, entered)| **entered).map(|(part, _)| part) {
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
    /// How many samples have each number.
    counts: Vec<usize>,
    samples: usize,
}

impl Sums {
    /// Adds the numbers of a sample; `None` for a number that it does not have.
    pub fn add(&mut self, numbers: usize, row: Option<&[(usize, f64)]>) {
        let Some(row) = row else { return };
        if self.sums.is_empty() {
            (self.sums, self.products) = (vec![0.0; numbers], vec![0.0; numbers * numbers]);
            self.counts = vec![0; numbers];
        }
        self.samples += 1;
        row.iter().for_each(|(at, _)| self.counts[*at] += 1);
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
        let scatter = self.square_of(&slopes);
        // The mean of what each sample adds to the number is 0, so its scatter is the plain sum of squares.
        let spread = normal_quantile(0.975) * (scatter.max(0.0) * n / (n - 1.0).max(1.0)).sqrt();
        // If no answer changed, this many samples still cannot rule out that one would.
        let unseen = 1.0 - 0.025f64.powf(1.0 / n);
        let half = if spread > ROUNDING { spread } else { unseen };
        Some((Estimate { value: found, low: found - half, high: found + half }, parts))
    }

    /// The sum over samples of the square of what each adds, where the numbers have these slopes.
    fn square_of(&self, slopes: &[f64]) -> f64 {
        let of_row = |row: &[f64]| row.iter().zip(slopes).map(|(product, slope)| product * slope).sum::<f64>();
        self.products.chunks(self.sums.len()).zip(slopes).map(|(row, slope)| slope * of_row(row)).sum()
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
        let judged = HumanWeighted { chains: vec![(0, 1.0), (1, 0.5)], width: 2 };
        let mut all = Weights { judged, sums: Sums::default(), turned: Turned::default() };
        for right in rows {
            let [before, one, two] = right.map(|right| [f64::from(u8::from(right)), 1.0]);
            let row: Vec<(usize, f64)> = [before, one, before, two].concat().into_iter().enumerate().collect();
            all.add_row(Some(&row));
        }
        all
    }

    #[test]
    fn two_drops_by_hand() {
        // 8 right before; 6 after the first part, 4 after the second: (1 * 0.2 + 0.5 * 0.4) / 1.5.
        let row = |at: usize| [at < 8, at < 6, at < 4];
        let Weights { judged, sums, .. } = weights((0..10).map(row));
        let drop = |sums: &[f64]| judged.drop(&Accuracy, sums, &[true; 2]);
        let (value, parts) = drop(&sums.sums).unwrap();
        assert!((value - 0.4 / 1.5).abs() < 1e-12 && parts == 2);
        // d value / d right before = (1 + 0.5) / 1.5 / 10, shared out over the two parts.
        assert!((sums.slope(drop, 0) - 1.0 / 15.0).abs() < 1e-9);
        assert!((sums.slope(drop, 6) + 0.5 / 15.0).abs() < 1e-9);
        let none = HumanWeighted { chains: vec![], width: 0 };
        assert_eq!(none.drop(&Accuracy, &[], &[]), None);
    }

    /// A part that broke the one text it changed once took a mean drop from 4.9 to 19.0 points.
    #[test]
    fn a_part_with_one_text_does_not_make_the_mean() {
        let run = Measured::new(super::super::compare::tests::header(0)).unwrap();
        let of = |texts: usize| {
            let judged = HumanWeighted { chains: vec![(0, 1.0), (1, 1.0)], width: 2 };
            let mut all = Weights { judged, sums: Sums::default(), turned: Turned::default() };
            for at in 0..texts {
                let after = f64::from(u8::from(at % 20 > 0));
                let mut row: Vec<(usize, f64)> = [1.0, 1.0, after, 1.0].into_iter().enumerate().collect();
                if at == 0 {
                    row.extend([(4, 1.0), (5, 1.0), (6, 0.0), (7, 1.0)]);
                }
                all.add_row(Some(&row));
            }
            all.finish(&run).unwrap()
        };
        let many = of(200);
        assert!((many.drop.value - 0.05).abs() < 1e-9 && many.drop.high < 0.11, "{many:?}");
        assert_eq!((many.parts, many.left_out), (1, 1));
        // If all parts have few texts, all enter.
        let few = of(20);
        assert!((few.drop.value - 0.525).abs() < 1e-9, "{few:?}");
        assert_eq!((few.parts, few.left_out), (2, 0));
    }

    #[test]
    fn one_sample_says_next_to_nothing() {
        let found = weights([[true, false, true]].into_iter())
            .finish(&Measured::new(super::super::compare::tests::header(0)).unwrap());
        let drop = found.unwrap().drop;
        // (1 * 1 + 0.5 * 0) / 1.5, and nearly everything is possible.
        assert!((drop.value - 1.0 / 1.5).abs() < 1e-12, "{drop:?}");
        assert!(drop.low < -0.5 && drop.high > 0.95, "{drop:?}");
    }

    /// How often the interval of six parts misses the true drop on either side. Four parts change every sample, one a
    /// third and one a tenth of them; half of what breaks breaks under all parts at once.
    fn misses(samples: usize, drop: f64, fixed: f64, simulations: usize) -> [f64; 2] {
        let parts = [(1.0, 1.0), (0.9, 1.0), (0.8, 1.0), (0.7, 1.0), (0.9, 0.35), (0.6, 0.1)];
        let run = Measured::new(super::super::compare::tests::header(0)).unwrap();
        let mut dice = Dice::new(12, &["weighted", "misses"]);
        let (mut below, mut above) = (0, 0);
        for _ in 0..simulations {
            let chains = parts.iter().enumerate().map(|(at, (weight, _))| (at, *weight)).collect();
            let judged = HumanWeighted { chains, width: 2 };
            let mut all = Weights { judged, sums: Sums::default(), turned: Turned::default() };
            for _ in 0..samples {
                // Of all samples a tenth is wrong at first, and only those can be fixed.
                let (right, together) = (!dice.chance(0.1), dice.unit());
                let share = if right { (drop + fixed) / 0.9 } else { fixed / 0.1 };
                let mut row = Vec::new();
                for (at, (_, changes)) in parts.iter().enumerate() {
                    let luck = if dice.chance(0.5) { together } else { dice.unit() };
                    if dice.chance(*changes) {
                        let after = right != (luck < share);
                        let numbers = [f64::from(u8::from(right)), 1.0, f64::from(u8::from(after)), 1.0];
                        row.extend(numbers.into_iter().enumerate().map(|(place, number)| (4 * at + place, number)));
                    }
                }
                all.add_row(Some(&row));
            }
            let found = all.finish(&run).unwrap().drop;
            below += usize::from(found.high < drop);
            above += usize::from(found.low > drop);
        }
        [below, above].map(|count| count as f64 / simulations as f64)
    }

    /// A first-order interval covers 88 % of small drops.
    #[test]
    fn small_drops_that_only_break_are_covered() {
        for (samples, drop, fixed) in [(400, 0.01, 0.0), (150, 0.05, 0.0), (400, 0.05, 0.0), (400, 0.02, 0.02)] {
            let [below, above] = misses(samples, drop, fixed, 500);
            let share = 1.0 - below - above;
            // The standard error of 500 simulations is 0.01.
            assert!((0.92..=0.985).contains(&share), "{samples} {drop} {fixed}: {below} {above}");
        }
    }

    /// `cargo test -p fissure-evaluate --lib weighted -- --ignored --nocapture` prints the figures of docs/statistics.md.
    #[test]
    #[ignore = "takes minutes"]
    fn coverage_of_weighted_drops() {
        for samples in [40, 150, 400, 1000] {
            for drop in [0.0, 0.01, 0.02, 0.05, 0.2] {
                let cells = [0.0, 0.02].map(|fixed| {
                    let [below, above] = misses(samples, drop, fixed, 2000);
                    format!("{:.3} ({below:.3}, {above:.3})", 1.0 - below - above)
                });
                println!("| {samples} | {drop} | {} |", cells.join(" | "));
            }
        }
    }

    #[test]
    fn copies_of_a_sample_say_nothing_new() {
        let run = Measured::new(super::super::compare::tests::header(0)).unwrap();
        let drop = |copies: f64| {
            let judged = HumanWeighted { chains: vec![(0, 1.0), (1, 0.5)], width: 2 };
            let mut all = Weights { judged, sums: Sums::default(), turned: Turned::default() };
            for at in 0..100 {
                let rights = [at < 90, at < 80, at < 90, at >= 5];
                let numbers = rights.map(|right| [copies * f64::from(u8::from(right)), copies]).concat();
                let row: Vec<(usize, f64)> = numbers.into_iter().enumerate().collect();
                all.add_row(Some(&row));
            }
            all.finish(&run).unwrap().drop
        };
        let (one, ten) = (drop(1.0), drop(10.0));
        assert!((one.value - ten.value).abs() < 1e-12, "{one:?} {ten:?}");
        assert!((one.low - ten.low).abs() < 1e-9 && (one.high - ten.high).abs() < 1e-9, "{one:?} {ten:?}");
    }

    #[test]
    fn the_interval_holds_the_truth_as_often_as_it_says() {
        let mut dice = Dice::new(9, &["weighted"]);
        // The drops are 0.9 - 0.8 and 0.9 - 0.7, and err together.
        let truth = (0.1 + 0.5 * 0.2) / 1.5;
        let header = super::super::compare::tests::header(0);
        let run = Measured::new(header).unwrap();
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
