use fissure_text::{function_words, inflection};

use super::each_word;
use crate::{Attempt, Constraint, State};

attack_part! { Constraint;
    /// The new word can stand in the form of the old one: a plural for a plural, a past tense for a past tense.
    ///
    /// A word that serves grammar (`or`, `where`) takes the place of no other word.
    pub struct Inflection {}
}

impl Constraint for Inflection {
    fn text(&self, attempt: &Attempt<'_>, state: &State, changed: Option<usize>) -> bool {
        each_word(attempt, state, changed, |_, old, new| {
            if function_words::contains(new) && !function_words::contains(old) {
                return false;
            }
            let tags = |word: &str| inflection::readings(word).map(|(tag, _)| tag).collect::<Vec<_>>();
            let (old, new) = (tags(old), tags(new));
            // What the table does not know has no form to keep.
            old.is_empty() || new.iter().any(|tag| old.contains(tag))
        })
    }
}
