//! What words alone show about articles: which nouns are about things one can point at, and which words leave no choice.

use fissure_text::inflection::{self, Kind};
use fissure_text::wordnet;

use crate::support::word_cache::WordCache;

/// So much of a noun's uses make its meaning.
const MOSTLY: f64 = 0.75;

/// People, groups, places and things: what one can point at.
const POINTED_AT: [&str; 9] = [
    "noun.Tops",
    "noun.person",
    "noun.group",
    "noun.location",
    "noun.artifact",
    "noun.object",
    "noun.animal",
    "noun.plant",
    "noun.food",
];

pub(super) fn is_pointed_at(noun: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|noun| share(noun, &POINTED_AT) >= MOSTLY);
    KNOWN.of(noun)
}

/// Whether it is something that is said, done or thought, or that happens.
pub(super) fn is_reported_of(noun: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|noun| {
        share(noun, &["noun.communication", "noun.act", "noun.event", "noun.cognition"]) >= MOSTLY
    });
    KNOWN.of(noun)
}

pub(super) fn is_someone(noun: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|noun| share(noun, &["noun.person", "noun.group"]) >= MOSTLY);
    KNOWN.of(noun)
}

pub(super) fn is_measured(noun: &str) -> bool {
    static KNOWN: WordCache = WordCache::new(|noun| share(noun, &["noun.quantity", "noun.time"]) >= MOSTLY);
    KNOWN.of(noun)
}

/// The share of the uses of a noun in which it is of one of these topics, by WordNet. Uses as an adjective count too:
/// behind an article, tags mistake one for the other (`a trifle stiff`).
fn share(noun: &str, topics: &[&str]) -> f64 {
    let (mut of_these, mut all) = (0.0, 0.0);
    for sense in wordnet::all_senses(noun).filter(|sense| matches!(sense.kind(), Kind::Noun | Kind::Adjective)) {
        let met = f64::from(sense.frequency()) + 0.5;
        all += met;
        of_these += if topics.contains(&sense.topic()) { met } else { 0.0 };
    }
    if all > 0.0 { of_these / all } else { 0.0 }
}

/// Whether it can be a comparative or a superlative, whatever the tagger took it for: `the funniest thing`.
pub(super) fn is_compared(word: &str) -> bool {
    let from = |tag| inflection::lemmas(word, tag).any(|lemma| lemma != word);
    (word.ends_with("est") && from("JJS")) || (word.ends_with("er") && from("JJR"))
}

/// Words before a noun that make it any of its kind.
pub(super) const OF_A_KIND: [&str; 11] =
    ["certain", "mere", "single", "typical", "average", "different", "similar", "little", "kind", "sort", "whole"];

/// Words behind a noun that make another thing of it (`a host of`) or a kind (`a man like him`).
pub(super) const ENLARGING: [&str; 6] = ["of", "or", "like", "such", "as", "than"];

/// Verbs behind which `a` says what kind something is, or what is not there yet.
pub(super) const LINKS: [&str; 27] = [
    "be", "'s", "become", "seem", "remain", "look", "feel", "sound", "have", "call", "name", "make", "consider",
    "need", "want", "seek", "lack", "expect", "demand", "deserve", "include", "feature", "suggest", "plan", "allow",
    "require", "come",
];

/// Verbs that say little without their object: `take a bow`.
pub(super) const LIGHT: [&str; 6] = ["do", "give", "take", "get", "keep", "pay"];

/// Verbs that bring about what they speak of: `play a part`.
pub(super) const BRINGING: [&str; 15] = [
    "put", "play", "hold", "set", "cast", "find", "show", "create", "offer", "provide", "deal", "claim", "mark",
    "score", "earn",
];

/// Words that open a clause.
pub(super) const CLAUSES: [&str; 14] = [
    "when", "after", "while", "because", "where", "why", "how", "that", "before", "until", "since", "once", "but",
    "and",
];

/// Prepositions that compare or deny.
pub(super) const ALIKE: [&str; 5] = ["as", "like", "unlike", "than", "without"];

/// Prepositions that, behind a noun, say which one is meant.
pub(super) const TELLING: [&str; 15] = [
    "in", "on", "at", "from", "by", "with", "near", "between", "against", "into", "about", "over", "inside", "outside",
    "behind",
];

/// Words that make all that follows one of what may be.
pub(super) const CONDITIONS: [&str; 5] = ["if", "unless", "whether", "would", "imagine"];

/// Words that make what follows soon one of what may be, or is not, or is so of all.
pub(super) const SUPPOSED: [&str; 29] = [
    "like", "as", "than", "not", "n't", "no", "nor", "never", "hardly", "without", "could", "should", "might", "may",
    "can", "must", "there", "every", "each", "any", "such", "ever", "perhaps", "maybe", "probably", "much", "too",
    "enough", "you",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_is_what_most_of_its_uses_are() {
        for noun in ["car", "lawyer", "village", "dog", "company"] {
            assert!(is_pointed_at(noun) && !is_reported_of(noun), "{noun}");
        }
        for noun in ["report", "plan", "explosion", "strike"] {
            assert!(is_reported_of(noun) && !is_pointed_at(noun), "{noun}");
        }
        // Of many meanings, an adjective more often than a noun, and no word at all.
        for noun in ["place", "stiff", "zqxzqx", ""] {
            assert!(!is_pointed_at(noun) && !is_reported_of(noun), "{noun}");
        }
        assert!(is_someone("lawyer") && !is_someone("car") && is_measured("month") && !is_measured("car"));
    }

    #[test]
    fn nouns_that_end_like_comparatives_are_none() {
        assert!(is_compared("closer") && is_compared("funniest"));
        assert!(!is_compared("driver") && !is_compared("forest"));
    }
}
