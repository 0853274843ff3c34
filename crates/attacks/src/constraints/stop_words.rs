use crate::words::is_stop_word;
use crate::{Attempt, Constraint};

attack_part! { Constraint;
    /// Words that only serve grammar stay: 179 words of English, whatever their case.
    pub struct StopWords {}
}

impl Constraint for StopWords {
    fn word(&self, attempt: &Attempt<'_>, word: usize) -> bool {
        !is_stop_word(&attempt.victim.word(word).to_lowercase())
    }
}
