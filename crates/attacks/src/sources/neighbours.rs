use fissure_core::Language;

use crate::resources::follow;
use crate::{AttackResources, Attempt, Change, Resource, Source, State};

attack_part! { Source;
    /// The nearest words in a space of word vectors, cased like the word.
    ///
    /// By `--synonyms FILE`, else by `--vectors FILE`, else by a built-in table of at most 10 a word.
    pub struct Neighbours {
        /// How many of the nearest.
        count: usize = 50, in 1..=1000;
        /// Least cosine; words without one pass.
        cosine: f64 = 0.0, in 0.0..=1.0;
    }
}

impl Source for Neighbours {
    fn changes(&self, attempt: &Attempt<'_>, state: &State, word: usize) -> Vec<Change> {
        let now = state.word(&attempt.victim, word);
        let mut changes = Vec::new();
        attempt.resources().near(&now.to_lowercase(), |near, like| {
            if changes.len() < self.count && like.is_none_or(|like| like >= self.cosine) {
                changes.push(follow(now, near));
            }
        });
        changes
    }

    fn languages(&self, resources: &AttackResources) -> &'static [Language] {
        let own = resources.synonyms.is_some() || resources.for_parts.neighbours.is_some();
        if own { &[Language::Any] } else { &[Language::English] }
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Vectors]
    }
}
