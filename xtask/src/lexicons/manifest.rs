//! `lexicons/manifest.toml`: per table what it is, how it was made, from what, under which licence, and its checksum.

use super::sources::{Sources, sha256};
use super::{OWN, Table, folder};
use crate::Result;
use std::fmt::Write;

const HEAD: &str = "# Where the tables of this folder come from. Written by `cargo xtask`.\n";

/// Puts the entry of `table` into the manifest, in the place of an older one, and those of the files that are our own.
pub fn record(table: &Table, bytes: &[u8], sources: &Sources) -> Result<()> {
    let path = folder().join("manifest.toml");
    let mut manifest = std::fs::read_to_string(&path).unwrap_or_default();
    for (file, what) in OWN {
        let own = std::fs::read(folder().join(file)).map_err(|error| format!("cannot read {file}: {error}"))?;
        let name = file.split('.').next().unwrap_or(file).replace('/', "-");
        let made = "written for this project from common knowledge";
        manifest = replace(&manifest, &name, &body(file, what, made, "MIT OR Apache-2.0", &own, "[]")?);
    }
    let file = format!("{}.{}", table.name, table.ending);
    let body = body(&file, table.what, table.made, table.licence, bytes, &list(sources))?;
    std::fs::write(&path, replace(&manifest, table.name, &body))
        .map_err(|error| format!("cannot write the manifest: {error}").into())
}

fn body(file: &str, what: &str, made: &str, licence: &str, bytes: &[u8], sources: &str) -> Result<String> {
    let mut text = String::new();
    for (key, value) in
        [("file", file), ("what", what), ("made", made), ("licence", licence), ("sha256", &sha256(bytes))]
    {
        writeln!(text, "{key} = {value:?}")?;
    }
    writeln!(text, "sources = {sources}")?;
    Ok(text)
}

/// The files that were read, package by package.
fn list(sources: &Sources) -> String {
    let read = sources.read.borrow();
    let mut files: Vec<String> = read
        .iter()
        .map(|source| {
            let package = source.package;
            format!(
                "    {{ package = {:?}, registry = {:?}, version = {:?}, licence = {:?}, file = {:?}, sha256 = {:?} }},\n",
                package.name, package.registry, package.version, package.licence, source.file, source.sha256
            )
        })
        .collect();
    files.sort();
    format!("[\n{}]", files.concat())
}

/// The manifest with the entry `name` set to `body`, all entries in order of their names.
fn replace(old: &str, name: &str, body: &str) -> String {
    let entries = old.split("\n[").skip(1).filter_map(|entry| entry.split_once("]\n"));
    let mut entries: Vec<(&str, &str)> = entries.filter(|(other, _)| *other != name).collect();
    entries.push((name, body));
    entries.sort_unstable();
    let written = entries.iter().map(|(name, body)| format!("\n[{name}]\n{}\n", body.trim_end()));
    written.fold(HEAD.to_owned(), |all, entry| all + &entry)
}

/// Compares every file that the manifest names with its checksum.
pub fn check() -> Result<()> {
    let manifest = std::fs::read_to_string(folder().join("manifest.toml"))?;
    let value = |entry: &str, key: &str| {
        entry
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"').map(str::to_owned))
    };
    for (name, entry) in manifest.split("\n[").skip(1).filter_map(|entry| entry.split_once("]\n")) {
        let (Some(file), Some(sum)) = (value(entry, "file"), value(entry, "sha256")) else {
            return Err(format!("the manifest names no file or no checksum for {name}").into());
        };
        let bytes = std::fs::read(folder().join(&file)).map_err(|error| format!("cannot read {file}: {error}"))?;
        if sha256(&bytes) != sum {
            return Err(format!("{file} is not the file that the manifest describes; make it again").into());
        }
        println!("{file}: {} bytes, as in the manifest", bytes.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_those_of_the_manifest() {
        check().unwrap();
        let manifest = std::fs::read_to_string(folder().join("manifest.toml")).unwrap();
        for table in super::super::TABLES {
            assert!(manifest.contains(&format!("\n[{}]\n", table.name)), "{}", table.name);
        }
    }

    #[test]
    fn entries_are_replaced_and_kept_in_order() {
        let first = replace("", "b", "x = 1\n");
        let both = replace(&first, "a", "sources = [\n    { y = 2 },\n]\n");
        assert_eq!(both, format!("{HEAD}\n[a]\nsources = [\n    {{ y = 2 }},\n]\n\n[b]\nx = 1\n"));
        assert_eq!(replace(&both, "b", "x = 3"), both.replace("x = 1", "x = 3"));
    }
}
