//! What a word scores by itself, remembered.
//!
//! A text says the same words over and over, and much of what a tagger sees of a word is the word alone. So that part of
//! the score is kept, and only what stands around the word is asked again. What is kept depends on the word and the weights
//! alone: whether it was remembered or worked out cannot be seen.

use crate::perceptron::{Hash, Scores, Weights, mix};
use crate::word_features::WordFeatures;

/// Keeps the scores of the words met lately; a word has one place, where the latest one stays.
#[derive(Debug, Clone)]
pub struct ScoreCache {
    keys: Vec<(WordFeatures, u32)>,
    /// A row of scores for each key.
    scores: Vec<i16>,
    classes: usize,
}

/// The largest number of words in the cache.
const BITS: u32 = 12;
/// The state of a place that holds nothing yet.
const EMPTY: u32 = u32::MAX;

impl ScoreCache {
    /// Room for words that are scored by these weights.
    pub fn new(weights: &Weights) -> Self {
        let classes = weights.labels.len();
        Self { keys: vec![(WordFeatures::default(), EMPTY); 1 << BITS], scores: vec![0; classes << BITS], classes }
    }

    /// What a word in a `state` scores by its `own` features, remembered or worked out; left in `scores`.
    ///
    /// All that the features are made of must be in `look` and `state`.
    pub fn recall<const N: usize>(
        &mut self,
        weights: &Weights,
        look: &WordFeatures,
        state: u32,
        own: impl FnOnce() -> [Hash; N],
        scores: &mut Scores,
    ) {
        let place = mix(0, look.form, Hash(state)).bucket(BITS);
        let known = &mut self.keys[place];
        let row = &mut self.scores[place * self.classes..(place + 1) * self.classes];
        if known.1 == state && known.0 == *look {
            row.iter().zip(scores).for_each(|(known, score)| *score = i32::from(*known));
            return;
        }
        scores[..self.classes].fill(0);
        weights.add(&own(), scores);
        // A sum that is too large to keep stays unknown.
        let fits = row
            .iter_mut()
            .zip(scores.iter())
            .all(|(known, score)| i16::try_from(*score).map(|score| *known = score).is_ok());
        *known = (*look, if fits { state } else { EMPTY });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perceptron::Cell;

    #[test]
    fn memory_cannot_be_seen() {
        let features = |word: u32| [mix(1, Hash(word), Hash(0)), mix(2, Hash(word), Hash(0))];
        let row = |bucket: u32| {
            (
                bucket,
                vec![Cell { class: 0, weight: bucket as i16 }, Cell { class: 2, weight: i16::MAX - bucket as i16 }],
            )
        };
        let weights = Weights::new(vec![0, 1, 2], 8, (0..256).step_by(3).map(row));
        let mut memory = ScoreCache::new(&weights);
        for state in 0..3 {
            for word in (0..9_000).chain(8_500..9_000) {
                let (mut remembered, mut plain) = ([7; 256], [0; 256]);
                let own = || features(word + state);
                memory.recall(&weights, &WordFeatures::of(&format!("w{word}")), state, own, &mut remembered);
                weights.add(&own(), &mut plain);
                assert_eq!(remembered[..3], plain[..3]);
            }
        }
    }
}
