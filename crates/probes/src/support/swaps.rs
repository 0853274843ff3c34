//! Words drawn one by one until enough of them took another in their place; a word that is repeated is treated alike.

use fissure_core::{Amount, Candidate, Dice, Edit, Place};
use fissure_text::inflection::Kind;
use fissure_text::{Token, TokenKind};

use super::reading::Reading;
use super::senses::Form;

/// A word that was drawn.
pub(crate) struct Drawn<'a> {
    pub at: usize,
    pub lemma: &'a str,
    pub kind: Kind,
}

impl<'a> Drawn<'a> {
    /// The word as it is written, in small letters, with its lemma.
    pub fn form(&self, written: &'a str) -> Form<'a> {
        Form { form: written, lemma: self.lemma }
    }
}

/// Draws content words without putting back. `may` says of a word in small letters whether it can be swapped at all;
/// `choose` names the lemma that replaces it, in its own form, and in that of every other mention of it that `fits` allows.
/// Words within a set phrase are left alone. The amount is a share of all words of the text.
pub(crate) fn draw(
    reading: &Reading,
    amount: Amount,
    dice: &mut Dice,
    may: impl Fn(&str) -> bool,
    mut choose: impl FnMut(Drawn<'_>, &mut Dice) -> Option<String>,
    fits: impl Fn(usize, &str) -> bool,
) -> Vec<Edit> {
    // The words alone come first: few of them can be swapped, and only these are worth the look around that tells where
    // sentences start and what part of speech a word is. Most texts end here.
    let may_go = |at: &usize| may(&reading.small(*at)) && reading.may_be_content(*at);
    let mut left: Vec<usize> = (0..reading.len()).filter(may_go).collect();
    if left.is_empty() {
        return Vec::new();
    }
    let content: Vec<usize> = (0..reading.len()).filter(|at| reading.may_be_content(*at)).collect();
    let is_word = |token: &&Token| token.kind == TokenKind::Word;
    let wanted = amount.of(reading.analysis().tokens().iter().filter(is_word).count());
    let (mut edits, mut swapped) = (Vec::new(), 0);
    while swapped < wanted && !left.is_empty() {
        let at = left.swap_remove(dice.below(left.len()));
        let (Some(kind), lemma) = (reading.kind(at), reading.lemma(at)) else { continue };
        // Most words have nothing to give way to; phrases are looked up for the few that have.
        let Some(new) = choose(Drawn { at, lemma: &lemma, kind }, dice).filter(|_| !reading.in_phrase(at)) else {
            continue;
        };
        let again: Vec<usize> =
            content.iter().copied().filter(|other| *other != at && is_mention(reading, *other, &lemma, kind)).collect();
        left.retain(|other| again.binary_search(other).is_err());
        if swapped + 1 + again.len() > amount.max {
            continue;
        }
        let mut mentions = vec![at];
        mentions.extend(again.into_iter().filter(|other| fits(*other, &new) && !reading.in_phrase(*other)));
        for (at, form) in mentions.into_iter().filter_map(|at| Some((at, reading.inflect(at, &new)?))) {
            reading.put(at, &form, &mut edits);
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
    reading: &Reading,
    may: impl Fn(&str) -> bool,
    lemmas: impl Fn(&Drawn<'_>) -> Vec<Lemma>,
    fits: impl Fn(usize, &str) -> bool,
) -> Vec<Place> {
    let content: Vec<usize> = (0..reading.len()).filter(|at| reading.may_be_content(*at)).collect();
    let place = |at: usize| {
        let (kind, lemma) = (reading.kind(at)?, reading.lemma(at));
        let lemmas = lemmas(&Drawn { at, lemma: &lemma, kind });
        if lemmas.is_empty() || reading.in_phrase(at) {
            return None;
        }
        let span = reading.analysis().tokens()[at].span.clone().into();
        let candidate = |new: Lemma| {
            let mut mentions = vec![at];
            mentions.extend(content.iter().copied().filter(|other| {
                *other != at
                    && is_mention(reading, *other, &lemma, kind)
                    && fits(*other, &new.word)
                    && !reading.in_phrase(*other)
            }));
            let mut along = Vec::new();
            for (at, form) in mentions.into_iter().filter_map(|at| Some((at, reading.inflect(at, &new.word)?))) {
                reading.put(at, &form, &mut along);
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
    let may_go = |at: &usize| may(&reading.small(*at)) && reading.may_be_content(*at);
    (0..reading.len()).filter(may_go).filter_map(place).collect()
}

fn is_mention(reading: &Reading, at: usize, lemma: &str, kind: Kind) -> bool {
    let alike = reading.word(at).as_bytes().first().map(u8::to_ascii_lowercase) == lemma.as_bytes().first().copied();
    alike && reading.kind(at) == Some(kind) && *reading.lemma(at) == *lemma
}
