//! A cache of yes-or-no answers about words: whether a word can be swapped is asked of every word of every text.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use fissure_text::neighbours;

/// A question about lower-case words. For the 40,000 most frequent words the answers are kept.
///
/// The answer must depend on the word alone: whether it was kept or found out cannot be seen.
pub(crate) struct WordCache {
    ask: fn(&str) -> bool,
    /// By the rank of the word: 0 for not asked yet, 1 for no, 2 for yes.
    answers: OnceLock<Box<[AtomicU8]>>,
}

/// The number of words that have a rank.
const MOST: usize = 40_000;

impl WordCache {
    pub const fn new(ask: fn(&str) -> bool) -> Self {
        Self { ask, answers: OnceLock::new() }
    }

    /// The answer for a lower-case word.
    pub fn of(&self, word: &str) -> bool {
        let answers = self.answers.get_or_init(|| (0..MOST).map(|_| AtomicU8::new(0)).collect());
        let Some(kept) = neighbours::frequency_rank(word).and_then(|rank| answers.get(rank as usize)) else {
            return (self.ask)(word);
        };
        match kept.load(Ordering::Relaxed) {
            0 => {
                let answer = (self.ask)(word);
                kept.store(1 + u8::from(answer), Ordering::Relaxed);
                answer
            }
            known => known == 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_for_frequent_words_and_right_for_all() {
        static SHORT: WordCache = WordCache::new(|word| word.len() < 4);
        for _ in 0..2 {
            assert!(SHORT.of("the") && !SHORT.of("house"));
            assert!(SHORT.of("zqx") && !SHORT.of("zqxzqx"), "words that have no rank");
        }
    }
}
