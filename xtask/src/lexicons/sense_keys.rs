//! `sense_keys.txt`: words that share a sense, with the keys that WordNet has for it.

use super::Table;
use super::sources::{Sources, WORDNET};
use super::wordnet_files::KINDS;
use crate::Result;
use std::collections::HashSet;
use std::fmt::Write;

pub const TABLE: Table = Table {
    name: "sense_keys",
    ending: "txt",
    what: "synsets of several single words that tagged texts have in this sense: type and file of the key, then word:number",
    licence: "WordNet 3.0 (permissive, attribution; see WORDNET-LICENSE)",
    made: "nouns, verbs, adjectives that are no satellites, and adverbs; words whose sense key was counted in the tagged texts at least once",
    build,
};

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let counts = sources.text(&WORDNET, "usr/share/wordnet/cntlist.rev")?;
    let met: HashSet<&str> = counts.lines().filter_map(|line| line.split(' ').next()).collect();
    let mut table = String::new();
    for (at, (_, name)) in KINDS.iter().enumerate() {
        let data = sources.text(&WORDNET, &format!("usr/share/wordnet/data.{name}"))?;
        for line in data.lines().filter(|line| !line.starts_with(' ')) {
            let fields: Vec<&str> = line.split(' ').collect();
            if fields[2] == "s" {
                continue;
            }
            let count = usize::from_str_radix(fields[3], 16)?;
            let mut members = String::new();
            let mut found = 0;
            for place in 0..count {
                let word = fields[4 + 2 * place].split('(').next().unwrap_or("");
                let number = u8::from_str_radix(fields[5 + 2 * place], 16)?;
                let key = format!("{word}%{}:{}:{number:02}::", at + 1, fields[1]);
                if word.bytes().all(|byte| byte.is_ascii_lowercase()) && met.contains(key.as_str()) {
                    write!(members, " {word}:{number:02}")?;
                    found += 1;
                }
            }
            if found > 1 {
                writeln!(table, "{}:{}{members}", at + 1, fields[1])?;
            }
        }
    }
    Ok(table.into_bytes())
}
