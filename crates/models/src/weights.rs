//! Model directories on disk: `config.json` beside `model.safetensors` (one file, or shards with an index).
//!
//! Every file is distrusted: a missing, truncated or renamed file, a pickle, a tensor with the wrong shape or with
//! NaN inside is an [`Error`] that names it. Numbers come out as `f32` whatever they are stored as.

mod config;
mod locate;
mod write;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors};

pub use config::Config;
pub use write::{Tensor, annotate, write};

use crate::{Error, Result};

/// The tensors of a model, by name.
#[derive(Debug)]
pub struct Weights {
    files: Vec<File>,
    tensors: BTreeMap<String, Slot>,
}

#[derive(Debug)]
struct File {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// Where one tensor lies.
#[derive(Debug)]
struct Slot {
    file: usize,
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Range<usize>,
}

impl Weights {
    /// Reads the tensors of a model directory: `model.safetensors`, or the shards that
    /// `model.safetensors.index.json` lists.
    pub fn open(directory: &Path) -> Result<Self> {
        let mut weights = Self { files: Vec::new(), tensors: BTreeMap::new() };
        for path in locate::files(directory)? {
            weights.add_file(path)?;
        }
        Ok(weights)
    }

    fn add_file(&mut self, path: PathBuf) -> Result<()> {
        let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
        if locate::looks_like_pickle(&bytes) {
            return Err(Error::Pickle { path });
        }
        let (header, metadata) = SafeTensors::read_metadata(&bytes).map_err(|error| explain(&path, &bytes, error))?;
        let start = header + size_of::<u64>();
        let file = self.files.len();
        for (name, info) in metadata.tensors() {
            let bytes = start + info.data_offsets.0..start + info.data_offsets.1;
            self.tensors.insert(name, Slot { file, dtype: info.dtype, shape: info.shape.clone(), bytes });
        }
        self.files.push(File { path, bytes });
        Ok(())
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    pub fn contains(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The shape of a tensor, if there is one of that name.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.tensors.get(name).map(|slot| slot.shape.as_slice())
    }

    /// The numbers of a tensor, row by row; its shape must be `shape` and every number finite.
    pub fn get(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let slot = self.tensors.get(name).ok_or_else(|| self.missing(name))?;
        let File { path, bytes } = &self.files[slot.file];
        if slot.shape != shape {
            return Err(Error::WrongShape {
                path: path.clone(),
                name: name.to_owned(),
                expected: shape.to_vec(),
                found: slot.shape.clone(),
            });
        }
        let values = to_f32(&bytes[slot.bytes.clone()], slot.dtype).ok_or_else(|| Error::WrongType {
            path: path.clone(),
            name: name.to_owned(),
            found: format!("{:?}", slot.dtype),
        })?;
        match values.iter().position(|value| !value.is_finite()) {
            Some(at) => Err(Error::NotFinite { path: path.clone(), name: name.to_owned(), at, value: values[at] }),
            None => Ok(values),
        }
    }

    fn missing(&self, name: &str) -> Error {
        let path = self.files.first().map(|file| file.path.clone()).unwrap_or_default();
        let last = name.rsplit('.').take(2).collect::<Vec<_>>();
        let alike = |other: &&str| other.rsplit('.').take(2).eq(last.iter().copied());
        let hint = match self.names().find(alike) {
            Some(other) => format!(" (there is `{other}`)"),
            None => format!(" among its {} tensors", self.tensors.len()),
        };
        Error::MissingTensor { path, name: name.to_owned(), hint }
    }
}

/// Numbers as stored, little-endian, to `f32`; `None` for types that no model here uses.
fn to_f32(bytes: &[u8], dtype: Dtype) -> Option<Vec<f32>> {
    let pairs = || bytes.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    Some(match dtype {
        Dtype::F32 => {
            bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
        }
        Dtype::F16 => pairs().map(|pair| half::f16::from_le_bytes(pair).to_f32()).collect(),
        Dtype::BF16 => pairs().map(|pair| half::bf16::from_le_bytes(pair).to_f32()).collect(),
        _ => return None,
    })
}

/// The crate's error in words for a person who only knows that a model does not load.
fn explain(path: &Path, bytes: &[u8], error: SafeTensorError) -> Error {
    let path = path.to_owned();
    if bytes.starts_with(b"version https://git-lfs") {
        let why = "it is a Git LFS pointer (run `git lfs pull` where it came from)".to_owned();
        return Error::NotSafetensors { path, why };
    }
    match (error, locate::promised_length(bytes)) {
        (SafeTensorError::MetadataIncompleteBuffer | SafeTensorError::InvalidHeaderLength, Some(expected)) => {
            Error::Truncated { path, expected, found: bytes.len() as u64 }
        }
        (SafeTensorError::HeaderTooSmall, _) => {
            Error::Truncated { path, expected: size_of::<u64>() as u64, found: bytes.len() as u64 }
        }
        (error, _) => Error::NotSafetensors { path, why: error.to_string() },
    }
}
