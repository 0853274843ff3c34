use fissure_core::Language;
use fissure_probes::TRANSFORMS;

use crate::{AttackResources, Attempt, Change, Source, State};

attack_part! { Source;
    /// Everything that a transformation of the catalog could make of the word: see `fissure list transforms`.
    pub struct Part {
        /// The name of the transformation.
        name: String = "keyboard".into();
        /// Its knobs: `risk=0.3`, several with commas between.
        set: String = String::new();
    }
}

/// The knobs of a transformation as a recipe writes them; `Err` has what is no knob with a value.
pub(crate) fn settings(set: &str) -> Result<Vec<(String, String)>, String> {
    let knob = |one: &str| match one.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err(one.trim().to_owned()),
    };
    set.split(',').filter(|one| !one.trim().is_empty()).map(knob).collect()
}

impl Source for Part {
    fn changes(&self, attempt: &Attempt<'_>, _: &State, word: usize) -> Vec<Change> {
        let listed = attempt.listed(&format!("{} {}", self.name, self.set), || {
            let (part, _) = TRANSFORMS.find(&self.name).ok()?.build(&settings(&self.set).ok()?).ok()?;
            part.candidates(attempt.victim.sample, &attempt.resources().for_parts)
        });
        listed.get(word).cloned().unwrap_or_default()
    }

    fn languages(&self, _: &AttackResources) -> &'static [Language] {
        TRANSFORMS.find(&self.name).map_or(&[], |entry| entry.card.languages)
    }
}
