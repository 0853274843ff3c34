//! A yes or no about words, found out once: whether a word can be swapped at all is asked of every word of every text.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use fissure_text::neighbours;

/// A question about lower-case words. For the 40,000 most frequent words the answers are kept.
///
/// The answer must depend on the word alone: whether it was kept or found out cannot be seen.
pub(crate) struct Known {
    ask: fn(&str) -> bool,
    /// By the rank of the word: 0 where nobody asked yet, else 1 for no and 2 for yes.
    answers: OnceLock<Box<[AtomicU8]>>,
}

/// So many words have a rank.
const MOST: usize = 40_000;

impl Known {
    pub const fn new(ask: fn(&str) -> bool) -> Self {
        Self { ask, answers: OnceLock::new() }
    }

    /// The answer for a word in small letters.
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
        static SHORT: Known = Known::new(|word| word.len() < 4);
        for _ in 0..2 {
            assert!(SHORT.of("the") && !SHORT.of("house"));
            assert!(SHORT.of("zqx") && !SHORT.of("zqxzqx"), "words that have no rank");
        }
    }
}
