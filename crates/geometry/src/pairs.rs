//! Pairs of an original and a revised text (contrast sets, counterfactuals): is the revision more fragile?

use std::collections::BTreeSet;

use serde::Serialize;

use fissure_statistics::{Estimate, mean, overlap, proportion};

/// The bins of a histogram.
pub(crate) const BINS: usize = 40;

/// The lambda_max of both sides of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairScore {
    pub original: f64,
    pub revised: f64,
    /// Whether the original was in the training file; `None` if none was given.
    pub seen: Option<bool>,
}

/// What many pairs show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairSummary {
    pub pairs: usize,
    /// lambda(original) - lambda(revised), as the papers have it: negative where the revision is more fragile.
    pub mean_difference: Estimate,
    /// Its standard deviation over the pairs.
    pub spread: f64,
    /// The share of pairs whose revision is not more fragile.
    pub not_harder: Estimate,
    /// The shared area of the two distributions of log lambda_max.
    pub overlap: Option<f64>,
    /// How many originals the model was trained on; `None` if no training file was given.
    pub seen: Option<usize>,
}

/// `None` for fewer than two pairs.
pub fn summarise(pairs: &[PairScore]) -> Option<PairSummary> {
    let count = pairs.len() as f64;
    let differences: Vec<f64> = pairs.iter().map(|pair| pair.original - pair.revised).collect();
    let average = mean(&differences)?;
    let square: f64 = differences.iter().map(|value| (value - average.value) * (value - average.value)).sum();
    let logs = |side: fn(&PairScore) -> f64| pairs.iter().map(|pair| side(pair).ln()).collect::<Vec<_>>();
    let known: Vec<bool> = pairs.iter().filter_map(|pair| pair.seen).collect();
    Some(PairSummary {
        pairs: pairs.len(),
        mean_difference: average,
        spread: (square / (count - 1.0).max(1.0)).sqrt(),
        not_harder: proportion(differences.iter().filter(|value| **value >= 0.0).count(), pairs.len())?,
        overlap: overlap(&logs(|pair| pair.original), &logs(|pair| pair.revised), BINS),
        seen: (!known.is_empty()).then(|| known.iter().filter(|seen| **seen).count()),
    })
}

/// Several distributions over common bins.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Histogram {
    /// The ends of the range, which the bins divide evenly.
    pub low: f64,
    pub high: f64,
    pub series: Vec<Series>,
}

/// One distribution: the share of its values in each bin.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    pub name: &'static str,
    pub shares: Vec<f64>,
}

/// The shares of values in `bins` equal parts of the range of all of them; `None` if no value is finite.
pub fn histogram(series: &[(&'static str, &[f64])], bins: usize) -> Option<Histogram> {
    let finite = |values: &[f64]| values.iter().copied().filter(|value| value.is_finite()).collect::<Vec<_>>();
    let series: Vec<(&'static str, Vec<f64>)> = series.iter().map(|(name, values)| (*name, finite(values))).collect();
    let all = || series.iter().flat_map(|(_, values)| values.iter().copied());
    let (low, high) = (all().reduce(f64::min)?, all().reduce(f64::max)?);
    let shares = |values: &[f64]| {
        let mut shares = vec![0.0; bins];
        for value in values {
            let at = if high > low { ((value - low) / (high - low) * bins as f64) as usize } else { 0 };
            if let Some(share) = shares.get_mut(at.min(bins.saturating_sub(1))) {
                *share += 1.0 / values.len() as f64;
            }
        }
        shares
    };
    let series = series.iter().map(|(name, values)| Series { name, shares: shares(values) }).collect();
    Some(Histogram { low, high, series })
}

/// Knows which texts a model was trained on.
#[derive(Debug, Clone, Default)]
pub struct Training(BTreeSet<String>);

impl Training {
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self(texts.into_iter().map(essence).collect())
    }

    /// Whether the text was among them, but for case, punctuation and white space: copies of a data set differ in those.
    pub fn saw(&self, text: &str) -> bool {
        self.0.contains(&essence(text))
    }
}

fn essence(text: &str) -> String {
    text.replace("<br />", " ").chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_pairs_by_hand() {
        let pair = |original, revised, seen| PairScore { original, revised, seen: Some(seen) };
        let found = summarise(&[pair(1.0, 2.0, true), pair(3.0, 1.0, false), pair(1.0, 5.0, true)]).unwrap();
        // Differences -1, 2, -4: mean -1, squares 0 + 9 + 9 over 2.
        assert_eq!((found.mean_difference.value, found.spread), (-1.0, 3.0));
        // -1 -+ 4.3027 * 3 / sqrt(3).
        assert!((found.mean_difference.low + 8.4525).abs() < 1e-3, "{found:?}");
        assert!((found.not_harder.value - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(found.seen, Some(2));
        assert_eq!(summarise(&[]), None);
    }

    #[test]
    fn shares_of_bins_by_hand() {
        let found = histogram(&[("a", &[0.0, 1.0, 2.0, f64::NEG_INFINITY]), ("b", &[4.0])], 2).unwrap();
        assert_eq!((found.low, found.high), (0.0, 4.0));
        assert!((found.series[0].shares[0] - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(found.series[1].shares, [0.0, 1.0]);
        assert_eq!(histogram(&[("a", &[f64::NAN])], 2), None);
    }

    #[test]
    fn a_text_is_known_in_other_clothes() {
        let training = Training::new(["A fine film.<br /><br />Go!"]);
        assert!(training.saw("a fine film. Go"));
        assert!(!training.saw("a fine film"));
    }
}
