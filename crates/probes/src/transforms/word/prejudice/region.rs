//! Places of one region to places of another.

use std::collections::BTreeMap;
use std::sync::Arc;

use fissure_core::{Dice, Edit, Proposal, Sample, Skip, disagreement};
use fissure_text::names::places::{self, Kind, Place};
use fissure_text::{Analysis, EntityKind, Penn, analyse, articles};

use super::Region;
use crate::support::agreement::{self, says};

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
            if let Some(place) = known.or_else(|| another(mention.place, to, |place| !is_taken(&new, place), dice)) {
                new.insert(mention.place.name, place);
                edits.extend(rename(&analysis, &mention, place).into_iter().map(|edit| edit.on(index)));
            }
            at += mention.words;
        }
    }
    edits
}

/// The edits of a sample whose texts are compared, or have a question asked about them: countries are moved first and
/// their cities with them, in all texts alike, and no place becomes one that the sample speaks of.
pub fn plan(sample: &Sample, to: Region, dice: &mut Dice) -> Proposal {
    let mut mentions: Vec<(usize, Arc<Analysis>, Mention)> = Vec::new();
    for (index, field) in agreement::texts(sample) {
        let analysis = field.text.remember(analyse);
        let mut at = 0;
        while at < analysis.tokens().len() {
            let found = mention(&analysis, at);
            at += found.as_ref().map_or(1, |mention| mention.words);
            mentions.extend(found.map(|mention| (index, Arc::clone(&analysis), mention)));
        }
    }
    let open = mentions.iter().filter(|(index, _, _)| sample.fields[*index].open);
    let mut places: Vec<&'static Place> = open.map(|(_, _, mention)| mention.place).collect();
    places.sort_by_key(|place| place.kind != Kind::Country);
    let mut new: BTreeMap<&str, &'static Place> = BTreeMap::new();
    for from in places {
        if new.contains_key(from.name) || is_in(from, to) {
            continue;
        }
        let country = new.get(from.country).map(|country| country.name);
        if country.is_none() && from.kind != Kind::Country && agreement::says_country(sample, from) {
            return Err(Skip("a place would leave its country or continent".into()));
        }
        let fits = |place: &Place| {
            !is_taken(&new, place)
                && country.is_none_or(|country| place.country == country)
                && !says(sample, place.name)
                && (place.adjective.is_empty() || !says(sample, place.adjective))
        };
        let Some(place) = another(from, to, fits, dice) else {
            return Err(Skip("a place cannot be moved together with the others".into()));
        };
        new.insert(from.name, place);
    }
    let has = |kinds: &[Kind]| {
        new.keys().any(|name| places::find(name).is_some_and(|(_, place)| kinds.contains(&place.kind)))
    };
    let tied = new.keys().any(|name| agreement::says_other_name(sample, name))
        || (has(&[Kind::State]) && has(&[Kind::City, Kind::Capital]))
        || CONTINENTS.iter().any(|continent| says(sample, continent));
    if !new.is_empty() && tied {
        return Err(Skip("a place would leave its country or continent".into()));
    }
    let edits: Vec<Edit> = mentions
        .iter()
        .filter_map(|(index, analysis, mention)| {
            let place = new.get(mention.place.name)?;
            Some(rename(analysis, mention, place).into_iter().map(|edit| edit.on(*index)))
        })
        .flatten()
        .collect();
    match disagreement(sample, &edits, agreement::capitals) {
        Some(apart) => Err(apart.into()),
        None => Ok(edits),
    }
}

/// What a place cannot be moved out of unseen.
const CONTINENTS: [&str; 14] = [
    "Africa",
    "African",
    "Asia",
    "Asian",
    "Europe",
    "European",
    "Europeans",
    "America",
    "Americas",
    "Oceania",
    "Mediterranean",
    "Caribbean",
    "Scandinavia",
    "Pacific",
];

fn is_taken(new: &BTreeMap<&str, &'static Place>, place: &Place) -> bool {
    new.values().any(|other| other.name == place.name)
}

/// Whether the place is where places are to go.
fn is_in(place: &Place, to: Region) -> bool {
    region(to) == Some(place.region)
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

/// The part of the world that is asked for; `None` for any other.
pub(super) fn region(to: Region) -> Option<places::Region> {
    match to {
        Region::Other => None,
        Region::Africa => Some(places::Region::Africa),
        Region::Asia => Some(places::Region::Asia),
        Region::Europe => Some(places::Region::Europe),
        Region::NorthAmerica => Some(places::Region::NorthAmerica),
        Region::SouthAmerica => Some(places::Region::SouthAmerica),
        Region::Oceania => Some(places::Region::Oceania),
    }
}

/// A place of another region that `may` be it, of the same kind and as often spoken of, with as many words.
fn another(from: &Place, to: Region, may: impl Fn(&Place) -> bool, dice: &mut Dice) -> Option<&'static Place> {
    let wanted = region(to);
    if is_in(from, to) {
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
            && may(place)
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
