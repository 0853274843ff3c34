//! Replaces names and numbers with others of the same kind, to make false statements.

use std::ops::Range;

use fissure_core::{Dice, Text};
use fissure_text::names::{Gender, organisations, people, places};
use fissure_text::{EntityKind, numbers};

use super::names;
use crate::transforms::word::swap_num;

/// Something else of the same kind as `answer`: another number, date, person, place or organisation. `in_use` says
/// what must not come out.
pub(crate) fn other_than(
    answer: &str,
    kind: Option<EntityKind>,
    in_use: impl Fn(&str) -> bool,
    dice: &mut Dice,
) -> Option<String> {
    (0..20).find_map(|_| {
        let made = draw(answer, kind, dice)?;
        (!in_use(&made) && made != answer).then_some(made)
    })
}

fn draw(answer: &str, kind: Option<EntityKind>, dice: &mut Dice) -> Option<String> {
    if let Some(kind) = kind {
        return name(answer, kind, dice);
    }
    if answer.contains(|sign: char| sign.is_ascii_digit()) || numbers::parse(answer).is_some() {
        return number(answer, dice);
    }
    None
}

/// The same words with every number another.
fn number(answer: &str, dice: &mut Dice) -> Option<String> {
    let text = Text::from(answer);
    let found = numbers::find(answer);
    let mut made = answer.to_owned();
    for (range, _) in found.iter().rev() {
        let new = another(&text, range.clone(), dice)?;
        made.replace_range(range.clone(), &new);
    }
    (!found.is_empty()).then_some(made)
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

/// Another name of the kind, of as many words if it is a person.
pub(crate) fn name(old: &str, kind: EntityKind, dice: &mut Dice) -> Option<String> {
    match kind {
        EntityKind::Person => {
            let words: Vec<&str> = old.split_whitespace().collect();
            let gender = words.first().and_then(|first| people::gender(first));
            let gender = gender.unwrap_or(if dice.chance(0.5) { Gender::Female } else { Gender::Male });
            let first = dice.pick(people::first_names(gender).get(..150)?)?.text;
            let last = dice.pick(people::surnames().get(..400)?)?.text;
            match words.len() {
                1 => Some(last.to_owned()),
                2 | 3 => Some(format!("{first} {last}")),
                _ => None,
            }
        }
        EntityKind::Place => {
            let (_, place) = places::find(old)?;
            let alike: Vec<&places::Place> = places::of_kind(place.kind).map(|(_, place)| place).take(120).collect();
            dice.pick(&alike).map(|place| place.name.to_owned())
        }
        EntityKind::Organisation => {
            let (kind, _) = organisations::find(old)?;
            dice.pick(organisations::of_kind(kind)).map(|name| (*name).to_owned())
        }
    }
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
