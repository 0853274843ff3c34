//! WordNet: the senses of words with their part of speech in order of frequency, and their synonyms, antonyms and
//! hypernyms by sense.
//!
//! WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. The table is compiled from it by
//! `cargo xtask lexicons`; the licence stands in `lexicons/WORDNET-LICENSE`.

mod table;

use crate::inflection::Kind;
use table::Table;

pub use table::{Source, SynsetSource};

/// A word in one of its senses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sense {
    synset: u32,
    /// Its place among the words of the synset.
    place: u8,
}

/// The senses of a lemma as that kind of word, the most frequent first. A phrase is written with spaces. Case is not
/// regarded.
///
/// ```
/// use fissure_text::{inflection::Kind, wordnet};
/// let car = wordnet::senses("car", Kind::Noun).next().unwrap();
/// assert!(car.synonyms().any(|synonym| synonym.word() == "automobile"));
/// ```
pub fn senses(lemma: &str, kind: Kind) -> impl Iterator<Item = Sense> {
    all_senses(lemma).filter(move |sense| sense.kind() == kind)
}

/// The senses of a lemma as any kind of word: nouns, verbs, adjectives, adverbs.
pub fn all_senses(lemma: &str) -> impl Iterator<Item = Sense> {
    let table = Table::get();
    let id = if lemma.contains(char::is_uppercase) {
        table.words.find(&lemma.to_lowercase())
    } else {
        table.words.find(lemma)
    };
    let senses = id.map_or(&[][..], |id| table.senses.get(id));
    senses.iter().map(|(synset, place)| Sense { synset: *synset, place: *place })
}

/// Whether two lemmas are antonyms in any sense of that kind, also by way of a similar adjective.
pub fn are_antonyms(one: &str, other: &str, kind: Kind) -> bool {
    let opposed = |one: &str, other: &str| {
        senses(one, kind).any(|sense| {
            sense.antonyms().chain(sense.indirect_antonyms()).any(|antonym| antonym.word().eq_ignore_ascii_case(other))
        })
    };
    opposed(one, other) || opposed(other, one)
}

impl Sense {
    /// The word as it is written: `Paris`, `automobile`, `give up`.
    pub fn word(self) -> &'static str {
        self.member().map_or("", |(word, _)| Table::get().words.get(word))
    }

    /// How often the word was met in this sense in WordNet's tagged texts; 0 for most.
    pub fn frequency(self) -> u16 {
        self.member().map_or(0, |(_, count)| count)
    }

    /// The share of the word's uses as this kind that are in this sense, by WordNet's tagged texts. Every sense counts as
    /// met half a time more than it was, so that a word that was never met has equal shares.
    ///
    /// The first sense of an evenly divided word is a guess; a part that must not change the meaning can ask for more.
    pub fn share(self) -> f32 {
        let met = |sense: Sense| f32::from(sense.frequency()) + 0.5;
        met(self) / senses(self.word(), self.kind()).map(met).sum::<f32>()
    }

    /// Which of the word's senses of this kind it is: 0 is the most frequent.
    pub fn rank(self) -> usize {
        senses(self.word(), self.kind()).position(|sense| sense.synset == self.synset).unwrap_or(usize::MAX)
    }

    /// The number of the synset: two senses with the same number are synonyms.
    pub fn synset(self) -> u32 {
        self.synset
    }

    /// The part of speech.
    pub fn kind(self) -> Kind {
        let [nouns, verbs, adjectives, _] = Table::get().ends;
        match self.synset {
            number if number < nouns => Kind::Noun,
            number if number < verbs => Kind::Verb,
            number if number < adjectives => Kind::Adjective,
            _ => Kind::Adverb,
        }
    }

    /// The broad topic: `noun.person`, `verb.motion`.
    pub fn topic(self) -> &'static str {
        let topic = Table::get().topics.get(self.synset as usize).map_or(0, |topic| usize::from(*topic));
        TOPICS.get(topic).copied().unwrap_or("")
    }

    /// The other words of the synset, each in this sense.
    pub fn synonyms(self) -> impl Iterator<Item = Sense> {
        members(self.synset).filter(move |sense| sense.place != self.place)
    }

    /// What this very word is the opposite of in this sense.
    pub fn antonyms(self) -> impl Iterator<Item = Sense> {
        let all = &Table::get().antonyms;
        let from = (self.synset, self.place);
        let start = all.partition_point(|[one, _]| *one < from);
        all[start..]
            .iter()
            .take_while(move |[one, _]| *one == from)
            .map(|[_, (synset, place)]| Sense { synset: *synset, place: *place })
    }

    /// The opposites of adjectives that are similar to this one: `fast` for `sluggish`, through `slow`.
    pub fn indirect_antonyms(self) -> impl Iterator<Item = Sense> {
        let similar = Table::get().similar.get(self.synset);
        similar.iter().flat_map(|synset| members(*synset)).flat_map(Sense::antonyms)
    }

    /// The words of the synsets that are similar to this one, for adjectives: `quick` for `fast`.
    pub fn similar(self) -> impl Iterator<Item = Sense> {
        Table::get().similar.get(self.synset).iter().flat_map(|synset| members(*synset))
    }

    /// The first word of each more general synset: `motor vehicle` for `car`.
    pub fn hypernyms(self) -> impl Iterator<Item = Sense> {
        Table::get().hypernyms.get(self.synset).iter().map(|synset| Sense { synset: *synset, place: 0 })
    }

    fn member(self) -> Option<(u32, u16)> {
        Table::get().members.get(self.synset).get(usize::from(self.place)).copied()
    }
}

fn members(synset: u32) -> impl Iterator<Item = Sense> {
    let count = Table::get().members.get(synset).len();
    (0..count).map(move |place| Sense { synset, place: place as u8 })
}

/// The lexicographer files of WordNet, by number.
const TOPICS: [&str; 45] = [
    "adj.all",
    "adj.pert",
    "adv.all",
    "noun.Tops",
    "noun.act",
    "noun.animal",
    "noun.artifact",
    "noun.attribute",
    "noun.body",
    "noun.cognition",
    "noun.communication",
    "noun.event",
    "noun.feeling",
    "noun.food",
    "noun.group",
    "noun.location",
    "noun.motive",
    "noun.object",
    "noun.person",
    "noun.phenomenon",
    "noun.plant",
    "noun.possession",
    "noun.process",
    "noun.quantity",
    "noun.relation",
    "noun.shape",
    "noun.state",
    "noun.substance",
    "noun.time",
    "verb.body",
    "verb.change",
    "verb.cognition",
    "verb.communication",
    "verb.competition",
    "verb.consumption",
    "verb.contact",
    "verb.creation",
    "verb.emotion",
    "verb.motion",
    "verb.perception",
    "verb.possession",
    "verb.social",
    "verb.stative",
    "verb.weather",
    "adj.ppl",
];

#[cfg(test)]
mod tests;
