//! Labels that parts bring, move and set are right.

use std::collections::BTreeSet;

use fissure_core::{Expectation, Outcome, Resources, Sample, Sense, apply, example, layer};

use crate::{Part, Verdict, for_each_outcome, for_each_proposal, holds, serves};

/// Samples of many tasks, with labels of every kind.
fn labelled() -> Vec<Sample> {
    let notations = [
        "[Tasty|opinion #1] [burgers|aspect:positive >opinion=1], and the [staff|aspect:positive >opinion=2] was [friendly|opinion #2].",
        "(question):: Where was Anna born? // context:: Anna Keller was tall. She was born in [Graz|answers] in 1950. She paid $12.",
        "premise:: A tall man is running in Paris. // hypothesis:: The tall man moves. // label:: entailment",
        "first:: Two good dogs sleep. // second:: Two good dogs are sleeping. // label:: same",
        "The cast is great and Tom Hanks tries hard. // label:: positive",
        "[Anna Keller|subject] founded [Acme Corp|object] in 1999. // label:: founder",
    ];
    let tokens = [
        "[Anna|token:B-PER] [Keller|token:I-PER] [moved|token:O] [to|token:O] [New|token:B-LOC] [York|token:I-LOC] [.|token:O]",
        "[He|token:PRON >head=2:nsubj] [quickly|token:ADV >head=2:advmod] [left|token:VERB #2 >root=2:root] [,|token:PUNCT >head=4:punct] \
         [although|token:SCONJ >head=4:mark] [it|token:PRON >head=4:nsubj] [rained|token:VERB #4 >head=2:advcl] [.|token:PUNCT >head=2:punct]",
    ];
    let read = |notation: &str| example::read(notation).unwrap_or_else(|fault| panic!("{notation}: {fault}"));
    let mut samples: Vec<Sample> = notations.into_iter().map(read).collect();
    samples.extend(tokens.into_iter().map(read).map(|mut sample| {
        sample.fields[0].from_tokens = true;
        sample
    }));
    for (at, sample) in samples.iter_mut().enumerate() {
        sample.id = format!("labelled{at}");
    }
    samples
}

/// A mark that moves stands on the words it stood on; the first letter may change its case.
pub fn moved_marks_keep_their_words(entry: &'static Part) -> Verdict {
    for_each_proposal(entry, &labelled(), |sample, change| {
        for edit in &change.edits {
            for brought in edit.labels.iter().flat_map(|labels| &labels.marks) {
                let Some(old) = brought.moved.and_then(|mark| sample.marks.get(mark)) else { continue };
                let (old, new) = (sample.words_of(old), brought.mark.span.of(&edit.with));
                holds(old.to_lowercase() == new.to_lowercase(), || format!("a mark moves from {old:?} to {new:?}"))?;
            }
        }
        Ok(())
    })
}

/// In a list of tokens every word belongs to one token, and no two tokens share a letter.
pub fn tokens_cover_the_words_once(entry: &'static Part) -> Verdict {
    for_each_outcome(entry, &labelled(), |sample, outcome| {
        let Outcome::Changed(variant) = outcome else { return Ok(()) };
        let serves = ["ner", "pos", "dp"].iter().all(|task| serves(entry, task));
        if !sample.fields[0].from_tokens || !serves {
            return Ok(());
        }
        let new = &variant.sample;
        let text = &new.fields[0].text;
        let mut covered = vec![0; text.len()];
        for (_, mark) in new.layer(layer::TOKEN) {
            mark.span.range().for_each(|at| covered[at] += 1);
        }
        for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            holds(covered[at] == 1, || {
                format!("{c:?} at byte {at} of {:?} is in {} tokens", text.as_str(), covered[at])
            })?;
        }
        Ok(())
    })
}

/// A tree has one root, every other token has one head, and no heads go round in a circle.
pub fn a_tree_stays_a_tree(entry: &'static Part) -> Verdict {
    for_each_outcome(entry, &labelled(), |sample, outcome| {
        let Outcome::Changed(variant) = outcome else { return Ok(()) };
        if !sample.links.iter().any(|link| link.layer == layer::ROOT) || !serves(entry, "dp") {
            return Ok(());
        }
        let new = &variant.sample;
        let roots = new.links.iter().filter(|link| link.layer == layer::ROOT).count();
        holds(roots == 1, || format!("{roots} roots"))?;
        for (token, _) in new.layer(layer::TOKEN) {
            let mut seen = BTreeSet::new();
            let mut now = token;
            while !new.links.iter().any(|link| link.layer == layer::ROOT && link.from == now) {
                holds(seen.insert(now), || format!("heads go round at {now}"))?;
                let mut heads = new.links.iter().filter(|link| link.layer == layer::HEAD && link.from == now);
                let head = heads.next().ok_or_else(|| format!("token {now} has no head"))?;
                holds(heads.next().is_none(), || format!("token {now} has two heads"))?;
                now = head.to;
            }
        }
        Ok(())
    })
}

/// A class that a part sets is one of the spellings of the file.
pub fn labels_are_spelled_as_in_the_file(entry: &'static Part) -> Verdict {
    let spelling = Resources::toy().spelling.ok_or("no spelling")?;
    for_each_proposal(entry, &labelled(), |_, change| match &change.label {
        Some(label) => holds(spelling.sense_of(label).is_some(), || format!("`{label}` is no class of the file")),
        None => Ok(()),
    })
}

/// A part that sets a class or the value of a mark says on its card that it relabels.
pub fn who_relabels_says_so(entry: &'static Part) -> Verdict {
    let may = [Expectation::Relabelled, Expectation::Destroyed, Expectation::Unsure];
    let says_so = entry.card.expectation.is_some_and(|expectation| may.contains(&expectation));
    for_each_proposal(entry, &labelled(), |sample, change| {
        let new = apply(sample, change).map_err(|bad| bad.to_string())?.sample;
        holds(says_so || new.label == sample.label, || "the class is set, but the card says `kept`".into())
    })
}

#[test]
fn the_spelling_of_the_examples_is_complete() {
    let spelling = Resources::toy().spelling.unwrap();
    for sense in [Sense::Entails, Sense::Contradicts, Sense::Same, Sense::Different, Sense::Positive, Sense::Negative] {
        let label = spelling.label_of(sense).unwrap();
        assert_eq!(spelling.sense_of(label), Some(sense));
    }
}
