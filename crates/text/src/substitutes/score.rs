//! How likely a pair that was not reviewed is fine: a logistic score over what WordNet and the neighbours say of both words.
//!
//! The weights are fitted on the reviewed pairs (`always` and `if` against `never`) by `cargo xtask substitutes fit`.

use super::pool::{Candidate, Source};
use crate::inflection::Kind;
use crate::neighbours;
use crate::wordnet;

/// How many facts the score weighs.
pub const FACTS: usize = 16;

/// The facts of a pair.
#[doc(hidden)]
pub fn facts(lemma: &str, kind: Kind, candidate: &Candidate) -> [f64; FACTS] {
    let new = candidate.lemma;
    let yes = |holds: bool| f64::from(u8::from(holds));
    let shared = |word: &str| {
        let synset = candidate.sense.map(|sense| sense.synset());
        let of_word = wordnet::senses(word, kind).find(|sense| Some(sense.synset()) == synset);
        of_word.map_or(0.0, |sense| f64::from(sense.share()))
    };
    let senses = |word: &str| (1.0 + wordnet::all_senses(word).count() as f64).ln();
    let rank = |word: &str| (10.0 + f64::from(neighbours::frequency_rank(word).unwrap_or(60_000))).ln();
    let near = |one: &str, other: &str| neighbours::of(one).find(|(near, _)| *near == other).map(|(_, like)| like);
    let cosine = near(lemma, new).or_else(|| near(new, lemma)).unwrap_or(0.0);
    let known: Vec<&str> = neighbours::of(lemma).map(|(near, _)| near).collect();
    let common = neighbours::of(new).filter(|(near, _)| known.contains(near)).count();
    [
        1.0,
        yes(candidate.source == Source::Sense(0)),
        yes(candidate.source == Source::Sense(1)),
        yes(matches!(candidate.source, Source::Sense(2..))),
        yes(candidate.source == Source::Similar),
        shared(lemma),
        shared(new),
        senses(lemma),
        senses(new),
        rank(new),
        (rank(new) - rank(lemma)).max(0.0),
        f64::from(cosine),
        common as f64 / 10.0,
        yes(kind == Kind::Noun),
        yes(kind == Kind::Verb),
        yes(kind == Kind::Adverb),
    ]
}

/// The chance that the pair is fine where the word stands, between 0 and 1.
pub(super) fn belief(lemma: &str, kind: Kind, candidate: &Candidate) -> f32 {
    let sum: f64 = facts(lemma, kind, candidate).iter().zip(WEIGHTS).map(|(fact, weight)| fact * weight).sum();
    (1.0 / (1.0 + (-sum).exp())) as f32
}

/// Fitted by `cargo xtask substitutes fit`.
const WEIGHTS: [f64; FACTS] = [
    -1.184, 1.440, 0.871, 0.237, 0.583, 0.777, 1.060, -0.277, -0.428, -0.078, -0.191, 1.074, 0.432, -0.669, 0.066,
    -0.638,
];
