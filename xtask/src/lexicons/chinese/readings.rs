//! `chinese_readings.txt`: how characters are read, and words in which they are read otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;

use super::super::Table;
use super::super::sources::{PYPINYIN, Sources};
use super::words::frequent;
use crate::Result;

pub const TABLE: Table = Table {
    name: "chinese_readings",
    ending: "txt",
    what: "the usual readings of characters, the most usual first; after `=`, words with the readings of their characters",
    licence: "MIT",
    made: "characters of the words of chinese_words; readings that at least one in twenty of pypinyin's phrases with the character \
           has, or the first one; words of chinese_words that hold a character with several readings",
    build,
};

type Readings = BTreeMap<char, Vec<(usize, String)>>;

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let words = frequent(sources)?;
    let phrases = object(&sources.text(&PYPINYIN, "pypinyin/phrases_dict.json")?)?;
    let first = object(&sources.text(&PYPINYIN, "pypinyin/pinyin_dict.json")?)?;
    let phrases: BTreeMap<&str, Vec<String>> =
        phrases.iter().filter_map(|(phrase, read)| Some((phrase.as_str(), syllables(phrase, read)?))).collect();
    let mut counted: BTreeMap<char, BTreeMap<&str, usize>> = BTreeMap::new();
    for (phrase, read) in &phrases {
        for (c, syllable) in phrase.chars().zip(read) {
            *counted.entry(c).or_default().entry(syllable).or_default() += 1;
        }
    }
    let used: BTreeSet<char> = words.keys().flat_map(|word| word.chars()).collect();
    let mut readings: Readings = BTreeMap::new();
    for c in used {
        let Some(listed) = first.get(&(c as u32).to_string()).and_then(Value::as_str) else { continue };
        let mut known: Vec<(usize, String)> = Vec::new();
        for syllable in listed.split(',').filter_map(numbered) {
            let count = counted.get(&c).and_then(|counts| counts.get(syllable.as_str())).copied().unwrap_or(0);
            if !known.iter().any(|(_, other)| *other == syllable) {
                known.push((count, syllable));
            }
        }
        known.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let all: usize = known.iter().map(|(count, _)| count).sum();
        let usual = |(at, (count, _)): &(usize, &(usize, String))| *at == 0 || (*count > 1 && count * 20 >= all);
        let usual: Vec<(usize, String)> = known.iter().enumerate().filter(usual).map(|(_, one)| one.clone()).collect();
        readings.insert(c, usual);
    }
    let mut text = String::from("# Readings of characters and words. See manifest.toml.\n");
    for (c, known) in &readings {
        let known: Vec<&str> = known.iter().map(|(_, syllable)| syllable.as_str()).collect();
        if !known.is_empty() {
            writeln!(text, "{c} {}", known.join(" "))?;
        }
    }
    let several = |word: &str| word.chars().any(|c| readings.get(&c).is_none_or(|known| known.len() > 1));
    for word in words.keys().filter(|word| word.chars().count() > 1 && several(word)) {
        if let Some(read) = phrases.get(word.as_str()) {
            writeln!(text, "={word} {}", read.join(" "))?;
        }
    }
    Ok(text.into_bytes())
}

fn object(text: &str) -> Result<serde_json::Map<String, Value>> {
    match serde_json::from_str(text)? {
        Value::Object(map) => Ok(map),
        _ => Err("the readings are no JSON object".into()),
    }
}

/// The readings of a phrase, one syllable for each character.
fn syllables(phrase: &str, read: &Value) -> Option<Vec<String>> {
    let read: Vec<String> =
        read.as_array()?.iter().map(|one| numbered(one.as_array()?.first()?.as_str()?)).collect::<Option<_>>()?;
    (read.len() == phrase.chars().count()).then_some(read)
}

/// `háng` as `hang2`; the neutral tone is 5, `ü` is `v`.
fn numbered(syllable: &str) -> Option<String> {
    const MARKED: [(&str, char); 6] =
        [("āáǎà", 'a'), ("ēéěè", 'e'), ("īíǐì", 'i'), ("ōóǒò", 'o'), ("ūúǔù", 'u'), ("ǖǘǚǜ", 'v')];
    let (mut plain, mut tone) = (String::new(), 5);
    for c in syllable.chars() {
        let marked =
            MARKED.iter().find_map(|(marked, base)| Some((*base, marked.chars().position(|one| one == c)? + 1)));
        match (c, marked) {
            (_, Some((base, found))) => {
                plain.push(base);
                tone = found;
            }
            ('ü', None) => plain.push('v'),
            ('a'..='z', None) => plain.push(c),
            _ => return None,
        }
    }
    (!plain.is_empty()).then(|| format!("{plain}{tone}"))
}
