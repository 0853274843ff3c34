//! `instances.txt`: people and places with a short neutral description, from the instances of WordNet.

use super::Table;
use super::sources::Sources;
use super::wordnet_files::{Database, Synset, read};
use crate::Result;
use fissure_text::polarity;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

pub const TABLE: Table = Table {
    name: "instances",
    ending: "txt",
    what: "people and places: `p` or `l`, a description, the names",
    licence: "WordNet 3.0 (permissive, attribution; see WORDNET-LICENSE)",
    made: "instances of people and places with the start of their gloss, if it is two to twelve words long and charged with no feeling; names that are names of one thing only",
    build,
};

/// The numbers of WordNet's noun.location and noun.person.
const TOPICS: [(u8, char); 2] = [(15, 'l'), (18, 'p')];
/// What a description is cut at: the rest tells more than who or what it is.
const CUTS: [&str; 14] = [
    ";",
    "(",
    ",",
    " who ",
    " whose ",
    " whom ",
    " which ",
    " that ",
    " noted ",
    " remembered ",
    " known ",
    " and is ",
    " during ",
    " when ",
];
const WORDS: std::ops::RangeInclusive<usize> = 2..=12;
/// Charged words that only name a trade.
const TRADES: [&str; 1] = ["comedian"];

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let database = read(sources)?;
    let mut senses: HashMap<&str, usize> = HashMap::new();
    for (_, word, synsets) in &database.index {
        *senses.entry(word).or_default() += synsets.len();
    }
    let mut lines: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (synset, kind) in instances(&database) {
        let Some(said) = description(&synset.gloss) else { continue };
        let own = |name: &&String| is_name(name) && senses.get(&*name.to_lowercase()) == Some(&1);
        let names: Vec<&str> = synset.words.iter().filter(own).map(String::as_str).collect();
        if !names.is_empty() {
            lines.entry(format!("{}\t{kind}\t{said}", names[0])).or_default().extend(names);
        }
    }
    let mut table = String::new();
    let mut seen = HashSet::new();
    for (line, names) in lines {
        let line = line.split_once('\t').map_or("", |(_, line)| line);
        let names: Vec<&str> = names.into_iter().filter(|name| seen.insert(name.to_owned())).collect();
        if !names.is_empty() {
            writeln!(table, "{line}\t{}", names.join("\t"))?;
        }
    }
    Ok(table.into_bytes())
}

fn instances(database: &Database) -> impl Iterator<Item = (&Synset, char)> {
    database.synsets[..database.ends[0]].iter().filter_map(|synset| {
        let kind = TOPICS.iter().find(|(topic, _)| *topic == synset.topic)?.1;
        synset.pointers.iter().any(|(sign, ..)| sign == "@i").then_some((synset, kind))
    })
}

/// The start of a gloss, if it describes in a few plain words.
fn description(gloss: &str) -> Option<String> {
    let end = CUTS.iter().filter_map(|cut| gloss.find(cut)).min().unwrap_or(gloss.len());
    let said = gloss[..end].trim();
    let words: Vec<&str> = said.split_whitespace().collect();
    let plain = |word: &&str| word.chars().all(|sign| sign.is_ascii_alphabetic() || sign == '-' || sign == '\'');
    let charged = |word: &&str| polarity::is_charged(&word.to_lowercase()) && !TRADES.contains(word);
    let last = words.last()?.to_lowercase();
    let hangs = [
        "of", "in", "the", "a", "by", "for", "with", "to", "on", "at", "from", "and", "or", "as", "located", "under",
        "near", "is", "between", "over", "into", "was", "off",
    ];
    let whole = !hangs.contains(&last.as_str()) && !last.ends_with("ly");
    (WORDS.contains(&words.len()) && words.iter().all(plain) && !words.iter().any(charged) && whole)
        .then(|| words.join(" "))
}

/// Whether a word of WordNet is written as a name is: every word with a capital, or a small one in between.
fn is_name(name: &str) -> bool {
    let mut words = name.split(' ');
    let first = words.next().is_some_and(|word| word.len() > 2 && is_capital(word));
    let last = name.split(' ').next_back().is_some_and(is_capital);
    let small = ["of", "the", "de", "la", "von", "van", "and", "del", "da", "le", "y", "du", "der", "am", "e"];
    first && last && words.all(|word| is_capital(word) || small.contains(&word)) && name.len() < 40
}

fn is_capital(word: &str) -> bool {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_uppercase() || sign == '.');
    word.starts_with(|first: char| first.is_ascii_uppercase())
        && rest.chars().all(|sign| sign.is_ascii_alphabetic() || sign == '-' || sign == '\'' || sign == '.')
        && !rest.is_empty()
}
