use crate::{Attempt, Constraint, State};

attack_part! { Constraint;
    /// At most a number of letters is inserted, deleted or replaced in the whole sample.
    pub struct Levenshtein {
        /// The most letters.
        most: usize = 30, in 1..=100_000;
    }
}

impl Constraint for Levenshtein {
    fn text(&self, attempt: &Attempt<'_>, state: &State, _: Option<usize>) -> bool {
        // Words are changed one by one, so the distances of words add up to at least that of the texts.
        let edits = state.edits(&attempt.victim);
        let fields = &attempt.victim.sample.fields;
        edits.iter().map(|edit| strsim::levenshtein(edit.span.of(&fields[edit.field].text), &edit.with)).sum::<usize>()
            <= self.most
    }

    fn is_separable(&self) -> bool {
        false
    }
}
