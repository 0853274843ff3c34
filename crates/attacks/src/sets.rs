//! The words that an attack may replace each word of a text with, without a question to the model.

use std::sync::Arc;

use fissure_core::{Sample, Span};

use crate::{Attack, Attempt, Questions, State, Target, Verdict};

/// A word of a text by its field and bytes, and what may stand there, the best first.
pub type WordSet = (usize, Span, Vec<Arc<str>>);

/// The candidates for each word of a text alone, as the sources and constraints of an attack leave them. Candidates that change
/// something else along with the word are left out.
pub fn word_sets(attack: &Attack, target: &Target<'_>, sample: &Sample, seed: u64) -> Vec<WordSet> {
    let nothing = Verdict::of_class(0, []);
    let attempt = Attempt::new(sample, 0, attack, Questions::new(target, 0), nothing, (seed, None));
    let original = State::default();
    let mut sets = Vec::new();
    for word in attempt.open_words() {
        let states = attempt.candidates(&original, word);
        let changes = states.iter().filter_map(|state| state.get(word)).filter(|change| change.along.is_empty());
        let with: Vec<Arc<str>> = changes.map(|change| Arc::clone(&change.with)).collect();
        if !with.is_empty() {
            let at = attempt.victim.words[word];
            sets.push((at.field, at.span, with));
        }
    }
    sets
}
