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
        let fields = &attempt.victim.sample.fields;
        let replaced = state.replacements(&attempt.victim);
        let distances = replaced.iter().map(|(field, span, with)| distance(span.of(&fields[*field].text), with));
        distances.sum::<usize>() <= self.most
    }

    fn is_separable(&self) -> bool {
        false
    }
}

/// The number of letters to insert, delete or replace. What two words begin and end with alike costs nothing; a slip leaves
/// little between.
fn distance(old: &str, new: &str) -> usize {
    let start = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).map(|(letter, _)| letter.len_utf8()).sum();
    let (old, new) = (&old[start..], &new[start..]);
    let ends = old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b);
    let end: usize = ends.map(|(letter, _)| letter.len_utf8()).sum();
    match (&old[..old.len() - end], &new[..new.len() - end]) {
        ("", rest) | (rest, "") => rest.chars().count(),
        (old, new) => strsim::levenshtein(old, new),
    }
}

#[cfg(test)]
mod tests {
    use super::distance;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_shortcut_changes_no_distance(old in "[abé]{0,7}", new in "[abé]{0,7}") {
            prop_assert_eq!(distance(&old, &new), strsim::levenshtein(&old, &new));
        }
    }
}
