//! Words that might replace a word: WordNet's synonyms of its first senses, adjectives similar to it, and its close
//! neighbours. Most of them do not fit; the reviewed table and the score say which do.

use crate::inflection::{self, Kind};
use crate::polarity;
use crate::wordnet::{self, Sense};
use crate::{Penn, neighbours};

/// How many senses of a word are looked at.
pub const SENSES: usize = 4;

/// The least cosine of a neighbour that WordNet does not know as a synonym.
const NEAR: f32 = 0.62;

/// Substitutes rarer than this rank stay out.
const RAREST: u32 = 25_000;

/// Where a candidate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A synonym in this sense of the word, counted from 0.
    Sense(u8),
    /// An adjective similar to the word in its first or second sense.
    Similar,
    /// A close neighbour in a space of word vectors.
    Near,
}

/// A word that might replace another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The dictionary form.
    pub lemma: &'static str,
    pub source: Source,
    /// The sense that both words have, for a synonym.
    pub sense: Option<Sense>,
}

/// The candidates for a lower-case lemma as that kind of word, the best source first, each once.
pub fn candidates(lemma: &str, kind: Kind) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let senses: Vec<Sense> = wordnet::senses(lemma, kind).take(SENSES).collect();
    let synonyms = senses
        .iter()
        .zip(0u8..)
        .flat_map(|(sense, rank)| sense.synonyms().map(move |other| (other.word(), Source::Sense(rank), Some(other))));
    let similar = senses.iter().take(2).flat_map(|sense| sense.similar());
    let similar = similar.map(|other| (other.word(), Source::Similar, Some(other)));
    let near = neighbours::of(lemma).filter(|(word, likeness)| *likeness >= NEAR && is_of_kind(word, kind));
    let near = near.map(|(word, _)| (word, Source::Near, None));
    for (word, source, sense) in synonyms.chain(similar).chain(near) {
        let known = found.iter().any(|candidate| candidate.lemma == word);
        if !known && may_replace(lemma, word, kind) {
            found.push(Candidate { lemma: word, source, sense });
        }
    }
    found
}

/// Whether a word is of that kind in its base form.
fn is_of_kind(word: &str, kind: Kind) -> bool {
    wordnet::senses(word, kind).next().is_some() && !is_inflected(word)
}

/// Whether a word is a form of another: `films`, `went`.
fn is_inflected(word: &str) -> bool {
    inflection::readings(word).any(|(_, lemma)| lemma != word) && {
        !inflection::readings(word).any(|(tag, lemma)| lemma == word && matches!(tag, "NN" | "VB" | "JJ" | "RB"))
    }
}

/// What must hold of any pair: one plain, known word that does not judge the other way and is no plural or `-ing` form
/// where the old noun is none.
pub(super) fn may_replace(old: &str, new: &str, kind: Kind) -> bool {
    new != old
        && new.len() >= 3
        && new.bytes().all(|byte| byte.is_ascii_lowercase())
        && neighbours::frequency_rank(new).is_some_and(|rank| rank < RAREST)
        && !judge_otherwise(old, new)
        && (kind != Kind::Noun || same_number(old, new))
        && !wordnet::are_antonyms(old, new, kind)
}

fn judge_otherwise(old: &str, new: &str) -> bool {
    match (polarity::of(old), polarity::of(new)) {
        (Some(old), Some(new)) => old != new,
        _ => false,
    }
}

/// Whether both nouns are plain singulars or both are not: `receipts` does not replace `revenue`, `voting` not `vote`.
fn same_number(old: &str, new: &str) -> bool {
    let plural_only = |noun: &str| inflection::lemmas(noun, Penn::Nns.as_str()).any(|lemma| lemma != noun);
    plural_only(old) == plural_only(new) && old.ends_with("ing") == new.ends_with("ing")
}
