//! When one word may stand for another: senses that leave little doubt, and words that readers do not stumble over.

use fissure_text::inflection::{self, Kind};
use fissure_text::wordnet::{self, Sense};
use fissure_text::{neighbours, polarity};

use super::known::Known;
use super::near;

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

/// Whether at least that share of the uses of a word is in this sense, by WordNet's tagged texts.
pub(crate) fn is_mostly(sense: Sense, certainty: f64) -> bool {
    let all: f64 = wordnet::all_senses(sense.word()).map(met).sum();
    met(sense) >= certainty * all
}

/// How often the word was met in this sense, by WordNet's tagged texts; half a time more than it was.
fn met(sense: Sense) -> f64 {
    f64::from(sense.frequency()) + 0.5
}

/// Whether a synonym could stand for this word, in some reading of it, if senses must be that certain: a look at the word
/// alone, which spares most words a closer one.
pub(crate) fn has_synonym(word: &str, certainty: f64) -> bool {
    const HALF: f64 = 0.5;
    static EVER: Known = Known::new(|word| has_synonym_in_sense(word, 0.0));
    static MOSTLY: Known = Known::new(|word| has_synonym_in_sense(word, HALF));
    // What is not certain by half is not by more.
    if certainty >= HALF { MOSTLY.of(word) } else { EVER.of(word) }
}

fn has_synonym_in_sense(word: &str, certainty: f64) -> bool {
    could_become(word, certainty, Sense::synonyms, |synonym, form| {
        is_mostly(synonym, certainty) && near::used_alike(word, form)
    })
}

/// Whether the main sense of any reading of a word leads to another word that reads like it, and that `takes`, given its
/// sense and form, takes. A word that is not among the frequent ones is near to none, and could become none.
pub(crate) fn could_become<S: Iterator<Item = Sense>>(
    word: &str,
    certainty: f64,
    others: impl Fn(Sense) -> S,
    takes: impl Fn(Sense, &str) -> bool,
) -> bool {
    let is_frequent = neighbours::frequency_rank(word).is_some();
    let readings = is_frequent.then(|| inflection::readings(word));
    readings.into_iter().flatten().any(|(tag, lemma)| {
        let kind = inflection::slot::of_penn(tag).map(|(kind, _)| kind);
        kind.and_then(|kind| main_sense(lemma, kind, certainty)).is_some_and(|sense| {
            others(sense).any(|other| {
                inflection::inflect(other.word(), tag).is_some_and(|form| {
                    reads_like(Form { form: word, lemma }, Form { form: &form, lemma: other.word() })
                        && takes(other, &form)
                })
            })
        })
    })
}

/// A word in the form in which it stands or would stand, in small letters, and its lemma.
#[derive(Clone, Copy)]
pub(crate) struct Form<'a> {
    pub form: &'a str,
    pub lemma: &'a str,
}

/// Whether the new word reads as naturally as the old one: it is not much rarer, judges the same way, and is no name
/// for the doing where the old one names the thing (`voting` for `vote`), and no plural (`receipts` for `revenue`).
pub(crate) fn reads_like(old: Form<'_>, new: Form<'_>) -> bool {
    let plain = new.form.bytes().all(|byte| byte.is_ascii_lowercase());
    let for_the_doing = new.lemma.ends_with("ing") != old.lemma.ends_with("ing");
    let only_plural = inflection::lemmas(new.lemma, "NNS").next().is_some();
    plain
        && is_about_as_common(old.form, new.form)
        && polarity::of(old.lemma) == polarity::of(new.lemma)
        && !for_the_doing
        && !only_plural
        && !is_left_alone(old.lemma)
        && !is_left_alone(new.lemma)
}

/// Whether one of the noun can be spoken of: texts use its plural. `rueful laughter` needs no article, `rueful laugh` does.
pub(crate) fn is_counted(noun: &str) -> bool {
    let plural = inflection::inflect(noun, "NNS").filter(|_| inflection::is_lemma(noun, "NN"));
    plural.is_some_and(|plural| plural != noun && neighbours::frequency_rank(&plural).is_some())
}

/// Whether a word does more for grammar, for phrases or for the order of things than its senses tell, or is used in
/// another sense than WordNet's texts of the 1960s have it.
pub(crate) fn is_left_alone(lemma: &str) -> bool {
    LEFT_ALONE.contains(&lemma)
}

fn is_about_as_common(old: &str, new: &str) -> bool {
    let Some(new) = neighbours::frequency_rank(new) else { return false };
    let old = neighbours::frequency_rank(old).unwrap_or(u32::MAX / 6);
    new < 20_000 && new <= (6 * old).max(4_000)
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
