//! The lexicon of substitutions, as the parts that swap words ask it.

use fissure_core::Dice;
use fissure_text::inflection::{self, Kind};
use fissure_text::substitutes::{self, Substitute, Verdict};
use fissure_text::{Penn, neighbours};

use super::annotated::Annotated;
use super::draw_words::{Drawn, Lemma};
use super::word_cache::WordCache;

/// Up to this risk only reviewed pairs are taken, so one answer a word is enough.
const REVIEWED: f64 = 0.2;

/// Whether something could replace this word, in some reading of it, at that risk: a look at the word alone, which spares
/// most words a closer one.
pub(crate) fn is_possible(word: &str, risk: f64) -> bool {
    static REVIEWED_ONES: WordCache = WordCache::new(|word| has_substitute(word, REVIEWED));
    static ANY: WordCache = WordCache::new(|word| has_substitute(word, 1.0));
    if risk <= REVIEWED { REVIEWED_ONES.of(word) } else { ANY.of(word) }
}

fn has_substitute(word: &str, risk: f64) -> bool {
    let has =
        |tag: &str, lemma: &str| Penn::from_name(tag).is_some_and(|tag| at_risk(lemma, tag, risk).next().is_some());
    let kinds = [Kind::Noun, Kind::Verb, Kind::Adjective, Kind::Adverb];
    kinds.iter().any(|kind| has(kind.penn(), word)) || inflection::readings(word).any(|(tag, lemma)| has(tag, lemma))
}

/// What may replace the lemma at that risk. Pairs that were not reviewed take longer, so they are only asked for if
/// the risk allows any of them.
fn at_risk(lemma: &str, tag: Penn, risk: f64) -> impl Iterator<Item = Substitute> {
    let others =
        (risk > REVIEWED).then(|| substitutes::of(lemma, tag).filter(|one| one.verdict == Verdict::Unreviewed));
    let all = substitutes::reviewed(lemma, tag).chain(others.into_iter().flatten());
    all.filter(move |substitute| f64::from(substitute.belief) >= 1.0 - risk - 1e-6)
}

/// The substitutes of a drawn word that fit where it stands and that `takes` takes.
pub(crate) fn fitting(
    annotated: &Annotated,
    word: &Drawn<'_>,
    risk: f64,
    takes: impl Fn(&Substitute) -> bool,
) -> Vec<Substitute> {
    let Some(tag) = annotated.penn(word.at) else { return Vec::new() };
    let old = annotated.small(word.at);
    at_risk(word.lemma, tag, risk)
        .filter(|substitute| *substitute.form != *old && takes(substitute))
        .filter(|substitute| substitute.fits(annotated.analysis(), word.at))
        .filter(|substitute| !is_beside(annotated, word.at, &substitute.form))
        .collect()
}

/// Whether the lemma may also replace this mention of a word.
pub(crate) fn fits(annotated: &Annotated, at: usize, lemma: &str, risk: f64) -> bool {
    let (Some(kind), old) = (annotated.kind(at), annotated.lemma(at)) else { return false };
    let word = Drawn { at, lemma: &old, kind };
    fitting(annotated, &word, risk, |substitute| substitute.lemma == lemma).len() == 1
}

/// One of the substitutes. A pair that is met very often is taken in a share of its uses only.
pub(crate) fn draw(fitting: &[Substitute], dice: &mut Dice) -> Option<String> {
    let substitute = dice.pick(fitting)?;
    let taken = substitute.keep >= 1.0 || dice.chance(f64::from(substitute.keep));
    taken.then(|| substitute.lemma.to_owned())
}

/// What [`draw`] draws from.
pub(crate) fn list(fitting: Vec<Substitute>) -> Vec<Lemma> {
    let lemma = |one: Substitute| Lemma { word: one.lemma.to_owned(), score: Some(one.belief.into()) };
    fitting.into_iter().map(lemma).collect()
}

/// Whether the form stands among the nearest words already: `a quick and fast meal`.
fn is_beside(annotated: &Annotated, at: usize, form: &str) -> bool {
    (at.saturating_sub(4)..at + 5).any(|place| annotated.word(place).eq_ignore_ascii_case(form))
}

/// Whether texts use two words alike: one is among the nearest of the other.
pub(crate) fn is_near(one: &str, other: &str) -> bool {
    neighbours::of(one).any(|(near, _)| near == other) || neighbours::of(other).any(|(near, _)| near == one)
}
