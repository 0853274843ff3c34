//! Differences between answers to the same samples, with intervals by resampling samples.

use fissure_core::Dice;

use crate::Estimate;
use crate::bootstrap::quantile;
use crate::tallies::Tallies;

/// Resamples that are enough for a 95 % interval.
pub const RESAMPLES: usize = 1000;

/// A metric before and after a change, on the same samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    pub before: Estimate,
    pub after: Estimate,
    /// `before - after`.
    pub drop: Estimate,
}

/// The paired bootstrap: `before` and `after` hold what each sample adds to the metric, in the same order; `metric` is
/// the value of a sum, between 0 and 1. `None` if there is no sample, or no value.
pub fn paired_bootstrap<T: AsRef<[f64]>>(
    before: &[T],
    after: &[T],
    metric: impl Fn(&[f64]) -> Option<f64>,
    resamples: usize,
    dice: &mut Dice,
) -> Option<Paired> {
    let found = joint_bootstrap(
        &[before, after],
        metric,
        &[&|values| values[0], &|values| values[1], &|values| values[0] - values[1]],
        resamples,
        dice,
    )?;
    Some(Paired {
        before: found[0].within(0.0, 1.0),
        after: found[1].within(0.0, 1.0),
        drop: found[2].within(-1.0, 1.0),
    })
}

/// A number made of the metric's value in each column.
pub type Statistic<'a> = &'a dyn Fn(&[f64]) -> f64;

/// Several columns of tallies for the same samples (original, `a`, `b`, `a+b`), resampled together, and any numbers made
/// of the metric's values in them.
///
/// Where no resample differs from the data (no sample changed the outcome), the percentile interval would be a point;
/// then the interval says what `n` samples without an event allow: up to `1 - 0.025^(1/n)` of all samples might have one.
pub fn joint_bootstrap<T: AsRef<[f64]>>(
    columns: &[&[T]],
    metric: impl Fn(&[f64]) -> Option<f64>,
    statistics: &[Statistic<'_>],
    resamples: usize,
    dice: &mut Dice,
) -> Option<Vec<Estimate>> {
    resampled(&Tallies::new(columns)?, metric, statistics, resamples, dice)
}

/// The same of rows that were counted: (the tallies of a row in each column, how many such rows there are). Neither time
/// nor memory grows with the number of rows where few of them differ.
pub fn counted_bootstrap(
    rows: &[(Vec<&[f64]>, usize)],
    metric: impl Fn(&[f64]) -> Option<f64>,
    statistics: &[Statistic<'_>],
    resamples: usize,
    dice: &mut Dice,
) -> Option<Vec<Estimate>> {
    resampled(&Tallies::counted(rows)?, metric, statistics, resamples, dice)
}

fn resampled(
    tallies: &Tallies,
    metric: impl Fn(&[f64]) -> Option<f64>,
    statistics: &[Statistic<'_>],
    resamples: usize,
    dice: &mut Dice,
) -> Option<Vec<Estimate>> {
    let values = tallies.values(tallies.counts(), &metric)?;
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(resamples); statistics.len()];
    let mut weights = Vec::new();
    for _ in 0..resamples {
        tallies.redraw(dice, &mut weights);
        if let Some(values) = tallies.values(&weights, &metric) {
            drawn.iter_mut().zip(statistics).for_each(|(drawn, statistic)| drawn.push(statistic(&values)));
        }
    }
    let point = |(statistic, drawn): (&Statistic<'_>, Vec<f64>)| {
        interval(statistic(&values), drawn, resamples, tallies.rows(), range(*statistic, values.len()))
    };
    statistics.iter().zip(drawn).map(point).collect()
}

/// The least and the most that a statistic can be. It is a sum of values with signs, and each value lies between 0 and 1, so its
/// ends are where every value is 0 or 1.
fn range(statistic: Statistic<'_>, columns: usize) -> (f64, f64) {
    let corner = |bits: u32| (0..columns).map(|at| f64::from(bits >> at & 1)).collect::<Vec<f64>>();
    let ends = (0..1u32 << columns.min(16)).map(|bits| statistic(&corner(bits)));
    ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), end| (least.min(end), most.max(end)))
}

