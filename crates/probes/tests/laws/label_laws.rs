//! Labels stay with their words.

use fissure_core::{Anchor, Does, Expectation, Mark, Outcome, Sample, Words, apply};

use crate::{Part, Verdict, for_each_outcome, for_each_proposal, holds, nasty, serves};

/// A mark on a word that no edit touches covers that word afterwards, and an edit touches no word that it leaves as it
/// was: `hot soup` to `hot tea` is an edit of `soup`.
pub fn words_that_stay_keep_their_marks(entry: &'static Part) -> Verdict {
    for_each_outcome(entry, &nasty::marked(), |sample, outcome| {
        let Outcome::Changed(variant) = outcome else { return Ok(()) };
        // A part that exchanges labelled pieces takes them whole, and so does the one that exchanges sentences.
        let exchanges =
            entry.card.expectation == Some(Expectation::Relabelled) || entry.card.name == "sentence_order_swap";
        for edit in variant.trail.edits.iter().filter(|_| !exchanges) {
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
        // Parts may move marks and bring new ones, so only those with their words count, in any order.
        let mut after: Vec<&Mark> =
            variant.sample.marks.iter().filter(|new| variant.sample.words_of(new) == new.value).collect();
        for mark in sample.marks.iter().filter(untouched) {
            let alike = |new: &&Mark| (new.layer, new.field, &new.value) == (mark.layer, mark.field, &mark.value);
            let found = after.iter().position(alike).map(|at| after.remove(at));
            holds(found.is_some(), || format!("{mark:?} lost its word"))?;
        }
        Ok(())
    })
}

pub fn what_keeps_the_label_keeps_marks(entry: &'static Part) -> Verdict {
    if entry.card.expectation != Some(Expectation::Kept) {
        return Ok(());
    }
    keeps_marks(entry, Anchor::Rigid)
}

pub fn token_tasks_keep_their_tokens(entry: &'static Part) -> Verdict {
    let serves = ["ner", "pos", "dp"].iter().any(|task| serves(entry, task));
    let joins = entry.card.does.contains(&Does::JoinsSamples);
    // What sets labels may bring tokens and take tokens away; `a_tree_stays_a_tree` looks at those.
    let relabels = entry.card.expectation == Some(Expectation::Relabelled);
    if serves && !joins && !relabels { keeps_marks(entry, Anchor::Elastic) } else { Ok(()) }
}

fn keeps_marks(entry: &'static Part, anchor: Anchor) -> Verdict {
    let count = |sample: &Sample| sample.marks.iter().filter(|mark| mark.anchor == anchor).count();
    for_each_proposal(entry, &nasty::marked(), |sample, change| {
        let after = apply(sample, change).map_err(|bad| bad.to_string())?.sample;
        holds(count(&after) == count(sample), || format!("{} marks become {}", count(sample), count(&after)))
    })
}

pub fn closed_fields_stay_closed(entry: &'static Part) -> Verdict {
    let mut samples = nasty::plain_for(entry);
    for field in samples.iter_mut().flat_map(|sample| &mut sample.fields) {
        field.open = false;
    }
    for_each_outcome(entry, &samples, |sample, outcome| {
        // A part for tasks may say that there is nothing to edit, and may be made for a closed text.
        let opened = |changed: &Sample| {
            let mut fields = sample.fields.iter().zip(&changed.fields);
            fields.all(|(old, new)| old.text == new.text || entry.card.opens.contains(&&*old.name))
        };
        let left = match outcome {
            Outcome::Unchanged => true,
            Outcome::Skipped(_) => !entry.card.requires.is_empty(),
            Outcome::Changed(variant) => opened(&variant.sample),
            Outcome::Filtered(_) => false,
        };
        holds(left, || format!("{outcome:?}"))
    })
}
