//! Calibration error: does a model's confidence match its accuracy?

use fissure_core::Dice;

use crate::bootstrap::quantile;
use crate::{Estimate, Moments, proportion};

/// Expected calibration error, and the bins it is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    pub ece: Estimate,
    /// The bins that have samples, in order.
    pub bins: Vec<Bin>,
}

/// Answers of about the same confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    pub low: f64,
    pub high: f64,
    pub samples: usize,
    /// Mean confidence.
    pub confidence: f64,
    pub accuracy: Estimate,
}

/// Expected calibration error over `bins` bins of equal width: the mean distance between confidence and accuracy,
/// weighted by samples. `answers` are (confidence from 0 to 1, right?); others are left out. `None` if there is none.
///
/// Noise alone makes this error greater than 0, and resampling adds the same noise again. So the interval's width comes
/// from the bootstrap, and its lower end is moved down by the noise that the bootstrap added. Resampling answers that are
/// all right shows no wrong one, so neither end is nearer than [`Sums::reach`] allows. The lower end is 0 unless a perfectly
/// calibrated model with the same confidences would show as large an error at most once in forty times: so a true error
/// of 0 is left out at most 2.5 times in a hundred, as by each end of any 95 % interval.
pub fn ece(answers: &[(f64, bool)], bins: usize, resamples: usize, dice: &mut Dice) -> Option<Calibration> {
    let known = |(confidence, _): &&(f64, bool)| (0.0..=1.0).contains(confidence);
    let answers: Vec<(f64, bool)> = answers.iter().filter(known).copied().collect();
    if answers.is_empty() || bins == 0 {
        return None;
    }
    let sums = Sums::new(bins, answers.iter().copied());
    let value = sums.error();
    let sorted = |mut drawn: Vec<f64>| {
        drawn.sort_by(f64::total_cmp);
        drawn
    };
    let resamples = resamples.max(1);
    let mut again = |_| Sums::new(bins, (0..answers.len()).map(|_| answers[dice.below(answers.len())])).error();
    let drawn = sorted((0..resamples).map(&mut again).collect());
    // The confidences stay as they are, so that this is an exact test of perfect calibration.
    let mut fair = || Sums::new(bins, answers.iter().map(|(sure, _)| (*sure, dice.chance(*sure)))).error();
    // Rounding must not make an error as large as this one look smaller.
    let as_large = (0..resamples).filter(|_| fair() >= value - 1e-12).count();
    let may_be_perfect = (as_large + 1) as f64 > 0.025 * (resamples + 1) as f64;
    let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
    let noise = (mean - value).max(0.0);
    let width = quantile(&drawn, 0.975) - mean;
    let (down, up) = sums.reach();
    let low = if may_be_perfect { 0.0 } else { (value - noise - width.max(down)).max(0.0) };
    let high = value + width.max(up);
    Some(Calibration { ece: Estimate { value, low: low.min(value), high: high.clamp(value, 1.0) }, bins: sums.bins() })
}

/// The expected calibration error of one model less that of another, on the same samples: `answers` are those of the
/// other, then of the one. `None` if some confidence is not from 0 to 1, or there are fewer than two answers.
///
/// With the sign of each bin's gap taken as it was seen, either error is a mean over samples, and so is their difference:
/// its interval is that of a mean. A sign that is luck makes it wider, never narrower.
pub fn ece_difference(answers: &[[(f64, bool); 2]], bins: usize) -> Option<Estimate> {
    let known = answers.iter().flatten().all(|(confidence, _)| (0.0..=1.0).contains(confidence));
    if bins == 0 || !known {
        return None;
    }
    let sums = [0, 1].map(|model| Sums::new(bins, answers.iter().map(|answer| answer[model])));
    let mut gaps = Moments::default();
    for answer in answers {
        let [then, now] = [0, 1].map(|model| sums[model].share(answer[model]));
        gaps.add(now - then);
    }
    let gap = gaps.mean()?;
    if gap.low < gap.high {
        return Some(gap.within(-1.0, 1.0));
    }
    // Nothing separates the two, but this many samples cannot rule out that something does.
    let unseen = 1.0 - 0.025f64.powf(1.0 / answers.len() as f64);
    Some(Estimate { value: gap.value, low: gap.value - unseen, high: gap.value + unseen })
}

