//! What is kept of two runs while they are read: rows of tallies, equal ones once.

use fissure_core::{Dice, Expectation};
use fissure_statistics::{
    Estimate, Moments, RESAMPLES, Statistic, counted_bootstrap, ece_difference, mcnemar, paired_difference,
};

use super::excess::Excesses;
use super::slices::Slices;
use super::{Answers, RunComparison};
use crate::measure::clean::{BINS, sureness};
use crate::measure::reservoir::Reservoir;
use crate::measure::scores::{Rows, sum};
use crate::measure::thinning;
use crate::measure::weighted::{HumanWeighted, Sums};
use crate::metrics::{Metric, Tally};
use crate::plan::PlannedChain;
use crate::run::{Block, CaseRecord, Header};

/// What both runs said so far.
#[derive(Debug)]
pub struct Pairs {
    seed: u64,
    samples: usize,
    /// The metrics, and their tallies in both runs; none for a metric whose tallies mean another thing in each.
    clean: Vec<(Box<dyn Metric>, Option<Rows>)>,
    /// How many samples have a tally of the main metric in both runs, and are right in one of them only.
    samples_of_both: usize,
    only: (usize, usize),
    /// Whether both runs have the same seed: else a part does other things to a text, and the runs differ by more than
    /// their models.
    same_dice: bool,
    chains: Vec<Both>,
    slices: Option<Slices>,
    excesses: Option<Excesses>,
    /// The parts that people judged in either run, and what a sample adds to both.
    judged: Option<([HumanWeighted; 2], Sums)>,
    /// How sure either model is, and whether it is right; none if a sample has that in one run only.
    sure: Option<Reservoir<[(f64, bool); 2]>>,
}

/// A chain that both runs have.
#[derive(Debug)]
struct Both {
    name: String,
    /// Its number in the first run and in the second.
    at: (usize, usize),
    counts: Counts,
    /// Originals and changed forms in the first run, then in the second; empty if the chain changed nothing.
    scores: Option<Rows>,
    /// (answers that count, answers) in the first run and in the second: that changed, or stayed on destroyed texts.
    turned: Rows,
    /// The second less the first, where both have it.
    confidence: Moments,
    entropy: Moments,
    /// Whether some sample has them in one run only: then the means of the two runs are of other samples.
    lopsided: bool,
}

impl Pairs {
    pub fn new(first: &Header, second: &Header) -> crate::Result<Self> {
        let same_labels = first.labels == second.labels;
        let rows = |metric: &dyn Metric| (same_labels || !metric.by_label()).then(Rows::default);
        let metrics = first.config.task()?.metrics(&first.labels);
        let with_rows = |metric: Box<dyn Metric>| {
            let rows = rows(&*metric);
            (metric, rows)
        };
        let clean: Vec<_> = metrics.into_iter().map(with_rows).collect();
        let scored = clean.first().is_some_and(|(_, rows)| rows.is_some());
        // Runs that asked about some texts only are compared by their findings.
        let precise = first.plan.precision.is_some() || second.plan.precision.is_some();
        let same_dice = first.config.seed() == second.config.seed() && !precise;
        let chains = first.plan.chains.iter().enumerate().filter(|_| same_dice);
        let both = chains.filter_map(|(at, chain)| {
            let other = second.plan.chains.iter().position(|other| same(chain, other))?;
            Some(Both {
                name: chain.name.clone(),
                at: (at, other),
                counts: Counts::of(chain),
                scores: scored.then(Rows::default),
                turned: Rows::default(),
                confidence: Moments::default(),
                entropy: Moments::default(),
                lopsided: false,
            })
        });
        let judged =
            || ([HumanWeighted::new(&first.plan.chains), HumanWeighted::new(&second.plan.chains)], Sums::default());
        Ok(Self {
            seed: first.config.seed(),
            samples: 0,
            samples_of_both: 0,
            only: (0, 0),
            same_dice,
            chains: both.collect(),
            slices: scored.then(|| Slices::new(&first.plan.slices, &second.plan.slices)),
            excesses: (scored && same_dice).then(|| Excesses::new(&first.plan.chains, &second.plan.chains)),
            judged: (scored && same_dice).then(judged),
            sure: Some(Reservoir::default()),
            clean,
        })
    }

