//! Edits are sound on any text, change what they say and nothing else, and can be taken back.

use fissure_core::{Edit, Outcome, Sample, Trail, Variant, apply, splice};

use crate::{Part, Verdict, chain, for_each_outcome, for_each_proposal, holds, nasty};

pub fn edits_are_sound(entry: &'static Part) -> Verdict {
    for_each_proposal(entry, &nasty::all(), |sample, change| {
        apply(sample, change).map(|_| ()).map_err(|bad| bad.to_string())
    })
}

pub fn changed_means_changed(entry: &'static Part) -> Verdict {
    for_each_proposal(entry, &nasty::all(), |sample, change| {
        if change.is_empty() {
            return Ok(());
        }
        let applied = apply(sample, change).map_err(|bad| bad.to_string())?;
        let changes_nothing =
            |edit: &&Edit| edit.labels.is_none() && edit.span.of(&sample.fields[edit.field].text) == edit.with;
        let idle = applied.edits.iter().find(changes_nothing);
        holds(idle.is_none(), || format!("{idle:?} changes nothing"))?;
        let same = Sample { id: sample.id.clone(), ..applied.sample } == *sample;
        holds(!same, || "all edits together change nothing".into())
    })
}

pub fn the_trail_leads_there_and_back(entry: &'static Part) -> Verdict {
    let samples = [nasty::all(), nasty::plain_for(entry)].concat();
    for_each_outcome(entry, &samples, |sample, outcome| match outcome {
        Outcome::Changed(variant) => leads_there_and_back(sample, variant),
        Outcome::Unchanged => Ok(()),
        Outcome::Skipped(_) if nasty::lacks(entry, sample) => Ok(()),
        // No part of ours has a reason to skip a text, so this is the chain catching an unsound edit.
        Outcome::Skipped(skip) => Err(format!("skipped: {skip}")),
        Outcome::Filtered(_) => Err("a chain filters nothing".into()),
    })
}

pub fn leads_there_and_back(sample: &Sample, Variant { sample: changed, trail, .. }: &Variant) -> Verdict {
    for (field, new) in sample.fields.iter().zip(&changed.fields) {
        let of_field = trail.edits.iter().filter(|edit| edit.field == field.name);
        let edits: Vec<Edit> =
            of_field.clone().map(|edit| Edit::replace(edit.start..edit.end, edit.new.as_str())).collect();
        let true_to_original = of_field.clone().all(|edit| field.text.get(edit.start..edit.end) == Some(&*edit.old));
        holds(true_to_original, || format!("the trail misquotes {:?}", field.name))?;
        holds(splice(&field.text, &edits) == new.text.as_str(), || "text outside the edits was touched".into())?;
    }
    let original: Vec<String> = sample.fields.iter().map(|field| field.text.as_str().to_owned()).collect();
    holds(trail.undo(changed) == Ok(original), || "undoing the trail does not give the original".into())?;
    let others = (&sample.id, &sample.extra) == (&changed.id, &changed.extra);
    let relabelled = sample.label == changed.label || trail.labels.iter().any(|label| label.layer == "class");
    let traced = !trail.steps.is_empty() && (!trail.edits.is_empty() || !trail.labels.is_empty());
    holds(others && relabelled && traced, || "more was touched than the trail says".into())
}

#[test]
fn a_trail_that_lies_is_caught() {
    let chain = chain(&crate::broken::boastful::ENTRY, &[]).unwrap();
    let sample = Sample::of_text("1", "so good");
    let Outcome::Changed(variant) = chain.run(&sample, 0, 0) else { panic!("nothing was changed") };
    assert_eq!(leads_there_and_back(&sample, &variant), Ok(()));
    let touched = Variant { sample: Sample::of_text("1", "So good! "), ..(*variant).clone() };
    assert!(leads_there_and_back(&sample, &touched).is_err());
    let forgetful = Variant { trail: Trail::default(), ..(*variant).clone() };
    assert!(leads_there_and_back(&sample, &forgetful).is_err());
    let mut misquoting = *variant;
    misquoting.trail.edits[0].old.push('?');
    assert!(leads_there_and_back(&sample, &misquoting).is_err());
}

pub fn rate_0_changes_nothing(entry: &'static Part) -> Verdict {
    if !entry.knobs().iter().any(|knob| knob.name == "rate") {
        return Ok(());
    }
    let chain = chain(entry, &[("rate".to_owned(), "0".to_owned())])?;
    for sample in [nasty::all(), nasty::plain_for(entry)].concat() {
        let outcome = chain.run(&sample, 0, 0);
        let idle = outcome == Outcome::Unchanged || nasty::lacks(entry, &sample);
        holds(idle, || format!("{outcome:?}"))?;
    }
    Ok(())
}

pub fn something_is_changed(entry: &'static Part) -> Verdict {
    let mut changed = 0;
    // A part for rare words may find none in the plain texts; then its own examples have them.
    let examples = entry.card.examples.iter().map(|example| example.sample()).collect::<Result<Vec<_>, _>>()?;
    for_each_outcome(entry, &[nasty::plain_for(entry), examples].concat(), |_, outcome| {
        changed += usize::from(matches!(outcome, Outcome::Changed(_)));
        Ok(())
    })?;
    holds(changed > 0, || "no plain text and no example is changed, whatever the seed".into())
}
