use fissure_text::function_words;

use crate::{Attempt, Constraint};

attack_part! { Constraint;
    /// Words that serve grammar stay, whatever their case: articles, pronouns, auxiliaries, prepositions, conjunctions.
    pub struct StopWords {}
}

impl Constraint for StopWords {
    fn word(&self, attempt: &Attempt<'_>, word: usize) -> bool {
        !function_words::contains(&attempt.victim.word(word).to_lowercase())
    }
}
