//! Which files of a directory hold the weights, and what a file that should be safetensors really is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::config::parse_object;
use crate::{Error, Result};

const SINGLE: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";
/// What a directory holds in place of safetensors when its weights are pickled.
const PICKLES: [&str; 4] = ["pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.pth"];

/// The safetensors files of a model directory, in a fixed order.
pub(super) fn files(directory: &Path) -> Result<Vec<PathBuf>> {
    if !directory.is_dir() {
        return Err(Error::MissingFile { path: directory.to_owned(), next: "give the directory of a model" });
    }
    let single = directory.join(SINGLE);
    if single.is_file() {
        return Ok(vec![single]);
    }
    let index = directory.join(INDEX);
    if index.is_file() {
        return shards(directory, &index);
    }
    match PICKLES.iter().map(|name| directory.join(name)).find(|path| path.is_file()) {
        Some(path) => Err(Error::Pickle { path }),
        None => Err(Error::MissingFile {
            path: single,
            next: "a model directory holds config.json and model.safetensors (or shards with model.safetensors.index.json)",
        }),
    }
}

fn shards(directory: &Path, index: &Path) -> Result<Vec<PathBuf>> {
    let text = fs::read_to_string(index).map_err(Error::io("read", index))?;
    let object = parse_object(index, &text)?;
    let bad = |found: String| Error::BadConfig {
        path: index.to_owned(),
        key: "weight_map".to_owned(),
        found,
        expected: "an object from tensor names to the names of files beside it".to_owned(),
    };
    let map = object.get("weight_map").and_then(|map| map.as_object()).ok_or_else(|| bad("missing".to_owned()))?;
    let mut names = BTreeSet::new();
    for value in map.values() {
        let name = value.as_str().ok_or_else(|| bad(value.to_string()))?;
        // A shard lies beside its index; a name that leads to another directory is not followed.
        if Path::new(name).file_name().is_none_or(|last| last != name) {
            return Err(bad(value.to_string()));
        }
        names.insert(name);
    }
    let next = "the index lists this shard; copy it too";
    let paths = names.into_iter().map(|name| directory.join(name));
    paths.map(|path| if path.is_file() { Ok(path) } else { Err(Error::MissingFile { path, next }) }).collect()
}

/// Whether these are the first bytes of a pickle, or of the zip archive that PyTorch wraps around one.
pub(super) fn looks_like_pickle(bytes: &[u8]) -> bool {
    let protocol = matches!(bytes, [0x80, 2..=5, next, ..] if *next != 0);
    protocol || bytes.starts_with(b"PK\x03\x04")
}

/// How long a safetensors file should be by its own header, where the header can be read that far.
pub(super) fn promised_length(bytes: &[u8]) -> Option<u64> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let header = u64::from_le_bytes(*length);
    let end = header.checked_add(8)?;
    let Some(text) = usize::try_from(header).ok().and_then(|header| rest.get(..header)) else { return Some(end) };
    let object: serde_json::Value = serde_json::from_slice(text).ok()?;
    let ends = object.as_object()?.values().filter_map(|tensor| tensor.get("data_offsets")?.get(1)?.as_u64());
    end.checked_add(ends.max().unwrap_or(0))
}
