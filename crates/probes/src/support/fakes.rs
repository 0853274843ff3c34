//! Replaces names and numbers with others of the same kind, to make false statements.

use std::ops::Range;

use fissure_core::{Dice, Text};
use fissure_text::names::{Gender, organisations, people, places};
use fissure_text::{EntityKind, inflection};

mod answers;
mod sisters;

use super::names;
use crate::transforms::word::swap_num;

pub(crate) use answers::{can_change, made_up, other_thing};

/// Another name of the same kind as `old`. `in_use` says what must not come out.
pub(crate) fn other_than(
    old: &str,
    kind: EntityKind,
    in_use: impl Fn(&str) -> bool,
    dice: &mut Dice,
) -> Option<String> {
    (0..20).find_map(|_| name(old, kind, dice).filter(|made| !in_use(made) && made != old))
}

/// Another number; a year stays one of its own time.
pub(crate) fn another(text: &Text, range: Range<usize>, dice: &mut Dice) -> Option<String> {
    let old = &text[range.clone()];
    match old.parse::<i64>() {
        Ok(year @ 1000..=2030) if old.len() == 4 => {
            let new = (year - 40 + dice.below(60) as i64).clamp(1000, 2020);
            (new != year).then(|| new.to_string())
        }
        _ => swap_num::another(text, range, dice),
    }
}

/// Another name of the kind: as many words if it is a person, the same article if it is a place.
pub(crate) fn name(old: &str, kind: EntityKind, dice: &mut Dice) -> Option<String> {
    match kind {
        EntityKind::Person => person(old, dice),
        EntityKind::Place => {
            let (_, place) = places::find(old)?;
            place_like(place.kind, place.takes_the, dice)
        }
        EntityKind::Organisation => {
            let (kind, _) = organisations::find(old)?;
            // `the Red Cross` but `Microsoft`: of these the list does not say which has an article.
            let plain = ["company", "bank", "university", "media"].contains(&kind);
            let names = organisations::of_kind(kind);
            dice.pick(names).filter(|_| plain).map(|name| (*name).to_owned())
        }
    }
}

/// Another person: a first name for a first name, a surname for a surname.
fn person(old: &str, dice: &mut Dice) -> Option<String> {
    let words: Vec<&str> = old.split_whitespace().collect();
    let known = words.first().and_then(|first| people::gender(first));
    let gender = known.unwrap_or(if dice.chance(0.5) { Gender::Female } else { Gender::Male });
    // `King` and `White` are words.
    let is_word = |name: &str| {
        places::find(name).is_some()
            || ["NN", "VB", "JJ"].iter().any(|tag| inflection::is_lemma(&name.to_lowercase(), tag))
    };
    let first =
        dice.pick(people::first_names(gender).get(..150)?).map(|name| name.text).filter(|name| !is_word(name))?;
    let last = dice.pick(people::surnames().get(..400)?).map(|name| name.text).filter(|name| !is_word(name))?;
    match words.len() {
        1 if known.is_some() => Some(first.to_owned()),
        1 => Some(last.to_owned()),
        2 | 3 => Some(format!("{first} {last}")),
        _ => None,
    }
}

/// A well-known place of that kind, with or without an article before it.
pub(crate) fn place_like(kind: places::Kind, the: bool, dice: &mut Dice) -> Option<String> {
    let fits = |place: &&places::Place| place.takes_the == the && place.name.split(' ').count() < 3;
    let alike: Vec<&places::Place> = places::of_kind(kind).map(|(_, place)| place).filter(fits).take(100).collect();
    dice.pick(&alike).map(|place| place.name.to_owned())
}

/// What kind of name a text as a whole is, by the recogniser and the lists.
pub(crate) fn kind_of(text: &str) -> Option<EntityKind> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if places::find(text).is_some() {
        return Some(EntityKind::Place);
    }
    if organisations::find(text).is_some() {
        return Some(EntityKind::Organisation);
    }
    names::is_plain_person(&words).then_some(EntityKind::Person)
}
