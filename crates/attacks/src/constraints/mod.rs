//! Constraints: what must hold between the original and a changed text.

use fissure_core::Entry;

use crate::{Attempt, Constraint, State};

mod antonyms;
mod column;
mod encoder;
mod facts;
mod fluency;
mod inflection;
mod levenshtein;
mod part_of_speech;
mod repeat;
mod share_of_words;
mod stop_words;
mod validator;
mod word_distance;
mod word_length;

/// Every constraint, in the order of lists.
pub static ALL: &[&Entry<dyn Constraint>] = &[
    &antonyms::ENTRY,
    &column::ENTRY,
    &encoder::ENTRY,
    &facts::ENTRY,
    &fluency::ENTRY,
    &inflection::ENTRY,
    &levenshtein::ENTRY,
    &part_of_speech::ENTRY,
    &repeat::ENTRY,
    &share_of_words::ENTRY,
    &stop_words::ENTRY,
    &validator::ENTRY,
    &word_distance::ENTRY,
    &word_length::ENTRY,
];

/// Whether a check of old and new word holds for the word that changed last, or for all changed ones. Both are in lower
/// letters.
fn each_word(
    attempt: &Attempt<'_>,
    state: &State,
    changed: Option<usize>,
    holds: impl Fn(usize, &str, &str) -> bool,
) -> bool {
    let holds = |word: usize| {
        let new = state.word(&attempt.victim, word).to_lowercase();
        holds(word, &attempt.victim.word(word).to_lowercase(), &new)
    };
    match changed {
        Some(word) => holds(word),
        None => state.words().all(holds),
    }
}
