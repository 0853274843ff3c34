//! Differences between two groups of samples: inside and outside a slice.

use fissure_core::Dice;

use crate::Estimate;
use crate::paired::interval;
use crate::tallies::Tallies;

/// A metric in two groups that share no sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unpaired {
    pub first: Estimate,
    pub second: Estimate,
    /// `first - second`.
    pub difference: Estimate,
}

/// The bootstrap of two groups, each resampled by itself. `None` if one of them has no value. For plain shares the
/// interval of [`difference`](crate::difference) is sharper, and quicker.
pub fn unpaired_bootstrap<T: AsRef<[f64]>>(
    first: &[T],
    second: &[T],
    metric: impl Fn(&[f64]) -> Option<f64>,
    resamples: usize,
    dice: &mut Dice,
) -> Option<Unpaired> {
    let groups = [Tallies::new(&[first])?, Tallies::new(&[second])?];
    let one = |tallies: &Tallies, weights: &[u64]| Some(tallies.values(weights, &metric)?[0]);
    let [a, b] = [one(&groups[0], groups[0].counts())?, one(&groups[1], groups[1].counts())?];
    let mut drawn: [Vec<f64>; 3] = Default::default();
    let mut weights = Vec::new();
    for _ in 0..resamples {
        groups[0].redraw(dice, &mut weights);
        let a = one(&groups[0], &weights);
        groups[1].redraw(dice, &mut weights);
        let b = one(&groups[1], &weights);
        if let (Some(a), Some(b)) = (a, b) {
            drawn.iter_mut().zip([a, b, a - b]).for_each(|(drawn, value)| drawn.push(value));
        }
    }
    let [in_first, in_second, both] = drawn;
    let (n, m) = (groups[0].rows(), groups[1].rows());
    Some(Unpaired {
        first: interval(a, in_first, resamples, n, (0.0, 1.0))?.within(0.0, 1.0),
        second: interval(b, in_second, resamples, m, (0.0, 1.0))?.within(0.0, 1.0),
        difference: interval(a - b, both, resamples, n.min(m), (-1.0, 1.0))?.within(-1.0, 1.0),
    })
}

/// The permutation test of the same difference: how often a random division of all samples into two such groups differs
/// as much or more. Never 0: the division at hand is one of them.
pub fn permutation_test<T: AsRef<[f64]>>(
    first: &[T],
    second: &[T],
    metric: impl Fn(&[f64]) -> Option<f64>,
    permutations: usize,
    dice: &mut Dice,
) -> Option<f64> {
    let all: Vec<&[f64]> = first.iter().chain(second).map(AsRef::as_ref).collect();
    let tallies = Tallies::new(&[all.as_slice()])?;
    let mut kinds = tallies.kind_of.clone();
    let difference = |kinds: &[u32]| -> Option<f64> {
        let mut inside = vec![0; tallies.counts().len()];
        kinds[..first.len()].iter().for_each(|&kind| inside[kind as usize] += 1);
        let outside: Vec<u64> = tallies.counts().iter().zip(&inside).map(|(all, inside)| all - inside).collect();
        Some(tallies.values(&inside, &metric)?[0] - tallies.values(&outside, &metric)?[0])
    };
    // Rounding must not make a division as large as this one look smaller.
    let limit = difference(&kinds)?.abs() * (1.0 - 1e-12);
    let mut as_large = 1;
    for _ in 0..permutations {
        // Only which samples stand in the first places matters.
        (0..first.len()).for_each(|at| kinds.swap(at, at + dice.below(all.len() - at)));
        as_large += usize::from(difference(&kinds).is_some_and(|difference| difference.abs() >= limit));
    }
    Some(as_large as f64 / (permutations + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(sum: &[f64]) -> Option<f64> {
        (sum[1] > 0.0).then(|| sum[0] / sum[1])
    }

    fn group(right: usize, all: usize) -> Vec<Vec<f64>> {
        (0..all).map(|at| vec![f64::from(u8::from(at < right)), 1.0]).collect()
    }

    #[test]
    fn shares_agree_with_the_closed_forms() {
        let (a, b) = (group(60, 100), group(300, 400));
        let found = unpaired_bootstrap(&a, &b, share, 4000, &mut Dice::new(1, &[])).unwrap();
        let closed = crate::difference((60, 100), (300, 400)).unwrap();
        assert!((found.difference.value - closed.value).abs() < 1e-12);
        assert!((found.difference.low - closed.low).abs() < 0.012, "{found:?} {closed:?}");
        assert!((found.difference.high - closed.high).abs() < 0.012, "{found:?} {closed:?}");
        let p = permutation_test(&a, &b, share, 4000, &mut Dice::new(2, &[])).unwrap();
        let exact = crate::fisher((60, 100), (300, 400));
        assert!((p - exact).abs() < 0.005, "{p} against {exact}");
    }

    #[test]
    fn nothing_outside() {
        assert_eq!(unpaired_bootstrap(&group(1, 2), &[], share, 100, &mut Dice::new(0, &[])), None);
        assert_eq!(permutation_test(&group(1, 2), &[], share, 100, &mut Dice::new(0, &[])), None);
    }
}
