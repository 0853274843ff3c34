use super::each_word;
use crate::{Attempt, Constraint, Resource, State};

attack_part! { Constraint;
    /// The new word is near the old one in a space of word vectors.
    pub struct WordDistance {
        /// Least cosine. For vectors of length 1, a squared distance of d is a cosine of 1 - d / 2.
        cosine: f64 = 0.5, in -1.0..=1.0;
        /// Whether two words pass whose cosine no table says.
        unknown_pass: bool = true;
    }
}

impl Constraint for WordDistance {
    fn text(&self, attempt: &Attempt<'_>, state: &State, changed: Option<usize>) -> bool {
        each_word(attempt, state, changed, |_, old, new| {
            attempt.resources().cosine(old, new).map_or(self.unknown_pass, |cosine| cosine >= self.cosine)
        })
    }

    fn needs(&self) -> Vec<Resource> {
        vec![Resource::Vectors]
    }
}
