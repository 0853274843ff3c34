//! Saving a model: `config.json` and `model.safetensors`, in the layout that `transformers` reads too.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, View, serialize};
use serde_json::{Map, Value};

use super::Config;
use crate::{Error, Result};

/// A tensor to be written.
#[derive(Debug, Clone)]
pub struct Tensor<'a> {
    pub name: String,
    pub shape: Vec<usize>,
    pub values: &'a [f32],
}

/// Writes `config.json` and `model.safetensors` into a directory, which is made if it does not exist.
/// The same tensors give the same bytes, in whatever order they come.
pub fn write(directory: &Path, config: &Map<String, Value>, tensors: &[Tensor<'_>]) -> Result<()> {
    for tensor in tensors {
        debug_assert_eq!(tensor.shape.iter().product::<usize>(), tensor.values.len(), "{}", tensor.name);
    }
    fs::create_dir_all(directory).map_err(Error::io("make the directory", directory))?;
    let path = directory.join("model.safetensors");
    // `transformers` refuses a file without this mark.
    let mark = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    let views = tensors.iter().map(|tensor| (tensor.name.as_str(), tensor));
    // `serialize_to_file` goes through a temporary file of a random name. Killed then, it leaves a file that the next run cannot tell from the user's.
    let bytes = serialize(views, Some(mark))
        .map_err(|error| Error::NotSafetensors { path: path.clone(), why: error.to_string() })?;
    fs::write(&path, bytes).map_err(Error::io("write", &path))?;
    write_config(directory, config).map(|_| ())
}

/// Adds a key to the `config.json` of a model that was written.
pub fn annotate(directory: &Path, key: &str, value: Value) -> Result<()> {
    let mut config = Config::open(directory)?.object().clone();
    config.insert(key.to_owned(), value);
    write_config(directory, &config).map(|_| ())
}

fn write_config(directory: &Path, config: &Map<String, Value>) -> Result<PathBuf> {
    let path = directory.join("config.json");
    let mut text = format!("{:#}", Value::Object(config.clone()));
    text.push('\n');
    fs::write(&path, text).map_err(Error::io("write", &path))?;
    Ok(path)
}

impl View for &Tensor<'_> {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        self.values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn data_len(&self) -> usize {
        size_of_val(self.values)
    }
}
