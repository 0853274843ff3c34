//! Writes a table to `lexicons/`, and what it is and where it comes from to `lexicons/manifest.toml`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Result;

/// What the manifest says about a table.
pub struct Entry {
    /// The name of the file up to its ending.
    pub name: &'static str,
    pub ending: &'static str,
    pub what: &'static str,
    pub made: &'static str,
    pub licence: &'static str,
    pub sources: &'static [&'static str],
}

const HEAD: &str = "# Where the tables of this folder come from. Written by `cargo xtask`.\n";

/// Writes a table and its entry, in the place of an older one.
pub fn write(entry: &Entry, bytes: &[u8]) -> Result<()> {
    let file = format!("{}.{}", entry.name, entry.ending);
    fs::write(folder().join(&file), bytes).map_err(|error| format!("cannot write {file}: {error}"))?;
    println!("{file}: {} bytes", bytes.len());
    let path = folder().join("manifest.toml");
    let old = fs::read_to_string(&path).unwrap_or_default();
    fs::write(&path, replace(&old, entry.name, &body(entry, &file, bytes)?))?;
    Ok(())
}

fn body(entry: &Entry, file: &str, bytes: &[u8]) -> Result<String> {
    let checksum = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut body = String::new();
    for (key, value) in
        [("file", file), ("what", entry.what), ("made", entry.made), ("licence", entry.licence), ("sha256", &checksum)]
    {
        writeln!(body, "{key} = {value:?}")?;
    }
    writeln!(body, "sources = {:?}", entry.sources)?;
    Ok(body)
}

/// The manifest with the entry `name` set to `body`, all entries in order of their names.
fn replace(old: &str, name: &str, body: &str) -> String {
    let mut entries: Vec<(&str, &str)> = old
        .split("\n[")
        .skip(1)
        .filter_map(|entry| entry.split_once("]\n"))
        .filter(|(other, _)| *other != name)
        .collect();
    entries.push((name, body));
    entries.sort_unstable();
    let written = entries.iter().map(|(name, body)| format!("\n[{name}]\n{}\n", body.trim_end()));
    written.fold(HEAD.to_owned(), |all, entry| all + &entry)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lexicons")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_replaced_and_kept_in_order() {
        let first = replace("", "b", "x = 1\n");
        let both = replace(&first, "a", "sources = [\n    { y = 2 },\n]\n");
        assert_eq!(both, format!("{HEAD}\n[a]\nsources = [\n    {{ y = 2 }},\n]\n\n[b]\nx = 1\n"));
        assert_eq!(replace(&both, "b", "x = 3"), both.replace("x = 1", "x = 3"));
    }
}
