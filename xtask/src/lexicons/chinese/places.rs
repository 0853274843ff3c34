//! `chinese_places.txt`: provinces, cities and counties of China, and countries.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::super::Table;
use super::super::sources::{JIONLP, Sources};
use super::words::frequent;
use crate::Result;

pub const TABLE: Table = Table {
    name: "chinese_places",
    ending: "txt",
    what: "places by kind: p provinces, c cities, d counties and districts, n countries, f cities abroad, these two with their part of \
           the world; the short name, then the full one if it differs",
    licence: "Apache-2.0",
    made: "jionlp's china_location (down to counties) and world_location; short names of two or three characters that are no \
           other word of chinese_words",
    build,
};

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let words = frequent(sources)?;
    let is_name = |name: &str| {
        (2..=4).contains(&name.chars().count())
            && name.chars().all(fissure_text::chinese::is_han)
            && words.get(name).is_some_and(|(count, tag)| tag.starts_with("ns") && *count >= 10)
    };
    let mut found: BTreeSet<(u8, String, String, String)> = BTreeSet::new();
    for line in sources.text(&JIONLP, "jionlp/dictionary/china_location.txt")?.lines() {
        let depth = line.chars().take_while(|c| *c == '\t').count();
        let fields: Vec<&str> = line.trim_start_matches('\t').split('\t').collect();
        let (Some(kind), [full, _, short, ..]) = (['p', 'c', 'd'].get(depth), &fields[..]) else { continue };
        // Of a city that is a province the first entry is enough.
        let known = found.iter().any(|(_, _, other, _)| other == short);
        if is_name(short) && !known {
            found.insert((depth as u8, kind.to_string(), (*short).to_owned(), (*full).to_owned()));
        }
    }
    let mut part = "";
    for line in sources.text(&JIONLP, "jionlp/dictionary/world_location.txt")?.lines() {
        if let Some(heading) = line.strip_suffix(':') {
            part = part_of_the_world(heading)?;
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let [country, full, rest @ ..] = &fields[..] else { continue };
        let cities = rest.iter().flat_map(|list| list.split('/'));
        let mut add = |order: u8, kind: char, name: &str, full: &str| {
            if is_name(name) && !found.iter().any(|(_, _, other, _)| other == name) {
                found.insert((order, format!("{kind}:{part}"), name.to_owned(), full.to_owned()));
            }
        };
        add(3, 'n', country, full);
        cities.for_each(|city| add(4, 'f', city, city));
    }
    let mut text = String::from("# Places by kind. See manifest.toml.\n");
    for (_, kind, short, full) in found {
        if short == full { writeln!(text, "{kind} {short}")? } else { writeln!(text, "{kind} {short} {full}")? }
    }
    Ok(text.into_bytes())
}

/// The headings of the list.
fn part_of_the_world(heading: &str) -> Result<&'static str> {
    Ok(match heading {
        "亚洲" => "asia",
        "欧洲" => "europe",
        "非洲" => "africa",
        "大洋州" => "oceania",
        "北美洲" => "north_america",
        "南美洲" => "south_america",
        other => return Err(format!("{other:?} is no part of the world that is known here").into()),
    })
}
