//! `first_names.txt` and `surnames.txt`, from the lists of the US census of 1990.

use super::Table;
use super::sources::{NAMES, Sources};
use crate::Result;
use std::collections::BTreeMap;
use std::fmt::Write;

pub const FIRST_NAMES: Table = Table {
    name: "first_names",
    ending: "txt",
    what: "first names: name, gender that bears it more, bearers in 100,000 of that gender, percent of the bearers who are of that gender",
    licence: "public domain (US Census Bureau); package MIT",
    made: "both lists joined; a name of both genders goes to the one that bears it more",
    build: first_names,
};

pub const SURNAMES: Table = Table {
    name: "surnames",
    ending: "txt",
    what: "the 10,000 most common surnames and their bearers in 100,000",
    licence: "public domain (US Census Bureau); package MIT",
    made: "the first 10,000 of the list, with the inner capital of Mc and the apostrophe of O' put back",
    build: surnames,
};

const HEAD: &str = "# US census of 1990, the most common first. See manifest.toml.\n";

fn first_names(sources: &Sources) -> Result<Vec<u8>> {
    let mut shares: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for (gender, list) in ["female.first", "male.first"].iter().enumerate() {
        for (name, share) in list_of(sources, list)? {
            shares.entry(name).or_default()[gender] = share;
        }
    }
    let mut rows: Vec<(f64, String, char, f64)> = shares
        .into_iter()
        .map(|(name, [female, male])| {
            let (gender, more) = if female >= male { ('f', female) } else { ('m', male) };
            (more, name, gender, more / (female + male))
        })
        .collect();
    rows.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let mut text = HEAD.to_owned();
    for (share, name, gender, part) in rows {
        writeln!(text, "{}\t{gender}\t{:.0}\t{:.0}", title(&name), share * 1000.0, (part * 100.0).floor())?;
    }
    Ok(text.into_bytes())
}

fn surnames(sources: &Sources) -> Result<Vec<u8>> {
    let mut text = HEAD.to_owned();
    for (name, share) in list_of(sources, "all.last")?.into_iter().take(10_000) {
        writeln!(text, "{}\t{:.0}", surname(&name), share * 1000.0)?;
    }
    Ok(text.into_bytes())
}

/// Upper-case names and their share in percent.
fn list_of(sources: &Sources, list: &str) -> Result<Vec<(String, f64)>> {
    let text = sources.text(&NAMES, &format!("names/dist.{list}"))?;
    let rows = text.lines().filter_map(|line| {
        let mut fields = line.split_whitespace();
        Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
    });
    Ok(rows.collect())
}

fn title(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    format!("{first}{}", rest.to_lowercase())
}

/// The Irish names that the census writes without their apostrophe.
const O_NAMES: [&str; 16] = [
    "BRIEN", "CONNELL", "CONNER", "CONNOR", "DONNELL", "GRADY", "HARA", "KEEFE", "LEARY", "MALLEY", "NEAL", "NEIL",
    "NEILL", "REILLY", "ROURKE", "SHEA",
];

fn surname(name: &str) -> String {
    if let Some(rest) = name.strip_prefix("MC").filter(|rest| rest.len() > 2) {
        return format!("Mc{}", title(rest));
    }
    match name.strip_prefix('O').filter(|rest| O_NAMES.contains(rest)) {
        Some(rest) => format!("O'{}", title(rest)),
        None => title(name),
    }
}