    pub fn add(&mut self, a: &Block, b: &Block) {
        self.samples += 1;
        let tallies = a.sample.tallies.iter().zip(&b.sample.tallies);
        for (at, ((metric, rows), (first, second))) in self.clean.iter_mut().zip(tallies).enumerate() {
            let (first, second) = (first.as_deref(), second.as_deref());
            if let Some(rows) = rows.as_mut().filter(|_| first.is_some() || second.is_some()) {
                rows.add(&[first.unwrap_or_default(), second.unwrap_or_default()]);
            }
            if let (0, Some(first), Some(second)) = (at, first, second) {
                self.samples_of_both += 1;
                let (first, second) = (metric.right(first), metric.right(second));
                self.only.0 += usize::from(first && !second);
                self.only.1 += usize::from(!first && second);
            }
        }
        self.chains.iter_mut().for_each(|both| both.add(a, b));
        if let Some(slices) = &mut self.slices {
            slices.add(&mut thinning(self.seed, a), a, b);
        }
        if let Some(excesses) = &mut self.excesses {
            excesses.add(a, b);
        }
        if let Some((judged, sums)) = &mut self.judged {
            add_weighted(judged, sums, [a, b]);
        }
        match (sureness(a), sureness(b), &mut self.sure) {
            (Some(first), Some(second), Some(sure)) => sure.add(&mut thinning(self.seed, a), [first, second]),
            (None, None, _) => {}
            _ => self.sure = None,
        }
    }

    pub fn finish(self) -> RunComparison {
        self.finish_with(RESAMPLES)
    }

    /// The same with more or fewer resamples.
    pub fn finish_with(self, resamples: usize) -> RunComparison {
        let mut found = RunComparison { samples: self.samples, ..RunComparison::default() };
        let dice = |what: &str| Dice::new(self.seed, &["together", what]);
        for (at, (metric, rows)) in self.clean.iter().enumerate() {
            let value = |sum: &[f64]| metric.value(sum);
            let resampled = |rows| {
                let gap = bootstrap(rows, value, [&|v| v[1] - v[0]], resamples, &mut dice(metric.name()));
                gap.map(|[gap]| gap)
            };
            // Answers that are right or wrong as a whole, and there in both runs, are plain pairs.
            let pairs = (at == 0 && metric.counts_samples()).then_some(self.samples_of_both);
            let gap = rows.as_ref().and_then(|rows| match pairs.filter(|pairs| *pairs == rows.len()) {
                Some(pairs) => paired_difference(pairs as f64, self.only.1 as f64, self.only.0 as f64),
                None => resampled(rows),
            });
            found.put(metric.name(), "", gap);
        }
        let Some((main, rows)) = self.clean.first() else { return found };
        found.put("score", "", found.difference(main.name(), ""));
        if rows.as_ref().is_some_and(|rows| rows.len() > 0) {
            let (only_first, only_second) = self.only;
            found.answers = Some(Answers { only_first, only_second, p: mcnemar(only_first, only_second) });
        }
        for both in self.chains {
            both.finish(&**main, &mut found, resamples, &mut dice(&both.name));
        }
        if let Some(slices) = self.slices {
            slices.finish(&**main, self.same_dice, &mut found, resamples, &mut dice("slices"));
        }
        if let Some(excesses) = self.excesses {
            excesses.finish(&**main, &mut found, resamples, &mut dice("excess"));
        }
        if let Some((judged, sums)) = &self.judged {
            found.put("drop", "weighted", weighted(judged, sums, &**main));
        }
        if let Some(sure) = self.sure.filter(|sure| self.same_dice || sure.is_whole()) {
            found.put("ece", "", ece_difference(&sure.items(), BINS));
        }
        found
    }
}

/// What a sample adds to the weighted drops of both runs, the second's numbers after those of the first.
fn add_weighted(judged: &mut [HumanWeighted; 2], sums: &mut Sums, blocks: [&Block; 2]) {
    // An answer may be missing in one of the runs, a tally is as long in both.
    judged.iter_mut().for_each(|judged| blocks.iter().for_each(|block| judged.fit(block)));
    let [first, second] = judged;
    let (mut row, more) = (first.row(blocks[0]), second.row(blocks[1]));
    let (of_first, of_second) = (first.numbers(), second.numbers());
    if let Some(more) = more {
        row.get_or_insert_default().extend(more.into_iter().map(|(place, number)| (of_first + place, number)));
    }
    sums.add(of_first + of_second, row.as_deref());
}

/// The weighted drop of the second run less that of the first.
fn weighted([first, second]: &[HumanWeighted; 2], sums: &Sums, metric: &dyn Metric) -> Option<Estimate> {
    let (in_first, in_second) = (first.entered(sums, 0).0, second.entered(sums, first.numbers()).0);
    let gap = |sums: &[f64]| {
        let (of_first, of_second) = sums.split_at_checked(first.numbers())?;
        let drops = first.drop(metric, of_first, &in_first).zip(second.drop(metric, of_second, &in_second));
        let ((then, before), (now, after)) = drops?;
        Some((now - then, before + after))
    };
    Some(sums.estimate(gap)?.0)
}