/// With this many rows or more, resampling says how far off a value may be. A few rows are too much like each other: what they
/// cannot have shown is added, less and less of it up to here.
const ENOUGH_ROWS: f64 = 30.0;

/// The middle 95 % of the drawn values, of a statistic that lies between `least` and `most`; `None` if fewer than half of the
/// resamples had one.
pub(crate) fn interval(
    value: f64,
    mut drawn: Vec<f64>,
    resamples: usize,
    rows: usize,
    (least, most): (f64, f64),
) -> Option<Estimate> {
    if drawn.is_empty() || drawn.len() * 2 < resamples {
        return None;
    }
    drawn.sort_by(f64::total_cmp);
    let (low, high) = (quantile(&drawn, 0.025), quantile(&drawn, 0.975));
    // The share of samples that may be of another kind although none was seen: 0.025 = (1 - share)^rows.
    let unseen = 1.0 - 0.025f64.powf(1.0 / rows as f64);
    let part = if drawn.first() == drawn.last() { 1.0 } else { (1.0 - (rows as f64 - 1.0) / ENOUGH_ROWS).max(0.0) };
    // Rounding must not push the value out of its own interval.
    let (low, high) = (low.min(value), high.max(value));
    let (low, high) = (low - part * unseen * (low - least), high + part * unseen * (most - high));
    Some(Estimate { value, low: low.min(value), high: high.max(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(sum: &[f64]) -> Option<f64> {
        (sum[1] > 0.0).then(|| sum[0] / sum[1])
    }

    /// Tallies of an accuracy: how many are right in both, broken, fixed, wrong in both.
    fn pairs(both: usize, broken: usize, fixed: usize, neither: usize) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let rows = [(both, 1.0, 1.0), (broken, 1.0, 0.0), (fixed, 0.0, 1.0), (neither, 0.0, 0.0)];
        let column = |after: bool| {
            rows.iter()
                .flat_map(move |&(count, a, b)| std::iter::repeat_n(vec![if after { b } else { a }, 1.0], count))
                .collect()
        };
        (column(false), column(true))
    }

    #[test]
    fn a_few_samples_prove_nothing() {
        // Two models that toss coins differ by -1 on one sample once in four times, on three once in 64.
        let gap: Statistic<'_> = &|values| values[1] - values[0];
        for (rows, high) in [(1, 0.95), (2, 0.683_772), (3, 0.415_196)] {
            let (before, after) = (vec![vec![1.0, 1.0]; rows], vec![vec![0.0, 1.0]; rows]);
            let found = joint_bootstrap(&[&before, &after], share, &[gap], 400, &mut Dice::new(1, &[])).unwrap()[0];
            assert_eq!((found.value, found.low), (-1.0, -1.0));
            // -1 + 2 (1 - 0.025^(1/n)): all that was not seen may be a gain.
            assert!((found.high - high).abs() < 1e-6, "{found:?}");
        }
        // One that got worse of two: the resamples reach 0, and what was not seen goes beyond it.
        let (before, after) = (vec![vec![1.0, 1.0]; 2], vec![vec![0.0, 1.0], vec![1.0, 1.0]]);
        let found = joint_bootstrap(&[&before, &after], share, &[gap], 400, &mut Dice::new(1, &[])).unwrap()[0];
        assert!(found.low == -1.0 && found.high > 0.8, "{found:?}");
    }

    /// By theory the drop's variance is (broken + fixed - (broken - fixed)^2 / n) / n^2.
    #[test]
    fn a_drop_by_hand_with_its_interval_by_theory() {
        let (before, after) = pairs(700, 120, 30, 150);
        let found = paired_bootstrap(&before, &after, share, 4000, &mut Dice::new(1, &["paired"])).unwrap();
        assert_eq!((found.before.value, found.after.value), (0.82, 0.73));
        assert!((found.drop.value - 0.09).abs() < 1e-12);
        let half = 1.96 * ((150.0 - 8.1) / 1e6f64).sqrt();
        assert!((found.drop.low - (0.09 - half)).abs() < 0.003, "{found:?}");
        assert!((found.drop.high - (0.09 + half)).abs() < 0.003, "{found:?}");
    }

    #[test]
    fn no_change_in_twenty_is_no_proof_of_none() {
        let (before, after) = pairs(20, 0, 0, 0);
        let found = paired_bootstrap(&before, &after, share, 200, &mut Dice::new(1, &[])).unwrap();
        // 1 - 0.025^(1/20) = 0.1684: the exact upper limit of a share of which 0 of 20 were seen.
        assert!((found.drop.high - 0.168_433).abs() < 1e-6 && (found.drop.low + 0.168_433).abs() < 1e-6, "{found:?}");
        assert_eq!((found.before.high, found.before.value), (1.0, 1.0));
    }

    #[test]
    fn counted_rows_are_rows() {
        let (before, after) = pairs(700, 120, 30, 150);
        let rows: [(Vec<&[f64]>, usize); 4] = [(0, 700), (700, 120), (820, 30), (850, 150)]
            .map(|(at, count)| (vec![before[at].as_slice(), after[at].as_slice()], count));
        let drop: [Statistic<'_>; 1] = [&|values| values[0] - values[1]];
        let counted = counted_bootstrap(&rows, share, &drop, 500, &mut Dice::new(4, &[])).unwrap();
        let each = joint_bootstrap(&[&before, &after], share, &drop, 500, &mut Dice::new(4, &[])).unwrap();
        assert_eq!(counted, each);
        assert_eq!(counted_bootstrap(&[], share, &drop, 500, &mut Dice::new(4, &[])), None);
    }

    #[test]
    fn kinds_and_rows_draw_the_same_law() {
        // The same data twice: once as four kinds of rows, once with every row a kind of its own.
        let (before, after) = pairs(600, 250, 100, 50);
        let apart = |column: &[Vec<f64>]| -> Vec<Vec<f64>> {
            column.iter().enumerate().map(|(at, tally)| vec![tally[0], tally[1], at as f64]).collect()
        };
        let few = paired_bootstrap(&before, &after, share, 4000, &mut Dice::new(2, &[])).unwrap();
        let many = paired_bootstrap(&apart(&before), &apart(&after), share, 4000, &mut Dice::new(3, &[])).unwrap();
        assert_eq!(few.drop.value, many.drop.value);
        let close = |a: f64, b: f64| (a - b).abs() < 0.004;
        assert!(close(few.drop.low, many.drop.low) && close(few.drop.high, many.drop.high), "{few:?} {many:?}");
    }

    #[test]
    fn nothing_to_measure() {
        let none: [Vec<f64>; 0] = [];
        assert_eq!(paired_bootstrap(&none, &none, share, 100, &mut Dice::new(0, &[])), None);
        assert_eq!(paired_bootstrap(&[vec![0.0, 0.0]], &[vec![1.0, 1.0]], share, 100, &mut Dice::new(0, &[])), None);
        assert_eq!(paired_bootstrap(&[vec![0.0, 1.0]], &[], share, 100, &mut Dice::new(0, &[])), None);
    }

    #[test]
    fn interaction_of_two_changes_by_hand() {
        // Original right, a alone harmless, b alone harmless, together wrong: the whole of the joint drop is excess.
        let column = |right: f64| vec![vec![right, 1.0]; 40];
        let columns = [column(1.0), column(1.0), column(1.0), column(0.0)];
        let columns: Vec<&[Vec<f64>]> = columns.iter().map(Vec::as_slice).collect();
        let excess: Statistic<'_> = &|v| (v[0] - v[3]) - ((v[0] - v[1]) + (v[0] - v[2]));
        let found = joint_bootstrap(&columns, share, &[excess], 200, &mut Dice::new(0, &[])).unwrap();
        assert_eq!(found[0].value, 1.0);
    }
}
