use fissure_core::Word;

use crate::{Attempt, Constraint};

attack_part! { Constraint;
    /// Short words stay.
    pub struct WordLength {
        /// The fewest letters of a word that may be changed.
        least: usize = 4, in 1..=100;
    }
}

impl Constraint for WordLength {
    fn word(&self, attempt: &Attempt<'_>, word: usize) -> bool {
        Word { text: attempt.victim.word(word), span: attempt.victim.words[word].span }.letter_count() >= self.least
    }
}
