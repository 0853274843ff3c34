//! The smallest honest learner: logistic regression on the set of words of a text, by stochastic gradient descent.

use std::collections::{BTreeMap, BTreeSet};

pub(super) struct WordCounter {
    weights: BTreeMap<String, f64>,
    bias: f64,
}

impl WordCounter {
    /// Ten passes in the order given, with a small step and a pull towards zero.
    pub fn train<'a>(examples: impl Iterator<Item = (&'a str, bool)>) -> Self {
        let examples: Vec<(BTreeSet<String>, f64)> =
            examples.map(|(text, positive)| (words(text), f64::from(u8::from(positive)))).collect();
        let mut model = Self { weights: BTreeMap::new(), bias: 0.0 };
        for pass in 1..=10 {
            let step = 0.3 / f64::from(pass);
            for (words, target) in &examples {
                let miss = target - 1.0 / (1.0 + (-model.score(words)).exp());
                model.bias += step * miss;
                for word in words {
                    let weight = model.weights.entry(word.clone()).or_default();
                    *weight += step * (miss - 1e-3 * *weight);
                }
            }
        }
        model
    }

    pub fn positive(&self, text: &str) -> bool {
        self.score(&words(text)) > 0.0
    }

    fn score(&self, words: &BTreeSet<String>) -> f64 {
        self.bias + words.iter().filter_map(|word| self.weights.get(word)).sum::<f64>()
    }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