/// For each bin: samples, summed confidence, how many right.
struct Sums(Vec<(usize, f64, usize)>);

impl Sums {
    fn new(bins: usize, answers: impl Iterator<Item = (f64, bool)>) -> Self {
        let mut sums = vec![(0, 0.0, 0); bins];
        for (confidence, right) in answers {
            let at = bin_of(confidence, bins);
            sums[at].0 += 1;
            sums[at].1 += confidence;
            sums[at].2 += usize::from(right);
        }
        Self(sums)
    }

    fn error(&self) -> f64 {
        let all: usize = self.0.iter().map(|(samples, ..)| samples).sum();
        self.0.iter().map(|(_, confidence, right)| (confidence - *right as f64).abs()).sum::<f64>() / all as f64
    }

    /// How far the error may lie below and above what was seen: the distances from the confidence of a bin that Wilson's interval of
    /// its accuracy allows, put together as for independent shares (Newcombe's square-and-add).
    fn reach(&self) -> (f64, f64) {
        let all: usize = self.0.iter().map(|(samples, ..)| samples).sum();
        let mut squares = (0.0, 0.0);
        for &(samples, confidence, right) in &self.0 {
            let Some(accuracy) = proportion(right, samples) else { continue };
            let (weight, sure) = (samples as f64 / all as f64, confidence / samples as f64);
            // A bin may be wrong in the other direction than was seen: 49 of 50 right at 0.98 are also what a model gives that
            // is right in 90 of 100.
            let [less, more] = [accuracy.low, accuracy.high].map(|end| (end - sure).abs());
            let (seen, holds) = ((accuracy.value - sure).abs(), accuracy.low <= sure && sure <= accuracy.high);
            let least = if holds { 0.0 } else { less.min(more) };
            let (down, up) = (weight * (seen - least), weight * (less.max(more) - seen));
            squares = (squares.0 + down * down, squares.1 + up * up);
        }
        (squares.0.sqrt(), squares.1.sqrt())
    }

    /// What one answer adds to the error, which is the mean of these: its distance, or less than nothing if its bin
    /// errs the other way.
    fn share(&self, (confidence, right): (f64, bool)) -> f64 {
        let (_, stated, true_ones) = self.0[bin_of(confidence, self.0.len())];
        let gap = confidence - f64::from(u8::from(right));
        if stated < true_ones as f64 { -gap } else { gap }
    }

    fn bins(&self) -> Vec<Bin> {
        let width = 1.0 / self.0.len() as f64;
        let bin = |(at, &(samples, confidence, right)): (usize, &(usize, f64, usize))| {
            let (low, confidence) = (at as f64 * width, confidence / samples as f64);
            Some(Bin { low, high: low + width, samples, confidence, accuracy: proportion(right, samples)? })
        };
        self.0.iter().enumerate().filter_map(bin).collect()
    }
}

