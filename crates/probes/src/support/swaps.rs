//! Words drawn one by one until enough of them took another in their place, or all listed with what they could become; a
//! word that is repeated is treated alike.

use fissure_core::{Amount, Candidate, Dice, Edit, Place};
use fissure_text::inflection::Kind;

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

/// A lemma that could stand for a word, and how near it is if that is known.
pub(crate) struct Lemma {
    pub word: String,
    pub score: Option<f64>,
}

/// How a part swaps content words.
pub(crate) struct Swaps<'r, May, Lemmas> {
    pub reading: &'r Reading,
    /// Says of a word in small letters whether it can be swapped at all.
    pub may: May,
    /// Names what could stand for a word: it is put in the form of the word, and of every other mention of it. `None` where
    /// the word leads nowhere.
    pub lemmas: Lemmas,
}

impl<May: Fn(&str) -> bool, Lemmas: Fn(&Drawn<'_>) -> Option<Vec<Lemma>>> Swaps<'_, May, Lemmas> {
    /// Draws words without putting back, and for each one of its lemmas, each as likely. Words within a set phrase are left
    /// alone.
    pub fn draw(&self, amount: Amount, dice: &mut Dice) -> Vec<Edit> {
        let reading = self.reading;
        let mut left = self.able();
        if left.is_empty() {
            return Vec::new();
        }
        let content = self.content();
        let wanted = amount.of(content.len());
        let (mut edits, mut swapped) = (Vec::new(), 0);
        while swapped < wanted && !left.is_empty() {
            let at = left.swap_remove(dice.below(left.len()));
            let (Some(kind), lemma) = (reading.kind(at), reading.lemma(at)) else { continue };
            // Most words have nothing to give way to; phrases are looked up for the few that have.
            let lemmas = (self.lemmas)(&Drawn { at, lemma: &lemma, kind });
            let drawn = lemmas.and_then(|lemmas| {
                let drawn = dice.below(lemmas.len());
                lemmas.into_iter().nth(drawn)
            });
            let Some(new) = drawn.filter(|_| !reading.in_phrase(at)) else { continue };
            let again = self.again(&content, at, &lemma, kind);
            left.retain(|other| again.binary_search(other).is_err());
            if swapped + 1 + again.len() > amount.max {
                continue;
            }
            swapped += self.put(at, &again, &new.word, &mut edits);
        }
        edits.sort_unstable_by_key(|edit: &Edit| edit.span);
        edits
    }

    /// Every word that could be drawn, with everything that it could become.
    pub fn list(&self) -> Vec<Place> {
        let content = self.content();
        let place = |at: usize| {
            let (kind, lemma) = (self.reading.kind(at)?, self.reading.lemma(at));
            let lemmas = (self.lemmas)(&Drawn { at, lemma: &lemma, kind })?;
            if lemmas.is_empty() || self.reading.in_phrase(at) {
                return None;
            }
            let again = self.again(&content, at, &lemma, kind);
            let span = self.reading.analysis().tokens()[at].span.clone().into();
            let candidate = |new: Lemma| {
                let mut along = Vec::new();
                self.put(at, &again, &new.word, &mut along);
                let here = along.iter().position(|edit| edit.span == span)?;
                let with = along.swap_remove(here).with;
                along.sort_unstable_by_key(|edit| edit.span);
                Some(Candidate { with, score: new.score, along })
            };
            Some(Place::new(span, lemmas.into_iter().filter_map(candidate).collect()))
        };
        self.able().into_iter().filter_map(place).collect()
    }

    /// The words that may be swapped. A look at the words alone comes first: few of them can be, and only these are worth the
    /// look around that tells where sentences start and what part of speech a word is. Most texts end here.
    fn able(&self) -> Vec<usize> {
        let may_go = |at: &usize| (self.may)(&self.reading.small(*at)) && self.reading.may_be_content(*at);
        (0..self.reading.len()).filter(may_go).collect()
    }

    fn content(&self) -> Vec<usize> {
        (0..self.reading.len()).filter(|at| self.reading.may_be_content(*at)).collect()
    }

    /// The other mentions of a word.
    fn again(&self, content: &[usize], at: usize, lemma: &str, kind: Kind) -> Vec<usize> {
        let mentions = content.iter().copied();
        mentions.filter(|other| *other != at && is_mention(self.reading, *other, lemma, kind)).collect()
    }

    /// Puts a lemma in place of a word and of its other mentions, except within set phrases. How many words gave way.
    fn put(&self, at: usize, again: &[usize], lemma: &str, edits: &mut Vec<Edit>) -> usize {
        let mut swapped = 0;
        let again = again.iter().copied().filter(|other| !self.reading.in_phrase(*other));
        for (at, form) in std::iter::once(at).chain(again).filter_map(|at| Some((at, self.reading.inflect(at, lemma)?)))
        {
            self.reading.put(at, &form, edits);
            swapped += 1;
        }
        swapped
    }
}

fn is_mention(reading: &Reading, at: usize, lemma: &str, kind: Kind) -> bool {
    let alike = reading.word(at).as_bytes().first().map(u8::to_ascii_lowercase) == lemma.as_bytes().first().copied();
    alike && reading.kind(at) == Some(kind) && *reading.lemma(at) == *lemma
}
