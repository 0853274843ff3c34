//! The laws of validators.

use fissure_core::{Entry, Resources, Sample, Text, Validator};
use fissure_probes::VALIDATORS;

use crate::{Law, Verdict, broken, card_laws, every_broken_part_is_caught, every_part_keeps, holds, nasty};

type Part = Entry<dyn Validator>;

const LAWS: &[Law<dyn Validator>] = &[
    ("the name is the file's", card_laws::the_name_is_the_files, &broken::flattering::ENTRY),
    ("the summary is a sentence", card_laws::the_summary_is_a_sentence, &broken::flattering::ENTRY),
    ("every example holds", every_example_holds, &broken::flattering::ENTRY),
    ("what stayed scores 1", what_stayed_scores_1, &broken::flattering::ENTRY),
    ("scores lie from 0 to 1", scores_lie_from_0_to_1, &broken::flattering::ENTRY),
    ("defaults are allowed and true", card_laws::defaults_are_allowed_and_true, &broken::flattering::ENTRY),
];

#[test]
fn every_validator_keeps_every_law() {
    every_part_keeps(&VALIDATORS, LAWS);
}

#[test]
fn every_law_of_validators_can_fail() {
    every_broken_part_is_caught(LAWS);
}

/// An example of a validator shows a text, what happened to it, and the score.
fn every_example_holds(entry: &'static Part) -> Verdict {
    holds(entry.card.examples.len() >= 3, || "fewer than three examples".into())?;
    let (part, _) = entry.build(&[]).map_err(|error| error.to_string())?;
    for example in entry.card.examples {
        let (before, after) = example.before.split_once(" => ").ok_or("an example needs ` => `")?;
        let [before, after] = [before, after].map(|text| Sample::of_text("example", text));
        let score = part.score(&before, &after, &Resources::toy()).map(|score| format!("{score:.3}"));
        holds(score.as_deref() == Ok(example.after), || format!("{:?} scores {score:?}", example.before))?;
    }
    Ok(())
}

fn what_stayed_scores_1(entry: &'static Part) -> Verdict {
    let (part, _) = entry.build(&[]).map_err(|error| error.to_string())?;
    for sample in nasty::all() {
        let score = part.score(&sample, &sample.clone(), &Resources::toy());
        let knows = sample.fields.iter().any(|field| entry.card.knows(field.text.language()));
        holds(score == Ok(1.0) || !knows, || format!("{} scores {score:?} against itself", sample.id))?;
    }
    Ok(())
}

fn scores_lie_from_0_to_1(entry: &'static Part) -> Verdict {
    let (part, _) = entry.build(&[]).map_err(|error| error.to_string())?;
    let samples = nasty::all();
    for (before, other) in samples.iter().zip(samples.iter().cycle().skip(1)) {
        let mut after = before.clone();
        for (field, other) in after.fields.iter_mut().zip(&other.fields) {
            field.text = Text::from(other.text.as_str());
        }
        let score = part.score(before, &after, &Resources::toy());
        let sound = score.as_ref().map_or(true, |score| (0.0..=1.0).contains(score));
        holds(sound && score == part.score(before, &after, &Resources::toy()), || {
            format!("{} to {} scores {score:?}", before.id, other.id)
        })?;
    }
    Ok(())
}
