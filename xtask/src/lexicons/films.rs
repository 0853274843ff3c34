//! `films.txt`: titles of films with their year and director.

use super::Table;
use super::sources::{FILMS, Sources};
use crate::Result;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

pub const TABLE: Table = Table {
    name: "films",
    ending: "txt",
    what: "films: title, year, director or nothing",
    licence: "BSD-3-Clause",
    made: "films that 2,000 people or more have rated, or whose director is named, with titles of plain letters, each title once",
    build,
};

/// The years that the source has films of; others are slips.
const YEARS: std::ops::RangeInclusive<u16> = 1915..=2010;
const RATED: u64 = 2_000;

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let films: Vec<Value> = serde_json::from_slice(&sources.bytes(&FILMS, "data/movies.json")?)?;
    let mut titles: BTreeMap<&str, Vec<(u16, &str)>> = BTreeMap::new();
    for film in &films {
        let director = film["Director"].as_str().unwrap_or("");
        let rated = film["IMDB Votes"].as_u64().is_some_and(|votes| votes >= RATED);
        let year = film["Release Date"].as_str().and_then(|date| date.rsplit(' ').next()?.parse().ok());
        let Some((title, year)) = film["Title"].as_str().zip(year) else { continue };
        if is_title(title) && YEARS.contains(&year) && (rated || !director.is_empty()) {
            titles.entry(title).or_default().push((year, director));
        }
    }
    let mut table = String::new();
    // A title that was used twice does not tell which film is meant.
    for (title, films) in titles {
        if let [(year, director)] = films[..] {
            writeln!(table, "{title}\t{year}\t{director}")?;
        }
    }
    Ok(table.into_bytes())
}

fn is_title(title: &str) -> bool {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || " '&-".contains(sign);
    let capital = |word: &str| word.starts_with(|first: char| first.is_ascii_uppercase() || first.is_ascii_digit());
    let words: Vec<&str> = title.split(' ').collect();
    title.chars().all(plain)
        && title.len() >= 4
        && words.len() <= 6
        && words.first().is_some_and(|word| capital(word))
        && words.last().is_some_and(|word| capital(word))
        && title.contains(char::is_alphabetic)
}
