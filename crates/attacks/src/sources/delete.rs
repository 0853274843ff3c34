use crate::{Attempt, Change, Source, State};

attack_part! { Source;
    /// Nothing: the word is deleted, with the space behind it.
    pub struct Delete {}
}

impl Source for Delete {
    fn changes(&self, _: &Attempt<'_>, state: &State, word: usize) -> Vec<Change> {
        if state.get(word).is_some() { Vec::new() } else { vec![Change::new("")] }
    }
}
