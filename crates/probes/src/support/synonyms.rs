//! When one word may stand for another: senses that leave little doubt, and words that readers do not stumble over.

use fissure_text::inflection::{self, Kind};
use fissure_text::wordnet::{self, Sense};
use fissure_text::{neighbours, polarity};

/// The first sense of a word as that kind, if at least that share of all its uses, as any kind of word, is in this sense.
/// Counting all kinds also guards against a tag that is wrong.
pub(crate) fn main_sense(lemma: &str, kind: Kind, certainty: f64) -> Option<Sense> {
    // Most words that are asked about fail here, so the table is asked once.
    let mut first = None;
    let mut all = 0.0;
    for sense in wordnet::all_senses(lemma) {
        all += met(sense);
        if first.is_none() && sense.kind() == kind {
            first = Some(sense);
        }
    }
    first.filter(|sense| met(*sense) >= certainty * all)
}

/// How often the word was met in this sense, by WordNet's tagged texts; half a time more than it was.
fn met(sense: Sense) -> f64 {
    f64::from(sense.frequency()) + 0.5
}

/// A word in the form in which it stands or would stand, in lower case, and its lemma.
#[derive(Clone, Copy)]
pub(crate) struct Form<'a> {
    pub form: &'a str,
    pub lemma: &'a str,
}

/// Whether the new word reads as naturally as the old one: it is not much rarer, judges the same way, and, of nouns, is
/// no name for the doing where the old one names the thing (`voting` for `vote`), and no plural (`receipts` for `revenue`).
pub(crate) fn reads_like(old: Form<'_>, new: Form<'_>, kind: Kind) -> bool {
    let plain = new.form.bytes().all(|byte| byte.is_ascii_lowercase());
    plain
        && is_about_as_common(old.form, new.form)
        && polarity::of(old.lemma) == polarity::of(new.lemma)
        && (kind != Kind::Noun || is_same_number(old.lemma, new.lemma))
        && !is_left_alone(old.lemma)
        && !is_left_alone(new.lemma)
}

/// Whether both nouns are plain singulars, or neither. A plural has another lemma; the table also lists some nouns as their
/// own plural (`film`), which says nothing.
fn is_same_number(old: &str, new: &str) -> bool {
    let is_plural = |noun: &str| inflection::lemmas(noun, "NNS").any(|lemma| lemma != noun);
    old.ends_with("ing") == new.ends_with("ing") && is_plural(old) == is_plural(new)
}

/// Whether a word does more for grammar, for phrases or for the order of things than its senses tell, or is used in
/// another sense than WordNet's texts of the 1960s have it.
pub(crate) fn is_left_alone(lemma: &str) -> bool {
    LEFT_ALONE.contains(&lemma)
}

fn is_about_as_common(old: &str, new_form: &str) -> bool {
    let Some(new) = neighbours::frequency_rank(new_form) else { return false };
    let rank = neighbours::frequency_rank(old).unwrap_or(u32::MAX / 20);
    // A close neighbour may be rarer: readers meet it where they meet the word.
    let is_close = neighbours::of(old).any(|(near, like)| near == new_form && like >= 0.7);
    if is_close { new < 25_000 && new <= (20 * rank).max(4_000) } else { new < 20_000 && new <= (6 * rank).max(4_000) }
}

const LEFT_ALONE: [&str; 71] = [
    "also",
    "anybody",
    "anyone",
    "as",
    "away",
    "be",
    "behind",
    "but",
    "come",
    "director",
    "do",
    "even",
    "ever",
    "everybody",
    "everyone",
    "far",
    "first",
    "get",
    "give",
    "go",
    "have",
    "however",
    "just",
    "keep",
    "kind",
    "last",
    "let",
    "little",
    "lot",
    "make",
    "manager",
    "many",
    "more",
    "most",
    "much",
    "never",
    "next",
    "nobody",
    "not",
    "off",
    "only",
    "other",
    "own",
    "percent",
    "put",
    "quite",
    "rather",
    "same",
    "say",
    "second",
    "set",
    "so",
    "somebody",
    "someone",
    "sort",
    "still",
    "such",
    "take",
    "tell",
    "than",
    "then",
    "there",
    "thing",
    "third",
    "too",
    "turn",
    "ultra",
    "very",
    "way",
    "well",
    "yet",
];
