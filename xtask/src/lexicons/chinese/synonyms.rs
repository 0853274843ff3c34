//! `chinese_synonyms.txt`: words that mean the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::super::Table;
use super::super::sources::{COW, Sources};
use super::words::frequent;
use crate::Result;

pub const TABLE: Table = Table {
    name: "chinese_synonyms",
    ending: "txt",
    what: "a word and its part of speech in WordNet, then words that share senses with it, each with the percentage of the senses \
           of both that they share, the highest first",
    licence: "Chinese Open Wordnet (permissive, attribution; see CHINESE-WORDNET-LICENSE)",
    made: "synsets of the Chinese Open Wordnet; words of chinese_words that were counted at least 30 times and have the same usual \
           part of speech there",
    build,
};

const LEAST: u32 = 30;

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let words = frequent(sources)?;
    let file = sources.text(&COW, "wn-data-cmn.tab")?;
    let mut senses: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut members: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, "cmn:lemma", lemma] = fields[..] else { continue };
        let Some((_, kind)) = id.split_once('-') else { continue };
        // Adjectives end in `+的`, which is no part of the word.
        let word = lemma.split('+').next().unwrap_or(lemma).trim();
        if words.get(word).is_some_and(|(count, _)| *count >= LEAST) && word.chars().count() > 1 {
            let kind = if kind == "s" { "a" } else { kind };
            senses.entry((word, kind)).or_default().insert(id);
            members.entry(id).or_default().insert(word);
        }
    }
    let group = |word: &str| words.get(word).and_then(|(_, tag)| tag.chars().next());
    let mut text = String::from("# Words that share senses. See manifest.toml.\n");
    for ((word, kind), own) in &senses {
        let others: BTreeSet<&str> =
            own.iter().flat_map(|id| &members[id]).copied().filter(|other| other != word).collect();
        let mut found: Vec<(usize, u32, &str)> = Vec::new();
        for other in others {
            let Some(theirs) = senses.get(&(other, *kind)) else { continue };
            let shared = own.intersection(theirs).count();
            let share = 100 * shared / own.union(theirs).count();
            if group(word) == group(other) && share > 0 {
                found.push((share, words[other].0, other));
            }
        }
        found.sort_by_key(|(share, count, other)| (std::cmp::Reverse((*share, *count)), *other));
        if !found.is_empty() {
            write!(text, "{word} {kind}")?;
            for (share, _, other) in found.iter().take(8) {
                write!(text, " {other}:{share}")?;
            }
            text.push('\n');
        }
    }
    Ok(text.into_bytes())
}
