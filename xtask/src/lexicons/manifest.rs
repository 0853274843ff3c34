//! `lexicons/manifest.toml`: per table what it is, how it was made, from what, under which licence, and its checksum.

use super::sources::{Sources, sha256};
use super::{Table, folder};
use crate::Result;
use std::fmt::Write;

const HEAD: &str = "# Where the tables of this folder come from. Written by `cargo xtask lexicons`; `--check` compares the checksums.\n";

/// Puts the entry of `table` into the manifest, in the place of an older one.
pub fn record(table: &Table, bytes: &[u8], sources: &Sources) -> Result<()> {
    let path = folder().join("manifest.toml");
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let heading = format!("\n[{}]\n", table.name);
    let mut entries: Vec<String> = old
        .split_inclusive("\n\n")
        .flat_map(|part| part.split("\n["))
        .filter_map(|part| part.trim().trim_start_matches('[').split_once("]\n"))
        .map(|(name, body)| format!("\n[{name}]\n{}\n", body.trim_end()))
        .filter(|entry| !entry.starts_with(&heading))
        .collect();
    entries.push(format!("{heading}{}", body(table, bytes, sources)?));
    entries.sort();
    std::fs::write(&path, format!("{HEAD}{}", entries.concat()))
        .map_err(|error| format!("cannot write the manifest: {error}").into())
}

fn body(table: &Table, bytes: &[u8], sources: &Sources) -> Result<String> {
    let mut text = String::new();
    for (key, value) in [
        ("file", &*format!("{}.{}", table.name, table.ending)),
        ("what", table.what),
        ("made", table.made),
        ("licence", table.licence),
        ("sha256", &sha256(bytes)),
    ] {
        writeln!(text, "{key} = {value:?}")?;
    }
    text.push_str("sources = [\n");
    let mut files: Vec<_> = sources.read.borrow().iter().map(|source| {
        let package = source.package;
        format!(
            "    {{ package = {:?}, registry = {:?}, version = {:?}, licence = {:?}, file = {:?}, sha256 = {:?} }},\n",
            package.name, package.registry, package.version, package.licence, source.file, source.sha256
        )
    }).collect();
    files.sort();
    text.push_str(&files.concat());
    text.push_str("]\n");
    Ok(text)
}

/// Compares each table on disk with its checksum.
pub fn check(tables: &[Table]) -> Result<()> {
    let manifest = std::fs::read_to_string(folder().join("manifest.toml"))?;
    for table in tables {
        let path = table.path();
        let bytes = std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let sum = sha256(&bytes);
        let entry = manifest.split("\n[").find(|entry| entry.starts_with(&format!("{}]\n", table.name)));
        if !entry.is_some_and(|entry| entry.contains(&format!("sha256 = {sum:?}\nsources"))) {
            return Err(format!(
                "{} is not the table that the manifest describes; make it again with --from",
                path.display()
            )
            .into());
        }
        println!("{}: {} bytes, as in the manifest", table.name, bytes.len());
    }
    Ok(())
}
