//! Labels stay with their words.

use fissure_core::{Expectation, Hold, Mark, Outcome, Sample, Words, apply};

use crate::{Part, Verdict, for_each_outcome, for_each_proposal, holds, nasty, serves};

/// A mark on a word that no edit touches covers that word afterwards, and an edit touches no word that it leaves as it
/// was: `hot soup` to `hot tea` is an edit of `soup`.
pub fn words_that_stay_keep_their_marks(entry: &'static Part) -> Verdict {
    for_each_outcome(entry, &nasty::marked(), |sample, outcome| {
        let Outcome::Changed(variant) = outcome else { return Ok(()) };
        for edit in &variant.trail.edits {
            let (old, new) = (Words::new(&edit.old), Words::new(&edit.new));
            let same_start =
                old.clone().next().is_some_and(|word| Some(word.text) == new.clone().next().map(|w| w.text));
            let same_end = old.last().is_some_and(|word| Some(word.text) == new.last().map(|w| w.text));
            holds(!same_start && !same_end, || format!("{edit:?} takes in a word that stays"))?;
        }
        let untouched = |mark: &&Mark| {
            let field = &sample.fields[mark.field].name;
            let mut edits = variant.trail.edits.iter().filter(|edit| edit.field == *field);
            edits.all(|edit| edit.end <= mark.span.start || mark.span.end <= edit.start)
        };
        // Marks keep their order, so those that stayed must be found one behind the other.
        let mut after = variant.sample.marks.iter();
        for mark in sample.marks.iter().filter(untouched) {
            let found = after.any(|new| {
                (new.layer, new.field, &new.value) == (mark.layer, mark.field, &mark.value)
                    && variant.sample.words_of(new) == mark.value
            });
            holds(found, || format!("{mark:?} lost its word"))?;
        }
        Ok(())
    })
}

pub fn what_keeps_the_label_keeps_marks(entry: &'static Part) -> Verdict {
    if entry.card.expectation != Some(Expectation::Kept) {
        return Ok(());
    }
    keeps_marks(entry, Hold::Fast)
}

pub fn token_tasks_keep_their_tokens(entry: &'static Part) -> Verdict {
    let serves = ["ner", "pos", "dp"].iter().any(|task| serves(entry, task));
    if serves { keeps_marks(entry, Hold::Widen) } else { Ok(()) }
}

fn keeps_marks(entry: &'static Part, hold: Hold) -> Verdict {
    let count = |sample: &Sample| sample.marks.iter().filter(|mark| mark.hold == hold).count();
    for_each_proposal(entry, &nasty::marked(), |sample, change| {
        let after = apply(sample, change).map_err(|bad| bad.to_string())?.sample;
        holds(count(&after) == count(sample), || format!("{} marks become {}", count(sample), count(&after)))
    })
}

pub fn closed_fields_stay_closed(entry: &'static Part) -> Verdict {
    let mut samples = nasty::plain();
    for field in samples.iter_mut().flat_map(|sample| &mut sample.fields) {
        field.open = false;
    }
    for_each_outcome(entry, &samples, |_, outcome| holds(*outcome == Outcome::Unchanged, || format!("{outcome:?}")))
}
