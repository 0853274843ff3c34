//! What a card must say, and that what it says is true.

use std::path::Path;

use fissure_core::{Entry, Example, Expectation, Kind, Outcome, example};

use crate::{Part, Verdict, chain, holds};

pub fn the_name_is_the_files<T: ?Sized>(entry: &'static Entry<T>) -> Verdict {
    let name = entry.card.name;
    let stem = Path::new(entry.card.file).file_stem().and_then(|stem| stem.to_str());
    let snake = name.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_');
    holds(snake && stem == Some(name), || format!("the file is {:?}", entry.card.file))
}

pub fn the_folder_is_the_levels(entry: &'static Part) -> Verdict {
    let folder = Path::new(entry.card.file).parent().and_then(|folder| folder.file_name()?.to_str());
    if entry.card.kind == Kind::Destroyer {
        let destroys = entry.card.expectation == Some(Expectation::Destroyed);
        return holds(folder == Some("destroyers") && destroys, || format!("a destroyer in {folder:?}"));
    }
    if folder == Some("task") {
        let has_both = !entry.card.requires.is_empty() && entry.card.level.is_some();
        return holds(has_both, || "a part for tasks says what a task must have, and its level".into());
    }
    let level = entry.card.level.map(|level| format!("{level:?}").to_lowercase());
    holds(level.is_some() && folder == level.as_deref(), || format!("{level:?} in {folder:?}"))
}

pub fn the_summary_is_a_sentence<T: ?Sized>(entry: &'static Entry<T>) -> Verdict {
    let summary = entry.card.summary();
    let sentence = summary.starts_with(char::is_uppercase) && summary.ends_with('.') && summary.len() <= 140;
    holds(sentence, || format!("{summary:?} should be one sentence of at most 140 characters"))
}

pub fn the_card_is_filled_in(entry: &'static Part) -> Verdict {
    let card = &entry.card;
    // A destroyer draws on no branch of linguistics.
    let family = card.family.is_some() != (card.kind == Kind::Destroyer);
    let known = card.expectation.is_some() && family && card.citation.is_some();
    holds(known && !card.languages.is_empty(), || "expectation, family, citation or languages are missing".into())?;
    for knob in entry.knobs() {
        let sentence = knob.docs.starts_with(|first: char| first.is_uppercase() || first == '`');
        holds(sentence && knob.docs.ends_with('.'), || format!("the docs of `{}` are {:?}", knob.name, knob.docs))?;
    }
    Ok(())
}

pub fn there_are_three_examples(entry: &'static Part) -> Verdict {
    let changing = entry.card.examples.iter().filter(|example| example.before != example.after).count();
    holds(changing >= 3, || format!("{changing} examples show a change"))
}

pub fn every_example_holds(entry: &'static Part) -> Verdict {
    let mut faults = String::new();
    for example in entry.card.examples {
        let after = after(entry, example)?;
        if after != example.after {
            faults += &format!("\n  {:?} {:?} gives\n    {after:?}", example.settings, example.before);
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn after(entry: &'static Part, example: &Example) -> Result<String, String> {
    let seed = example.settings.iter().find(|(knob, _)| *knob == "seed").map_or("0", |(_, seed)| seed);
    let seed = seed.parse().map_err(|_| format!("{seed} is no seed"))?;
    let knobs = example.settings.iter().filter(|(knob, _)| *knob != "seed");
    let settings: Vec<_> = knobs.map(|(knob, value)| ((*knob).to_owned(), (*value).to_owned())).collect();
    match chain(entry, &settings)?.run(&example.sample()?, seed, 0) {
        Outcome::Changed(variant) => Ok(example::write(&variant.sample)),
        Outcome::Unchanged => Ok(example.before.to_owned()),
        Outcome::Skipped(skip) => Err(format!("{:?} is skipped: {skip}", example.before)),
        Outcome::Filtered(_) => Err("a chain filters nothing".into()),
    }
}

pub fn defaults_are_allowed_and_true<T: ?Sized + fissure_core::Part>(entry: &'static Entry<T>) -> Verdict {
    let (_, values) = entry.build(&[]).map_err(|error| error.to_string())?;
    let knobs = entry.knobs();
    holds(values.len() == knobs.len(), || format!("{} knobs, but {} values", knobs.len(), values.len()))?;
    for (knob, (name, value)) in knobs.iter().zip(&values) {
        let same = knob.name == *name && knob.default == *value;
        holds(same, || format!("`{}` is said to be {:?} and `{name}` is {value:?}", knob.name, knob.default))?;
        holds(knob.shape.allows(value), || format!("{value:?} is not {}", knob.shape.describe()))?;
        let set = entry.build(&[((*name).to_owned(), value.clone())]).map(|(_, values)| values);
        holds(set.as_ref() == Ok(&values), || format!("setting `{name}` to its default gives {set:?}"))?;
    }
    Ok(())
}

pub fn unknown_knobs_are_refused<T: ?Sized + fissure_core::Part>(entry: &'static Entry<T>) -> Verdict {
    let built = entry.build(&[("no_such_knob".to_owned(), "1".to_owned())]);
    holds(built.is_err(), || "a knob that does not exist was swallowed".into())
}
