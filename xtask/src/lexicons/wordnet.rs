//! `wordnet.bin`: synsets, senses in order of frequency, antonyms, hypernyms.

use super::Table;
use super::sources::Sources;
use super::wordnet_files::{Database, read};
use crate::Result;
use fissure_text::wordnet::{Source, SynsetSource};
use std::collections::BTreeMap;

pub const TABLE: Table = Table {
    name: "wordnet",
    ending: "bin",
    what: "WordNet 3.0: synsets with part of speech and topic, senses in order of frequency, antonyms, hypernyms, similar adjectives",
    licence: "WordNet 3.0 (permissive, attribution; see WORDNET-LICENSE)",
    made: "all synsets and words of the database files; glosses, frames and the other pointers are left out",
    build,
};

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let database = read(sources)?;
    let order = order(&database);
    let counts = member_counts(&database);
    let synsets = database.synsets.iter().zip(counts).map(|(synset, counts)| {
        let linked = |signs: &[&str]| {
            let pointers = synset.pointers.iter().filter(|(sign, ..)| signs.contains(&sign.as_str()));
            pointers.map(|(_, number, ..)| *number).collect()
        };
        SynsetSource {
            topic: synset.topic,
            members: synset.words.iter().cloned().zip(counts).collect(),
            hypernyms: linked(&["@", "@i"]),
            similar: linked(&["&"]),
        }
    });
    let mut antonyms: Vec<[(u32, u8); 2]> = Vec::new();
    for (number, synset) in database.synsets.iter().enumerate() {
        let opposed = synset.pointers.iter().filter(|(sign, _, here, there)| sign == "!" && *here > 0 && *there > 0);
        antonyms.extend(
            opposed.map(|(_, other, here, there)| [(number as u32, *here as u8 - 1), (*other, *there as u8 - 1)]),
        );
    }
    // Most pairs are listed from both sides, and in the order of their pointers; those of one word keep that order.
    let listed = antonyms.clone();
    antonyms.extend(listed.iter().map(|[one, other]| [*other, *one]));
    let mut kept: Vec<[(u32, u8); 2]> = Vec::new();
    antonyms.sort_by_key(|[one, _]| *one);
    antonyms.into_iter().for_each(|pair| {
        if !kept.contains(&pair) {
            kept.push(pair);
        }
    });
    Ok(Source { synsets: synsets.collect(), ends: database.ends, order, antonyms: kept }.pack())
}

/// For each word its synsets, kind after kind.
fn order(database: &Database) -> BTreeMap<String, Vec<u32>> {
    let mut order: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (_, word, synsets) in &database.index {
        order.entry(word.clone()).or_default().extend(synsets);
    }
    order
}

/// How often each member of each synset was tagged.
fn member_counts(database: &Database) -> Vec<Vec<u16>> {
    let mut counts: Vec<Vec<u16>> = database.synsets.iter().map(|synset| vec![0; synset.words.len()]).collect();
    for (kind, word, synsets) in &database.index {
        for (sense, synset) in synsets.iter().enumerate() {
            if let Some(count) = database.counts.get(&(word.clone(), *kind, sense + 1)) {
                let words = &database.synsets[*synset as usize].words;
                if let Some(place) = words.iter().position(|member| member.to_lowercase() == *word) {
                    counts[*synset as usize][place] = *count;
                }
            }
        }
    }
    counts
}
