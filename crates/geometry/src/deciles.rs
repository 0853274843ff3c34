//! Accuracy by decile of fragility, and counts of scores by bin.

use fissure_statistics::{Estimate, proportion};

use crate::score::ExampleScore;

impl ExampleScore {
    /// What examples are ranked by: the t of the flip forecast if there is one, else log lambda_max. Without gradients it is
    /// the share of changed forms that flipped the answer, ties by 1 - max p, or 1 - max p alone if nothing was tried.
    pub fn fragility(&self) -> f64 {
        /// Smaller than any difference between shares of less than a thousand forms.
        const TIES: f64 = 1e-3;
        if let Some(t) = self.flip_t {
            return t;
        }
        match (self.log_lambda_max.is_nan(), self.flips.map(|flips| flips.share().unwrap_or(0.0))) {
            (false, _) => self.log_lambda_max,
            (true, None) => self.uncertainty,
            (true, Some(share)) if self.uncertainty.is_nan() => share,
            (true, Some(share)) => share + TIES * self.uncertainty,
        }
    }
}

/// Accuracy by tenth of fragility, the least fragile first: of (fragility, right?). Fewer parts than ten where there are
/// fewer examples; what is not finite is left out.
pub fn accuracy_by_decile(examples: &[(f64, bool)]) -> Vec<Estimate> {
    let mut sorted: Vec<(f64, bool)> = examples.iter().copied().filter(|(score, _)| score.is_finite()).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let parts = sorted.len().min(10);
    let part = |at: usize| &sorted[at * sorted.len() / parts..(at + 1) * sorted.len() / parts];
    let accuracy = |part: &[(f64, bool)]| proportion(part.iter().filter(|(_, right)| *right).count(), part.len());
    (0..parts).filter_map(|at| accuracy(part(at))).collect()
}

/// Counts over equal bins between two ends; what lies beyond an end is counted in its bin, what is not a number nowhere.
pub fn counts(values: impl IntoIterator<Item = f64>, from: f64, to: f64, bins: usize) -> Vec<usize> {
    let mut counts = vec![0; bins.max(1)];
    let last = counts.len() - 1;
    for value in values.into_iter().filter(|value| !value.is_nan()) {
        let share = if to > from { (value - from) / (to - from) } else { 0.0 };
        counts[((share * bins as f64).max(0.0) as usize).min(last)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_by_hand() {
        let examples: Vec<(f64, bool)> = (0..20).rev().map(|at| (f64::from(at), at < 10 || at % 2 == 0)).collect();
        let found = accuracy_by_decile(&examples);
        assert_eq!(found.len(), 10);
        assert_eq!((found[0].value, found[9].value), (1.0, 0.5));
        assert_eq!(accuracy_by_decile(&[(1.0, true), (f64::NAN, true), (0.0, false)]).len(), 2);
        assert!(accuracy_by_decile(&[]).is_empty());
    }

    #[test]
    fn counts_by_hand() {
        let values = [-9.0, 0.0, 0.4, 0.5, 1.0, f64::NAN, f64::NEG_INFINITY, 7.0];
        assert_eq!(counts(values, 0.0, 1.0, 2), [4, 3]);
        assert_eq!(counts([3.0, 3.0], 3.0, 3.0, 4), [2, 0, 0, 0]);
    }
}
