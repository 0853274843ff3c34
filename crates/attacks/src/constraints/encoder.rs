use fissure_core::choices;

use crate::{Attempt, Constraint, Resource, State};

choices! {
    /// How alike two vectors are said to be.
    pub enum Measure { Cosine = "cosine", Angle = "angle" }
}

attack_part! { Constraint;
    /// A sentence encoder finds the changed text like the original.
    pub struct Encoder {
        /// The least likeness.
        least: f64 = 0.8, in -1.0..=1.0;
        /// `cosine`, or `angle`: 1 - acos(cosine) / pi.
        measure: Measure = Measure::Cosine;
        /// How many words around a change are compared; 0 compares whole texts. Texts that are shorter pass.
        window: usize = 0, in 0..=1000;
    }
}

impl Constraint for Encoder {
    fn text(&self, attempt: &Attempt<'_>, state: &State, changed: Option<usize>) -> bool {
        let Some(encoder) = &attempt.resources().for_parts.similarity else { return false };
        let alike = |old: &str, new: &str| {
            encoder.cosine(old, new).is_ok_and(|cosine| {
                let like = match self.measure {
                    Measure::Cosine => cosine,
                    Measure::Angle => 1.0 - cosine.clamp(-1.0, 1.0).acos() / std::f64::consts::PI,
                };
                like >= self.least
            })
        };
        let victim = &attempt.victim;
        if self.window == 0 {
            let new = state.question(victim);
            let mut fields = victim.sample.fields.iter().zip(&new.fields);
            return fields.all(|(old, new)| old.text == new.text || alike(&old.text, &new.text));
        }
        let around = |word: usize| {
            let field = victim.words[word].field;
            let first = victim.words.partition_point(|word| word.field < field);
            let last = victim.words.partition_point(|word| word.field <= field);
            if last - first < self.window {
                return true;
            }
            let from = word.saturating_sub(self.window / 2).clamp(first, last - self.window);
            let to = from + self.window;
            alike(&State::default().window(victim, from, to), &state.window(victim, from, to))
        };
        match changed {
            Some(word) => around(word),
            None => state.words().all(around),
        }
    }

    fn is_separable(&self) -> bool {
        false
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Encoder]
    }
}