/// A confidence on an edge belongs to the bin below, as in Guo et al. 2017; 0 to the first.
fn bin_of(confidence: f64, bins: usize) -> usize {
    ((confidence * bins as f64).ceil() as usize).clamp(1, bins) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_answers_by_hand() {
        let answers = [(0.9, true), (0.7, false), (0.65, true), (0.3, true), (f64::NAN, true)];
        // Bins of width 1/2: (0.3; right) is off by 0.7; (0.9 + 0.7 + 0.65; 2 right) is off by 0.25. Together 0.95 / 4.
        let found = ece(&answers, 2, 100, &mut Dice::new(0, &[])).unwrap();
        assert!((found.ece.value - 0.2375).abs() < 1e-12, "{found:?}");
        assert_eq!(found.bins.iter().map(|bin| bin.samples).collect::<Vec<_>>(), [1, 3]);
        assert!((found.bins[1].confidence - 0.75).abs() < 1e-12 && found.bins[0].high == 0.5);
        assert_eq!(found.ece.low, 0.0, "four answers cannot show that a model is badly calibrated");
        assert_eq!(ece(&[(0.5, true)], 1, 10, &mut Dice::new(0, &[])).unwrap().ece.value, 0.5);
        assert_eq!(ece(&[], 10, 10, &mut Dice::new(0, &[])), None);
    }

    /// All answers are right, at a confidence of 0.7: Wilson says that 83.9 to 100 % of all may be.
    #[test]
    fn answers_that_are_all_right_leave_room_for_wrong_ones() {
        for (right, low, high) in [(20, 0.1389, 0.3), (19, 0.0639, 0.2911)] {
            let answers: Vec<(f64, bool)> = (0..20).map(|at| (0.7, at < right)).collect();
            let found = ece(&answers, 10, 400, &mut Dice::new(0, &[])).unwrap().ece;
            let is_near = |a: f64, b: f64| (a - b).abs() < 0.02;
            assert!(is_near(found.high, high), "{found:?}");
            // The test for perfect calibration may move the lower end to 0.
            assert!(found.low == 0.0 || is_near(found.low, low), "{found:?}");
        }
    }

    /// The true error is 0.25, and with 20 answers all are right in 36 of 100 runs.
    #[test]
    fn the_interval_holds_the_truth_with_few_answers() {
        let mut dice = Dice::new(3, &["calibration"]);
        for (samples, sure, truth) in [
            (20, 0.7, 0.95),
            (40, 0.9, 0.6),
            (10, 0.8, 0.2),
            (3, 0.98, 0.85),
            (20, 0.98, 0.92),
            (50, 0.98, 0.95),
            (50, 0.98, 0.94),
            (200, 0.98, 0.965),
        ] {
            let runs = 600;
            let holds = |_: &usize| {
                let answers: Vec<(f64, bool)> = (0..samples).map(|_| (sure, dice.chance(truth))).collect();
                let found = ece(&answers, 10, 100, &mut dice).unwrap().ece;
                let error = f64::abs(truth - sure);
                found.low <= error && error <= found.high
            };
            let covered = (0..runs).filter(holds).count() as f64 / f64::from(runs as u32);
            assert!(covered > 0.93, "{samples} answers: {covered}");
        }
    }

    #[test]
    fn two_models_by_hand() {
        // In one bin the error is |mean confidence - accuracy|: |0.8 - 0.75| for the first, |0.6 - 0.25| for the second.
        let answers =
            [(0.8, true, 0.6, true), (0.8, true, 0.6, false), (0.8, true, 0.6, false), (0.8, false, 0.6, false)];
        let answers = answers.map(|(p, right, q, also)| [(p, right), (q, also)]);
        let found = ece_difference(&answers, 1).unwrap();
        assert!((found.value - 0.3).abs() < 1e-12 && found.low < 0.3 && found.high > 0.3, "{found:?}");
        // A model beside itself: nothing separates the two, as far as four samples show.
        let twice = answers.map(|[first, _]| [first, first]);
        let same = ece_difference(&twice, 1).unwrap();
        assert_eq!((same.value, same.high), (0.0, 1.0 - 0.025f64.powf(0.25)));
        assert_eq!(ece_difference(&[[(f64::NAN, true), (0.5, true)]; 2], 1), None);
        assert_eq!(ece_difference(&[], 1), None);
    }

    #[test]
    fn edges_belong_to_the_bin_below() {
        let sums = Sums::new(10, [(0.0, true), (0.1, true), (0.2, true), (1.0, true)].into_iter());
        assert_eq!([sums.0[0].0, sums.0[1].0, sums.0[9].0], [2, 1, 1]);
    }
}
