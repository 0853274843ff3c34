//! `chinese_words.bin`: words with their counts and tags.

use std::collections::BTreeMap;

use fissure_text::lexicon::Writer;

use super::super::Table;
use super::super::sources::{JIEBA, Sources};
use crate::Result;

pub const TABLE: Table = Table {
    name: "chinese_words",
    ending: "bin",
    what: "149,000 words of Chinese with their counts (as logarithms) and their usual parts of speech",
    licence: "MIT",
    made: "the words of jieba that were counted at least four times",
    build,
};

/// Rarer words are names and phrases of one text.
const LEAST: u32 = 4;

/// `(word, count, tag)` of every word that is frequent enough, in the order of their characters.
pub fn frequent(sources: &Sources) -> Result<BTreeMap<String, (u32, String)>> {
    let text = sources.text(&JIEBA, "jieba/dict.txt")?;
    let mut words = BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [word, count, tag] = fields[..] else { return Err(format!("{line:?} is no word, count and tag").into()) };
        let count: u32 = count.parse()?;
        if count >= LEAST {
            words.insert(word.to_owned(), (count, tag.to_owned()));
        }
    }
    Ok(words)
}

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let words = frequent(sources)?;
    let mut tags: Vec<&str> = words.values().map(|(_, tag)| tag.as_str()).collect();
    tags.sort_unstable();
    tags.dedup();
    let weight = |count: f64| (count.ln() * 10.0).round();
    let total: f64 = words.values().map(|(count, _)| f64::from(*count)).sum();
    let names: Vec<&String> = words.keys().collect();
    let weights: Vec<u8> = words.values().map(|(count, _)| weight(f64::from(*count)) as u8).collect();
    let numbers: Vec<u8> =
        words.values().map(|(_, tag)| tags.iter().position(|known| known == tag).unwrap_or(0) as u8).collect();
    let mut writer = Writer::default();
    writer.words(&tags);
    writer.number(weight(total) as u64);
    writer.words(&names);
    writer.bytes(&weights);
    writer.bytes(&numbers);
    Ok(writer.finish())
}
