//! Draws words one by one until enough of them are replaced; a repeated word is replaced alike.

use fissure_core::{Amount, Candidate, Dice, Edit, Place};
use fissure_text::inflection::Kind;
use fissure_text::{Token, TokenKind};

use super::annotated::Annotated;
use super::synonyms::Form;

/// A word that was drawn.
pub(crate) struct Drawn<'a> {
    pub at: usize,
    pub lemma: &'a str,
    pub kind: Kind,
}

impl<'a> Drawn<'a> {
    /// The word as it is written, in lower case, with its lemma.
    pub fn form(&self, written: &'a str) -> Form<'a> {
        Form { form: written, lemma: self.lemma }
    }
}

/// Draws content words without putting back. `may` says of a lower-case word whether it can be swapped at all;
/// `choose` names the lemma that replaces it, in its own form, and in that of every other mention of it that `fits` allows.
/// Words within a set phrase are left alone. The amount is a share of all words of the text.
pub(crate) fn draw(
    annotated: &Annotated,
    amount: Amount,
    dice: &mut Dice,
    may: impl Fn(&str) -> bool,
    mut choose: impl FnMut(Drawn<'_>, &mut Dice) -> Option<String>,
    fits: impl Fn(usize, &str) -> bool,
) -> Vec<Edit> {
    // The words alone come first: few of them can be swapped, and only these are worth the look around that shows where
    // sentences start and what part of speech a word is. Most texts end here.
    let may_go = |at: &usize| may(&annotated.small(*at)) && annotated.may_be_content(*at);
    let mut left: Vec<usize> = (0..annotated.len()).filter(may_go).collect();
    if left.is_empty() {
        return Vec::new();
    }
    let content: Vec<usize> = (0..annotated.len()).filter(|at| annotated.may_be_content(*at)).collect();
    let is_word = |token: &&Token| token.kind == TokenKind::Word;
    let wanted = amount.of(annotated.analysis().tokens().iter().filter(is_word).count());
    let (mut edits, mut swapped) = (Vec::new(), 0);
    // `good` and `best` are mentions of one lemma, but two of `best` do not find each other: each place changes once.
    let mut done: Vec<usize> = Vec::new();
    while swapped < wanted && !left.is_empty() {
        let at = left.swap_remove(dice.below(left.len()));
        let (Some(kind), lemma) = (annotated.kind(at), annotated.lemma(at)) else { continue };
        // Most words have nothing to give way to; phrases are looked up for the few that have.
        let Some(new) = choose(Drawn { at, lemma: &lemma, kind }, dice).filter(|_| !annotated.in_phrase(at)) else {
            continue;
        };
        let again: Vec<usize> = content
            .iter()
            .copied()
            .filter(|other| *other != at && is_mention(annotated, *other, &lemma, kind) && !done.contains(other))
            .collect();
        left.retain(|other| again.binary_search(other).is_err());
        if swapped + 1 + again.len() > amount.max {
            continue;
        }
        let mut mentions = vec![at];
        mentions.extend(again.into_iter().filter(|other| fits(*other, &new) && !annotated.in_phrase(*other)));
        for (at, form) in mentions.into_iter().filter_map(|at| Some((at, annotated.inflect(at, &new)?))) {
            annotated.put(at, &form, &mut edits);
            done.push(at);
            swapped += 1;
        }
    }
    edits.sort_unstable_by_key(|edit: &Edit| edit.span);
    edits
}

/// A lemma that could replace a word, and how good it is if that is known.
pub(crate) struct Lemma {
    pub word: String,
    pub score: Option<f64>,
}

/// Every word that [`draw`] could draw, with everything that it could become: `lemmas` lists what `choose` draws from.
pub(crate) fn list(
    annotated: &Annotated,
    may: impl Fn(&str) -> bool,
    lemmas: impl Fn(&Drawn<'_>) -> Vec<Lemma>,
    fits: impl Fn(usize, &str) -> bool,
) -> Vec<Place> {
    let content: Vec<usize> = (0..annotated.len()).filter(|at| annotated.may_be_content(*at)).collect();
    let place = |at: usize| {
        let (kind, lemma) = (annotated.kind(at)?, annotated.lemma(at));
        let lemmas = lemmas(&Drawn { at, lemma: &lemma, kind });
        if lemmas.is_empty() || annotated.in_phrase(at) {
            return None;
        }
        let span = annotated.analysis().tokens()[at].span.clone().into();
        let candidate = |new: Lemma| {
            let mut mentions = vec![at];
            mentions.extend(content.iter().copied().filter(|other| {
                *other != at
                    && is_mention(annotated, *other, &lemma, kind)
                    && fits(*other, &new.word)
                    && !annotated.in_phrase(*other)
            }));
            let mut along = Vec::new();
            for (at, form) in mentions.into_iter().filter_map(|at| Some((at, annotated.inflect(at, &new.word)?))) {
                annotated.put(at, &form, &mut along);
            }
            let here = along.iter().position(|edit| edit.span == span)?;
            let with = along.swap_remove(here).with;
            along.sort_unstable_by_key(|edit| edit.span);
            Some(Candidate { with, score: new.score, along })
        };
        let mut candidates: Vec<Candidate> = Vec::new();
        for candidate in lemmas.into_iter().filter_map(candidate) {
            if !candidates.iter().any(|known| known.with == candidate.with) {
                candidates.push(candidate);
            }
        }
        Some(Place::new(span, candidates))
    };
    let may_go = |at: &usize| may(&annotated.small(*at)) && annotated.may_be_content(*at);
    (0..annotated.len()).filter(may_go).filter_map(place).collect()
}

fn is_mention(annotated: &Annotated, at: usize, lemma: &str, kind: Kind) -> bool {
    let alike = annotated.word(at).as_bytes().first().map(u8::to_ascii_lowercase) == lemma.as_bytes().first().copied();
    alike && annotated.kind(at) == Some(kind) && *annotated.lemma(at) == *lemma
}