impl Both {
    fn add(&mut self, a: &Block, b: &Block) {
        let (first, second) = (Side::of(a, self.at.0, &self.counts), Side::of(b, self.at.1, &self.counts));
        if let Some(rows) = self.scores.as_mut().filter(|_| !first.before.is_empty() || !second.before.is_empty()) {
            rows.add(&[&first.before, &first.after, &second.before, &second.after]);
        }
        if first.turned[1] + second.turned[1] > 0.0 {
            self.turned.add(&[&first.turned, &second.turned]);
        }
        for (mean, of) in [(&mut self.confidence, 0), (&mut self.entropy, 1)] {
            match (first.mean(of), second.mean(of)) {
                (Some(first), Some(second)) => mean.add(second - first),
                (None, None) => {}
                _ => self.lopsided = true,
            }
        }
    }

    fn finish(&self, metric: &dyn Metric, found: &mut RunComparison, resamples: usize, dice: &mut Dice) {
        let share = |sum: &[f64]| (sum[1] > 0.0).then(|| sum[0] / sum[1]);
        let turned = bootstrap(&self.turned, share, [&|v| v[1] - v[0]], resamples, dice).map(|[turned]| turned);
        if self.counts != Counts::Changed {
            found.put("agreement", &self.name, turned);
            for (measure, mean) in [("confidence", &self.confidence), ("entropy", &self.entropy)] {
                found.put(measure, &self.name, mean.mean().filter(|_| !self.lopsided));
            }
            return;
        }
        found.put("flips", &self.name, turned);
        let value = |sum: &[f64]| metric.value(sum);
        let drop = |v: &[f64]| (v[2] - v[3]) - (v[0] - v[1]);
        let asked: [Statistic<'_>; 3] = [&drop, &|v| v[2] - v[0], &|v| v[3] - v[1]];
        let gaps = self.scores.as_ref().and_then(|rows| bootstrap(rows, value, asked, resamples, dice));
        for (measure, at) in [("drop", 0), ("before", 1), ("after", 2)] {
            found.put(measure, &self.name, gaps.map(|gaps| gaps[at]));
        }
    }
}

/// Which answers to changed texts are counted.
#[derive(Debug, PartialEq, Eq)]
enum Counts {
    /// Those that changed.
    Changed,
    /// On destroyed texts: those that stayed.
    Stayed,
    /// On copies: those that are the default label.
    Default(String),
}

impl Counts {
    fn of(chain: &PlannedChain) -> Self {
        match (&chain.default_label, chain.expectation) {
            (Some(label), Expectation::Destroyed) => Self::Default(label.clone()),
            (None, Expectation::Destroyed) => Self::Stayed,
            _ => Self::Changed,
        }
    }
}

/// What one sample adds in one run, over all its variants.
#[derive(Debug, Default)]
struct Side {
    before: Tally,
    after: Tally,
    turned: [f64; 2],
    /// Sums of confidence and entropy, and how many there are.
    sums: [(f64, usize); 2],
}

impl Side {
    fn of(block: &Block, chain: usize, counts: &Counts) -> Self {
        let mut side = Self::default();
        let Some(original) = &block.sample.said else { return side };
        for case in block.cases.iter().filter(|case| case.chain == chain) {
            let CaseRecord { said: Some(said), tally, .. } = case else { continue };
            let counted = match counts {
                Counts::Changed => !said.agrees(original),
                Counts::Stayed => said.agrees(original),
                Counts::Default(label) => said.shown() == *label,
            };
            side.turned = [side.turned[0] + f64::from(u8::from(counted)), side.turned[1] + 1.0];
            for (sum, value) in side.sums.iter_mut().zip([said.confidence(), said.entropy()]) {
                *sum = value.map_or(*sum, |value| (sum.0 + value, sum.1 + 1));
            }
            let (Some(before), Some(after)) = (block.before_case(case), tally) else { continue };
            for (all, more) in [(&mut side.before, before), (&mut side.after, after)] {
                *all = if all.is_empty() { more.to_vec() } else { sum(all, more) };
            }
        }
        side
    }

    fn mean(&self, of: usize) -> Option<f64> {
        let (sum, count) = self.sums[of];
        (count > 0).then(|| sum / count as f64)
    }
}

/// Whether two runs mean the same by a chain.
pub fn same(a: &PlannedChain, b: &PlannedChain) -> bool {
    let key = |chain: &PlannedChain| {
        (chain.name.clone(), chain.settings.clone(), chain.variants, chain.expectation, chain.default_label.clone())
    };
    key(a) == key(b)
}

/// Numbers made of the columns' values, with intervals; `None` if a column has no value.
pub fn bootstrap<const N: usize>(
    rows: &Rows,
    value: impl Fn(&[f64]) -> Option<f64>,
    asked: [Statistic<'_>; N],
    resamples: usize,
    dice: &mut Dice,
) -> Option<[Estimate; N]> {
    counted_bootstrap(&rows.counted(), value, &asked, resamples, dice)?.try_into().ok()
}
