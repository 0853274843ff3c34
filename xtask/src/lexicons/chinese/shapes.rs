//! `chinese_shapes.txt`: characters that look alike.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::super::Table;
use super::super::sources::{PYCORRECTOR, Sources};
use crate::Result;

pub const TABLE: Table = Table {
    name: "chinese_shapes",
    ending: "txt",
    what: "a common character, then common characters that look like it, the most alike first",
    licence: "Apache-2.0",
    made: "groups of pycorrector's same_stroke, pairs of common characters whose strokes differ by at most a fifth",
    build,
};

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let file = |name: &str| sources.text(&PYCORRECTOR, &format!("pycorrector/data/{name}.txt"));
    let common: BTreeSet<char> = file("common_char_set")?.chars().filter(|c| !c.is_whitespace()).collect();
    let strokes = file("stroke")?;
    let strokes: BTreeMap<char, &str> = strokes
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(c, s)| Some((c.chars().next()?, s)))
        .collect();
    let mut alike: BTreeMap<char, BTreeSet<(usize, char)>> = BTreeMap::new();
    for line in file("same_stroke")?.lines() {
        let group: Vec<char> = line.chars().filter(|c| common.contains(c)).collect();
        for one in &group {
            for other in group.iter().filter(|other| *other != one) {
                let (Some(first), Some(second)) = (strokes.get(one), strokes.get(other)) else { continue };
                let apart = edits(first.as_bytes(), second.as_bytes());
                if apart * 5 <= first.len().max(second.len()) {
                    alike.entry(*one).or_default().insert((apart, *other));
                }
            }
        }
    }
    let mut text = String::from("# A character, then those that look like it. See manifest.toml.\n");
    for (c, alike) in alike {
        let alike: Vec<String> = alike.iter().map(|(_, other)| other.to_string()).collect();
        writeln!(text, "{c} {}", alike.join(" "))?;
    }
    Ok(text.into_bytes())
}

/// The edit distance.
fn edits(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let kept = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = kept.min(row[j] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}
