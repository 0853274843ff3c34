use std::collections::BTreeSet;

use fissure_core::Language;
use fissure_text::inflection;
use fissure_text::wordnet::{self, Sense};

use crate::{AttackResources, Attempt, Change, Source, State};

attack_part! { Source;
    /// All one-word lemmas of all synsets that WordNet has for the word, in the order of the alphabet.
    pub struct Synonyms {
        /// Whether the lemma must be of a part of speech that the word can have, in the form of the word.
        inflected: bool = false;
    }
}

impl Source for Synonyms {
    fn changes(&self, attempt: &Attempt<'_>, state: &State, word: usize) -> Vec<Change> {
        let now = state.word(&attempt.victim, word);
        let small = now.to_lowercase();
        let mut lemmas: BTreeSet<(&str, String)> =
            inflection::readings(&small).map(|(tag, lemma)| (tag, lemma.to_owned())).collect();
        lemmas.insert(("", small.clone()));
        let mut words: BTreeSet<String> = BTreeSet::new();
        for (tag, lemma) in lemmas {
            let kind = inflection::slot::of_penn(tag).map(|(kind, _)| kind);
            let of_kind = |sense: &Sense| kind.is_none_or(|kind| sense.kind() == kind);
            for sense in wordnet::all_senses(&lemma).filter(of_kind) {
                let others = sense.synonyms().map(Sense::word).chain([sense.word()]);
                for other in others.filter(|other| !other.contains([' ', '_']) && !other.eq_ignore_ascii_case(&small)) {
                    match self.inflected {
                        false => _ = words.insert(other.to_owned()),
                        true => words.extend(inflection::inflect(other, tag).map(std::borrow::Cow::into_owned)),
                    }
                }
            }
        }
        words.into_iter().map(|new| crate::resources::follow(now, &new)).collect()
    }

    fn languages(&self, _: &AttackResources) -> &'static [Language] {
        &[Language::English]
    }
}
