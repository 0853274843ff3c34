//! Pairs of an original and a revised text (contrast sets, counterfactuals): is the revision more fragile?

use std::collections::BTreeSet;

use serde::Serialize;

use fissure_statistics::overlap;

/// The bins of a histogram.
const BINS: usize = 40;

/// The lambda_max of both sides of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairScore {
    pub original: f64,
    pub revised: f64,
    /// Whether the original was in the training file; `None` where none was given.
    pub seen: Option<bool>,
}

/// What many pairs show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairSummary {
    pub pairs: usize,
    /// lambda(original) - lambda(revised), as the papers have it: negative where the revision is more fragile.
    pub mean_difference: f64,
    /// Its standard deviation over the pairs.
    pub spread: f64,
    /// The share of pairs whose revision is not more fragile.
    pub not_harder: f64,
    /// The shared area of the two distributions of log lambda_max.
    pub overlap: Option<f64>,
    /// How many originals the model was trained on; `None` where no training file was given.
    pub seen: Option<usize>,
}

/// `None` for no pairs.
pub fn summarise(pairs: &[PairScore]) -> Option<PairSummary> {
    if pairs.is_empty() {
        return None;
    }
    let count = pairs.len() as f64;
    let differences: Vec<f64> = pairs.iter().map(|pair| pair.original - pair.revised).collect();
    let mean = differences.iter().sum::<f64>() / count;
    let square: f64 = differences.iter().map(|value| (value - mean) * (value - mean)).sum();
    let logs = |side: fn(&PairScore) -> f64| pairs.iter().map(|pair| side(pair).ln()).collect::<Vec<_>>();
    let known: Vec<bool> = pairs.iter().filter_map(|pair| pair.seen).collect();
    Some(PairSummary {
        pairs: pairs.len(),
        mean_difference: mean,
        spread: (square / (count - 1.0).max(1.0)).sqrt(),
        not_harder: differences.iter().filter(|value| **value >= 0.0).count() as f64 / count,
        overlap: overlap(&logs(|pair| pair.original), &logs(|pair| pair.revised), BINS),
        seen: (!known.is_empty()).then(|| known.iter().filter(|seen| **seen).count()),
    })
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
        assert_eq!((found.mean_difference, found.spread), (-1.0, 3.0));
        assert!((found.not_harder - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(found.seen, Some(2));
        assert_eq!(summarise(&[]), None);
    }

    #[test]
    fn a_text_is_known_in_other_clothes() {
        let training = Training::new(["A fine film.<br /><br />Go!"]);
        assert!(training.saw("a fine film. Go"));
        assert!(!training.saw("a fine film"));
    }
}
