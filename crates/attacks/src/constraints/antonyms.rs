use fissure_text::inflection::{self, Kind};
use fissure_text::wordnet;

use super::each_word;
use crate::{Attempt, Constraint, State};

attack_part! { Constraint;
    /// The new word is not the opposite of the old one, by WordNet.
    pub struct Antonyms {}
}

impl Constraint for Antonyms {
    fn text(&self, attempt: &Attempt<'_>, state: &State, changed: Option<usize>) -> bool {
        let lemmas = |word: &str| {
            let mut lemmas: Vec<String> = inflection::readings(word).map(|(_, lemma)| lemma.to_owned()).collect();
            lemmas.push(word.to_owned());
            lemmas.sort_unstable();
            lemmas.dedup();
            lemmas
        };
        each_word(attempt, state, changed, |_, old, new| {
            let (old, new) = (lemmas(old), lemmas(new));
            let kinds = [Kind::Noun, Kind::Verb, Kind::Adjective, Kind::Adverb];
            let opposed = |one: &String| {
                new.iter().any(|other| kinds.iter().any(|kind| wordnet::are_antonyms(one, other, *kind)))
            };
            !old.iter().any(opposed)
        })
    }
}
