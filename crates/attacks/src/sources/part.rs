use fissure_core::Language;
use fissure_probes::TRANSFORMS;

use crate::{AttackResources, Attempt, Change, Source, State};

attack_part! { Source;
    /// Everything that a transformation of the catalog could make of the word: see `fissure list transforms`.
    pub struct Part {
        /// The name of the transformation.
        name: String = "keyboard".into();
    }
}

impl Source for Part {
    fn changes(&self, attempt: &Attempt<'_>, _: &State, word: usize) -> Vec<Change> {
        let listed = attempt.listed(&self.name, || {
            let (part, _) = TRANSFORMS.find(&self.name).ok()?.build(&[]).ok()?;
            part.candidates(attempt.victim.sample, &attempt.resources().for_parts)
        });
        listed.get(word).cloned().unwrap_or_default()
    }

    fn languages(&self, _: &AttackResources) -> &'static [Language] {
        TRANSFORMS.find(&self.name).map_or(&[], |entry| entry.card.languages)
    }
}
