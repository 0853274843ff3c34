use fissure_probes::VALIDATORS;

use crate::{Attempt, Constraint, Resource, State};

attack_part! { Constraint;
    /// A validator gives the changed text at least a score: see `fissure list validators`.
    pub struct Validator {
        /// The name of the validator.
        name: String = "edit_distance".into();
        /// The least score.
        least: f64 = 0.7, in 0.0..=1.0;
    }
}

impl Constraint for Validator {
    fn text(&self, attempt: &Attempt<'_>, state: &State, _: Option<usize>) -> bool {
        let Some((part, _)) = VALIDATORS.find(&self.name).ok().and_then(|entry| entry.build(&[]).ok()) else {
            return false;
        };
        let new = state.question(&attempt.victim);
        part.score(attempt.victim.sample, &new, &attempt.resources().for_parts).is_ok_and(|score| score >= self.least)
    }

    fn is_separable(&self) -> bool {
        false
    }

    fn needs(&self) -> Vec<Resource> {
        match self.name.as_str() {
            "similarity" => vec![Resource::Encoder],
            "fluency" => vec![Resource::CausalModel],
            _ => Vec::new(),
        }
    }
}
