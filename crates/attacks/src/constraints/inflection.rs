use fissure_text::{function_words, inflection};

use super::each_word;
use crate::{Attempt, Constraint, State};

attack_part! { Constraint;
    /// The new word can stand in the form of the old one: a plural for a plural, a past tense for a past tense.
    ///
    /// Another form of the same word takes its place only if it is every form that the old one is: some tables count `flight` among the
    /// plurals, and `37 flight` is none. A word that serves grammar (`or`, `where`) takes the place of no other word.
    pub struct Inflection {}
}

impl Constraint for Inflection {
    fn text(&self, attempt: &Attempt<'_>, state: &State, changed: Option<usize>) -> bool {
        each_word(attempt, state, changed, |_, old, new| {
            if function_words::contains(new) && !function_words::contains(old) {
                return false;
            }
            stands_for(old, new)
        })
    }
}

/// What a lower-case word can be: the tag and the lemma. Some tables count `flight` among the plurals of `flight`; one that is not the usual
/// plural is none here.
fn readings(word: &str) -> Vec<(&'static str, &'static str)> {
    let usual = |lemma: &str| inflection::inflections(lemma, "NNS").next();
    inflection::readings(word)
        .filter(|(tag, lemma)| *tag != "NNS" || *lemma != word || usual(lemma).is_none_or(|usual| usual == word))
        .collect()
}

/// Whether a word can stand in the form of another; both are in lower case.
fn stands_for(old: &str, new: &str) -> bool {
    let (old, new) = (readings(old), readings(new));
    // What the table does not know has no form to keep.
    if old.is_empty() {
        return true;
    }
    let has = |tags: &[(&str, &str)], tag: &str| tags.iter().any(|(known, _)| *known == tag);
    let same_word = old.iter().any(|(_, lemma)| new.iter().any(|(_, other)| other == lemma));
    match same_word {
        true => old.iter().all(|(tag, _)| has(&new, tag)) && new.iter().all(|(tag, _)| has(&old, tag)),
        false => new.iter().any(|(tag, _)| has(&old, tag)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_form_of_the_same_word_is_another_form() {
        for (old, new) in
            [("flights", "trips"), ("flight", "trip"), ("said", "told"), ("big", "large"), ("zibbed", "told")]
        {
            assert!(stands_for(old, new), "{old} {new}");
        }
        for (old, new) in
            [("flights", "flight"), ("flight", "flights"), ("said", "say"), ("trips", "flight"), ("told", "tells")]
        {
            assert!(!stands_for(old, new), "{old} {new}: {:?}", readings(new));
        }
    }
}
