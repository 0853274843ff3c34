//! Words drawn one by one until enough of them took another in their place; a word that is repeated is treated alike.

use fissure_core::{Amount, Dice, Edit};
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

/// Draws content words without putting back; `choose` names the lemma to put in the place of each, in its own form, and
/// of every other mention of it. Words within a set phrase are left alone.
pub(crate) fn draw(
    reading: &Reading,
    amount: Amount,
    dice: &mut Dice,
    mut choose: impl FnMut(Drawn<'_>, &mut Dice) -> Option<String>,
) -> Vec<Edit> {
    let mut left: Vec<usize> =
        (0..reading.len()).filter(|at| reading.kind(*at).is_some() && reading.is_plain(*at)).collect();
    let wanted = amount.of(left.len());
    let (mut edits, mut swapped) = (Vec::new(), 0);
    while swapped < wanted && !left.is_empty() {
        let at = left.swap_remove(dice.below(left.len()));
        let (Some(kind), lemma) = (reading.kind(at), reading.lemma(at)) else { continue };
        // Most words have nothing to give way to; phrases are looked up for the few that have.
        let Some(new) = choose(Drawn { at, lemma: &lemma, kind }, dice).filter(|_| !reading.in_phrase(at)) else {
            continue;
        };
        let mut mentions = vec![at];
        left.retain(|other| {
            let again = is_mention(reading, *other, &lemma, kind);
            if again && !reading.in_phrase(*other) {
                mentions.push(*other);
            }
            !again
        });
        if swapped + mentions.len() > amount.max {
            continue;
        }
        for (at, form) in mentions.into_iter().filter_map(|at| Some((at, reading.inflect(at, &new)?))) {
            reading.put(at, &form, &mut edits);
            swapped += 1;
        }
    }
    edits.sort_unstable_by_key(|edit: &Edit| edit.span);
    edits
}

fn is_mention(reading: &Reading, at: usize, lemma: &str, kind: Kind) -> bool {
    let alike = reading.word(at).as_bytes().first().map(u8::to_ascii_lowercase) == lemma.as_bytes().first().copied();
    alike && reading.kind(at) == Some(kind) && *reading.lemma(at) == *lemma
}
