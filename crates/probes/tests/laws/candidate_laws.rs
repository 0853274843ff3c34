//! What a part draws is among what it lists.

use std::collections::HashSet;

use fissure_core::{Dice, Edit, Level, Place, Resources, Sample, Span, apply};

use crate::{Part, Verdict, at, holds, nasty, ways};

/// Drawings for each sample and setting: enough to see a choice that is made one time in ten.
const SEEDS: u64 = 12;

/// Parts whose choices are too many to list: any number with as many digits, new names for everybody at once.
const UNLISTED: [&str; 2] = ["swap_num", "prejudice"];

/// Short samples, for lists are long: 10,000 words for each word.
fn samples(entry: &'static Part) -> Vec<Sample> {
    let mut samples = nasty::plain_for(entry);
    samples.extend(nasty::all());
    samples.extend(nasty::marked());
    samples.retain(|sample| sample.fields.iter().map(|field| field.text.len()).sum::<usize>() < 120);
    samples
}

type Key = (usize, Span, String);

fn key(edit: &Edit) -> Key {
    (edit.field, edit.span, edit.with.clone())
}

/// If a part changes one place, its change is one of the candidates; if it changes several, each edit is an edit of one.
/// Names that are swapped together depend on one another, so for parts that rename only the first half holds.
pub fn what_is_drawn_is_listed(entry: &'static Part) -> Verdict {
    let resources = Resources::toy();
    let has = |name: &str| entry.knobs().iter().any(|knob| knob.name == name);
    for way in ways(entry) {
        for alone in [true, false] {
            if (alone && !has("max")) || (!alone && entry.card.renames) {
                continue;
            }
            let mut settings = way.clone();
            settings.extend(has("rate").then(|| ("rate".to_owned(), "1".to_owned())));
            settings.extend(alone.then(|| ("max".to_owned(), "1".to_owned())));
            let (part, _) = entry.build(&settings).map_err(|error| error.to_string())?;
            for sample in samples(entry) {
                let Some(places) = part.candidates(&sample, &resources) else { continue };
                let changes = || places.iter().flat_map(|place| lists(place, &sample));
                let whole: HashSet<Vec<Key>> = if alone { changes().collect() } else { HashSet::new() };
                let single: HashSet<Key> = if alone { HashSet::new() } else { changes().flatten().collect() };
                for seed in 0..SEEDS {
                    let mut dice = Dice::new(seed, &[entry.card.name, &sample.id]);
                    let Ok(change) = part.propose(&sample, &mut dice, &resources) else { continue };
                    let drawn: Vec<Key> = change.edits.iter().map(key).collect();
                    let listed = match alone {
                        // `max` holds for each text of its own, unless names change alike in all of them.
                        true if entry.card.renames => drawn.is_empty() || whole.contains(&drawn),
                        true => drawn.chunk_by(|one, next| one.0 == next.0).all(|text| whole.contains(text)),
                        false => drawn.iter().all(|edit| single.contains(edit)),
                    };
                    holds(listed, || format!("{drawn:?} is not listed {}", at(&sample, seed, &settings)))?;
                }
            }
        }
    }
    Ok(())
}

fn lists<'a>(place: &'a Place, sample: &'a Sample) -> impl Iterator<Item = Vec<Key>> + 'a {
    place.candidates.iter().map(|candidate| place.edits(candidate, sample).iter().map(key).collect())
}

/// A part that changes letters or words lists its candidates.
pub fn words_are_listed(entry: &'static Part) -> Verdict {
    let of_words = matches!(entry.card.level, Some(Level::Character | Level::Word));
    // Searches change words of any text; parts for tasks look at labels.
    if !of_words || !entry.card.requires.is_empty() || UNLISTED.contains(&entry.card.name) {
        return Ok(());
    }
    let (part, _) = entry.build(&[]).map_err(|error| error.to_string())?;
    let lists = nasty::plain_for(entry).iter().map(|sample| part.candidates(sample, &Resources::toy())).collect();
    let lists: Option<Vec<Vec<Place>>> = lists;
    let Some(lists) = lists else {
        return Err("a plain text has no list: write `candidates_for`, `candidates_in` or `candidates_of`".into());
    };
    holds(lists.iter().any(|places| !places.is_empty()), || "no plain text has a candidate".into())
}

/// Candidates can be carried out and change something, each is listed once, and places come in order.
pub fn candidates_are_sound(entry: &'static Part) -> Verdict {
    for settings in ways(entry) {
        let (part, _) = entry.build(&settings).map_err(|error| error.to_string())?;
        for sample in samples(entry) {
            let Some(places) = part.candidates(&sample, &Resources::toy()) else { continue };
            let fault = |what: String| format!("{what} {}", at(&sample, 0, &settings));
            let ordered = places.is_sorted_by_key(|place| (place.field, place.span));
            holds(ordered, || fault("places out of order".into()))?;
            for place in &places {
                let distinct: HashSet<Vec<Key>> = lists(place, &sample).collect();
                holds(distinct.len() == place.candidates.len(), || fault(format!("twice the same in {place:?}")))?;
                for candidate in place.candidates.iter().take(30) {
                    let edits = place.edits(candidate, &sample);
                    let applied = apply(&sample, edits).map_err(|bad| fault(format!("{bad}: {candidate:?}")))?;
                    let changed = applied.sample.fields != sample.fields || applied.refused > 0;
                    holds(changed, || fault(format!("{candidate:?} changes nothing")))?;
                }
            }
        }
    }
    Ok(())
}
