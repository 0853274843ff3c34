//! `chinese_given_names.txt`: given names.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::Table;
use super::super::sources::{PYCORRECTOR, Sources};
use crate::Result;
use crate::manifest::folder;

pub const TABLE: Table = Table {
    name: "chinese_given_names",
    ending: "txt",
    what: "given names of one or two characters that several people have, the most frequent first",
    licence: "Apache-2.0",
    made: "names of pycorrector's person_name of two or three characters that begin with a surname of chinese_surnames, without \
           the surname; those that at least two surnames go with",
    build,
};

fn build(sources: &Sources) -> Result<Vec<u8>> {
    let surnames = std::fs::read_to_string(folder().join("chinese_surnames.txt"))?;
    let surnames: Vec<&str> =
        surnames.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split(' ')).collect();
    let names = sources.text(&PYCORRECTOR, "pycorrector/data/person_name.txt")?;
    let mut given: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
    for line in names.lines() {
        let Some((name, count)) = line.split_once('\t') else { continue };
        let Some(rest) = surnames.iter().find_map(|surname| name.strip_prefix(surname)) else { continue };
        if (1..=2).contains(&rest.chars().count()) && (2..=3).contains(&name.chars().count()) {
            let entry = given.entry(rest).or_default();
            entry.0 += 1;
            entry.1 += count.trim().parse::<u64>().unwrap_or(0);
        }
    }
    let mut given: Vec<(&str, (usize, u64))> = given.into_iter().filter(|(_, (people, _))| *people >= 2).collect();
    given.sort_by_key(|(name, counts)| (std::cmp::Reverse(*counts), *name));
    let mut text = String::from("# Given names, the most frequent first. See manifest.toml.\n");
    for (name, _) in given {
        writeln!(text, "{name}")?;
    }
    Ok(text.into_bytes())
}
