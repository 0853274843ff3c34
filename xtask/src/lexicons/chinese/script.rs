//! `chinese_script.txt`: simplified and traditional characters.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::Table;
use super::super::sources::{OPENCC, Sources};
use crate::Result;

pub const TABLE: Table = Table {
    name: "chinese_script",
    ending: "txt",
    what: "t: a traditional character and its simplified one; s: a simplified character and its usual traditional one; p: words \
           whose traditional form is not that of their characters one by one",
    licence: "Apache-2.0",
    made: "the tables of OpenCC, the first of several forms in the variant of Taiwan; words of up to six characters that hold no shorter word of the table \
           with the same effect",
    build,
};

const LONGEST: usize = 6;

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let file = |name: &str| sources.text(&OPENCC, &format!("opencc/dictionary/{name}.txt"));
    // The forms that are written today: 吃 and not 喫.
    let today: BTreeMap<String, String> = entries(&file("TWVariants")?).into_iter().collect();
    let modern = |text: &str| -> String {
        text.chars().map(|c| today.get(&c.to_string()).cloned().unwrap_or_else(|| c.to_string())).collect()
    };
    let mut text = String::from("# Simplified and traditional characters. See manifest.toml.\n");
    for (from, to) in entries(&file("TSCharacters")?) {
        if from != to && from.chars().count() == 1 && to.chars().count() == 1 {
            writeln!(text, "t {from} {to}")?;
        }
    }
    let characters: BTreeMap<String, String> =
        entries(&file("STCharacters")?).into_iter().map(|(from, to)| (from, modern(&to))).collect();
    for (from, to) in characters.iter().filter(|(from, to)| from != to && to.chars().count() == 1) {
        writeln!(text, "s {from} {to}")?;
    }
    let mut phrases: Vec<(String, String)> =
        entries(&file("STPhrases")?).into_iter().map(|(from, to)| (from, modern(&to))).collect();
    phrases.sort_by_key(|(from, _)| (from.chars().count(), from.clone()));
    let mut kept: BTreeMap<String, String> = BTreeMap::new();
    for (from, to) in phrases {
        let count = from.chars().count();
        if (2..=LONGEST).contains(&count) && to.chars().count() == count && convert(&from, &characters, &kept) != to {
            kept.insert(from, to);
        }
    }
    for (from, to) in &kept {
        writeln!(text, "p {from} {to}")?;
    }
    Ok(text.into_bytes())
}

fn entries(text: &str) -> Vec<(String, String)> {
    let entry = |line: &str| {
        let (from, to) = line.split_once('\t')?;
        Some((from.to_owned(), to.split(' ').next()?.to_owned()))
    };
    text.lines().filter_map(entry).collect()
}

/// The text in traditional characters, the longest known word first.
fn convert(text: &str, characters: &BTreeMap<String, String>, phrases: &BTreeMap<String, String>) -> String {
    let letters: Vec<char> = text.chars().collect();
    let (mut made, mut at) = (String::new(), 0);
    while at < letters.len() {
        let word = |length: usize| letters[at..at + length].iter().collect::<String>();
        let longest = (2..=LONGEST.min(letters.len() - at)).rev().find(|length| phrases.contains_key(&word(*length)));
        let length = longest.unwrap_or(1);
        let known = if longest.is_some() { phrases.get(&word(length)) } else { characters.get(&word(1)) };
        made.push_str(known.unwrap_or(&word(length)));
        at += length;
    }
    made
}
