//! `lexicons/manifest.toml`: per table what it is, how it was made, from what, under which licence, and its checksum.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::{Result, root};

const HEAD: &str = "# Where the tables of this folder come from. Written by `cargo xtask`.\n";

/// What the manifest says about a table.
pub struct Entry<'a> {
    pub name: &'a str,
    pub file: &'a str,
    pub what: &'a str,
    pub made: &'a str,
    pub licence: &'a str,
    /// The sources, as a list in TOML.
    pub sources: &'a str,
}

/// The folder of the tables.
pub fn folder() -> PathBuf {
    root().join("lexicons")
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a table and its entry; an older one is replaced.
pub fn write(entry: &Entry<'_>, bytes: &[u8]) -> Result<()> {
    fs::write(folder().join(entry.file), bytes).map_err(|error| format!("cannot write {}: {error}", entry.file))?;
    println!("{}: {} bytes", entry.file, bytes.len());
    record(entry, bytes)
}

/// Puts the entry of a table that is there into the manifest; an older one is replaced.
pub fn record(entry: &Entry<'_>, bytes: &[u8]) -> Result<()> {
    let path = folder().join("manifest.toml");
    let old = fs::read_to_string(&path).unwrap_or_default();
    let mut body = body(entry, bytes)?;
    // The authors are written by hand, once.
    let known = entries(&old).find(|(name, _)| *name == entry.name);
    let authors = known.and_then(|(_, old)| old.lines().find(|line| line.starts_with("authors = ")));
    body = body.replacen("sha256 = ", &format!("{}\nsha256 = ", authors.unwrap_or("authors = \"\"")), 1);
    fs::write(&path, replace(&old, entry.name, &body))
        .map_err(|error| format!("cannot write the manifest: {error}").into())
}

/// Compares every file that the manifest names with its checksum.
pub fn check() -> Result<()> {
    let manifest = fs::read_to_string(folder().join("manifest.toml"))?;
    let value = |entry: &str, key: &str| {
        entry
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"').map(str::to_owned))
    };
    for (name, entry) in entries(&manifest) {
        let (Some(file), Some(sum)) = (value(entry, "file"), value(entry, "sha256")) else {
            return Err(format!("the manifest names no file or no checksum for {name}").into());
        };
        let bytes = fs::read(folder().join(&file)).map_err(|error| format!("cannot read {file}: {error}"))?;
        if value(entry, "authors").is_none_or(|authors| authors.is_empty()) {
            return Err(format!("the manifest names no authors for {name}; write them there").into());
        }
        if sha256(&bytes) != sum {
            return Err(format!("{file} is not the file that the manifest describes; make it again").into());
        }
        println!("{file}: {} bytes, as in the manifest", bytes.len());
    }
    Ok(())
}

fn body(entry: &Entry<'_>, bytes: &[u8]) -> Result<String> {
    let Entry { file, what, made, licence, sources, .. } = entry;
    let mut body = String::new();
    for (key, value) in
        [("file", *file), ("what", what), ("made", made), ("licence", licence), ("sha256", &sha256(bytes))]
    {
        writeln!(body, "{key} = {value:?}")?;
    }
    writeln!(body, "sources = {sources}")?;
    Ok(body)
}

/// The manifest with the entry `name` set to `body`, all entries in order of their names.
fn replace(old: &str, name: &str, body: &str) -> String {
    let mut entries: Vec<(&str, &str)> = entries(old).filter(|(other, _)| *other != name).collect();
    entries.push((name, body));
    entries.sort_unstable();
    let written = entries.iter().map(|(name, body)| format!("\n[{name}]\n{}\n", body.trim_end()));
    written.fold(HEAD.to_owned(), |all, entry| all + &entry)
}

/// `(name, body)` of every entry.
fn entries(manifest: &str) -> impl Iterator<Item = (&str, &str)> {
    manifest.split("\n[").skip(1).filter_map(|entry| entry.split_once("]\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_those_of_the_manifest() {
        check().unwrap();
    }

    #[test]
    fn entries_are_replaced_and_kept_in_order() {
        let first = replace("", "b", "x = 1\n");
        let both = replace(&first, "a", "sources = [\n    { y = 2 },\n]\n");
        assert_eq!(both, format!("{HEAD}\n[a]\nsources = [\n    {{ y = 2 }},\n]\n\n[b]\nx = 1\n"));
        assert_eq!(replace(&both, "b", "x = 3"), both.replace("x = 1", "x = 3"));
    }
}
