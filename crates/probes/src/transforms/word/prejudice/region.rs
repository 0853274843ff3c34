//! Places of one region to places of another.

use std::collections::BTreeMap;

use fissure_core::{Dice, Edit, Sample};
use fissure_text::names::places::{self, Kind, Place};
use fissure_text::{Analysis, EntityKind, Penn, analyse, articles};

use super::Region;

pub fn edits(sample: &Sample, to: Region, dice: &mut Dice) -> Vec<Edit> {
    let mut new: BTreeMap<&str, &'static Place> = BTreeMap::new();
    let mut edits = Vec::new();
    for (index, field) in sample.fields.iter().enumerate().filter(|(_, field)| field.open) {
        let analysis = field.text.remember(analyse);
        let mut at = 0;
        while at < analysis.tokens().len() {
            let Some(mention) = mention(&analysis, at) else {
                at += 1;
                continue;
            };
            let known = new.get(mention.place.name).copied();
            if let Some(place) = known.or_else(|| another(&mention, to, &new, dice)) {
                new.insert(mention.place.name, place);
                edits.extend(rename(&analysis, &mention, place).into_iter().map(|edit| edit.on(index)));
            }
            at += mention.words;
        }
    }
    edits
}

/// A place in a text.
struct Mention {
    at: usize,
    words: usize,
    place: &'static Place,
    /// Whether its adjective stands there: `Dutch`.
    adjective: bool,
}

/// The longest place that starts at a token.
fn mention(analysis: &Analysis, at: usize) -> Option<Mention> {
    let word = analysis.word(at);
    if !word.starts_with(char::is_uppercase) || word == "The" {
        return None;
    }
    if let Some(place) = places::country_of(word) {
        let part_of_name = is_part_of_other_name(analysis, at, 1);
        return (!part_of_name && analysis.tag(at).is_some_and(|tag| matches!(tag.penn, Penn::Jj | Penn::Nnp)))
            .then_some(Mention { at, words: 1, place, adjective: true });
    }
    (1..=3).rev().find_map(|words| {
        let tokens = analysis.tokens().get(at..at + words)?;
        let name = analysis.text().get(tokens[0].span.start..tokens[words - 1].span.end)?;
        let (_, place) = places::find(name)?;
        (place.name == name && !is_part_of_other_name(analysis, at, words)).then_some(Mention {
            at,
            words,
            place,
            adjective: false,
        })
    })
}

/// Whether the words belong to the name of a person or an organisation, or to a longer name of a place.
fn is_part_of_other_name(analysis: &Analysis, at: usize, words: usize) -> bool {
    let entity = analysis.entities().iter().find(|entity| entity.tokens.contains(&at));
    let other = entity.is_some_and(|entity| {
        entity.kind != EntityKind::Place && entity.tokens.len() > words
            || entity.kind == EntityKind::Person
            || (entity.kind == EntityKind::Place && (entity.tokens.start < at || entity.tokens.end > at + words))
    });
    let capital = |at: usize| {
        analysis.tokens().get(at).is_some_and(|_| {
            analysis.word(at).starts_with(char::is_uppercase)
                && analysis.tag(at).is_some_and(|tag| matches!(tag.penn, Penn::Nnp | Penn::Nnps))
        })
    };
    // `Bank of China`, `Boston Globe`, `East Timor`
    let of = at >= 2 && analysis.word(at - 1) == "of" && capital(at - 2);
    let joined = |at: usize| analysis.word(at) == "-";
    other || of || capital(at + words) || (at > 0 && (capital(at - 1) || joined(at - 1))) || joined(at + words)
}

/// A place of another region, of the same kind and as often spoken of, with as many words.
fn another(
    mention: &Mention,
    to: Region,
    taken: &BTreeMap<&str, &'static Place>,
    dice: &mut Dice,
) -> Option<&'static Place> {
    let from = mention.place;
    let wanted = match to {
        Region::Other => None,
        Region::Africa => Some(places::Region::Africa),
        Region::Asia => Some(places::Region::Asia),
        Region::Europe => Some(places::Region::Europe),
        Region::NorthAmerica => Some(places::Region::NorthAmerica),
        Region::SouthAmerica => Some(places::Region::SouthAmerica),
        Region::Oceania => Some(places::Region::Oceania),
    };
    if wanted == Some(from.region) {
        return None;
    }
    let kind = |kind: Kind| if matches!(kind, Kind::Capital | Kind::City) { Kind::City } else { kind };
    let words = |name: &str| name.split(' ').count();
    let fits = |place: &Place| {
        place.region != from.region
            && wanted.is_none_or(|region| place.region == region)
            && (kind(place.kind) == kind(from.kind) || from.kind == Kind::State && place.kind == Kind::City)
            && place.takes_the == from.takes_the
            && words(place.name) == words(from.name)
            && place.adjective.is_empty() == from.adjective.is_empty()
            && words(place.adjective) == words(from.adjective)
            && !place.name.contains('-')
            && !taken.values().any(|other| other.name == place.name)
    };
    let all: Vec<(usize, &'static Place)> =
        places::all().iter().enumerate().filter(|(_, place)| fits(place)).take(60).collect();
    let rank = places::find(from.name).map_or(0, |(rank, _)| rank);
    let mut near = all;
    near.sort_by_key(|(other, _)| other.abs_diff(rank));
    near.truncate(8);
    near.get(dice.below(near.len())).map(|(_, place)| *place)
}

/// The new name word by word, with the article before it.
fn rename(analysis: &Analysis, mention: &Mention, place: &'static Place) -> Vec<Edit> {
    let new = if mention.adjective { place.adjective } else { place.name };
    let mut edits = Vec::new();
    // `The Chinese are`, but not `the Russian are`: without a noun behind it an adjective is a people or a language.
    let before_noun = analysis.tag(mention.at + 1).is_some_and(|tag| {
        matches!(tag.penn, Penn::Nn | Penn::Nns | Penn::Nnp | Penn::Nnps | Penn::Jj | Penn::Vbg | Penn::Vbn)
    });
    let people = |adjective: &str| ["ese", "ish", "ch"].iter().any(|ending| adjective.ends_with(ending));
    if mention.adjective && !before_noun && !(people(new) && people(analysis.word(mention.at))) {
        return Vec::new();
    }
    if let Some(before) =
        mention.at.checked_sub(1).filter(|at| ["a", "an"].contains(&analysis.word(*at).to_lowercase().as_str()))
    {
        let article = articles::article_before(new, analysis.word(before));
        if article != analysis.word(before) {
            edits.push(Edit::replace(analysis.tokens()[before].span.clone(), article));
        }
    }
    let old =
        (mention.at..mention.at + mention.words).map(|at| (analysis.word(at), analysis.tokens()[at].span.clone()));
    for ((old, span), new) in old.zip(new.split(' ')) {
        if old != new {
            edits.push(Edit::replace(span, new));
        }
    }
    edits
}
