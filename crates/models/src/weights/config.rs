//! `config.json`: typed reading, where a wrong value is an error that names key, value and what it should be.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::{Error, Result};

/// No dimension of a model that a person runs on a processor is larger; products of two stay far from overflow.
const LARGEST_COUNT: u64 = 1 << 24;

/// The `config.json` of a model directory.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    path: PathBuf,
    object: Map<String, Value>,
}

impl Config {
    /// Reads `config.json` of a model directory.
    pub fn open(directory: &Path) -> Result<Self> {
        if !directory.is_dir() {
            return Err(Error::NoDirectory { path: directory.to_owned() });
        }
        let path = directory.join("config.json");
        if !path.is_file() {
            return Err(Error::MissingFile { path, next: "a model directory holds config.json and model.safetensors" });
        }
        let text = fs::read_to_string(&path).map_err(Error::io("read", &path))?;
        let object = parse_object(&path, &text)?;
        Ok(Self { path, object })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Everything in the file.
    pub fn object(&self) -> &Map<String, Value> {
        &self.object
    }

    /// A value that is there and not `null`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.object.get(key).filter(|value| !value.is_null())
    }

    pub fn string(&self, key: &str) -> Result<&str> {
        let found = self.required(key, "a string")?;
        found.as_str().ok_or_else(|| self.bad(key, "a string"))
    }

    /// A number of things, at least one.
    pub fn count(&self, key: &str) -> Result<usize> {
        const EXPECTED: &str = "a whole number from 1 to 16777216";
        let found = self.required(key, EXPECTED)?.as_u64().filter(|count| (1..=LARGEST_COUNT).contains(count));
        found.map(|count| count as usize).ok_or_else(|| self.bad(key, EXPECTED))
    }

    /// As [`Config::count`], with a value for when the key is absent.
    pub fn count_or(&self, key: &str, default: usize) -> Result<usize> {
        if self.get(key).is_none() { Ok(default) } else { self.count(key) }
    }

    /// A finite number, with a value for when the key is absent.
    pub fn number_or(&self, key: &str, default: f32) -> Result<f32> {
        let Some(found) = self.get(key) else { return Ok(default) };
        let number = found.as_f64().map(|number| number as f32).filter(|number| number.is_finite());
        number.ok_or_else(|| self.bad(key, "a number"))
    }

    /// A list of strings.
    pub fn strings(&self, key: &str) -> Result<Vec<String>> {
        const EXPECTED: &str = "a list of strings";
        let list = self.required(key, EXPECTED)?.as_array().ok_or_else(|| self.bad(key, EXPECTED))?;
        let strings = list.iter().map(|value| value.as_str().map(str::to_owned));
        strings.collect::<Option<_>>().ok_or_else(|| self.bad(key, EXPECTED))
    }

    /// The error for a key whose value is not what it should be.
    pub fn bad(&self, key: &str, expected: impl Into<String>) -> Error {
        let found = self.object.get(key).map_or_else(|| "missing".to_owned(), Value::to_string);
        // A vocabulary of 100,000 words is no help in an error message.
        let found = if found.chars().count() > 80 {
            format!("{}...", found.chars().take(80).collect::<String>())
        } else {
            found
        };
        Error::BadConfig { path: self.path.clone(), key: key.to_owned(), found, expected: expected.into() }
    }

    fn required(&self, key: &str, expected: &str) -> Result<&Value> {
        self.get(key).ok_or_else(|| self.bad(key, expected))
    }
}

/// Parses the text of the file at `path`, which must be a JSON object.
pub(super) fn parse_object(path: &Path, text: &str) -> Result<Map<String, Value>> {
    let not_json = |why: String| Error::NotJson { path: path.to_owned(), why };
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(not_json("it holds no object".to_owned())),
        Err(error) => Err(not_json(error.to_string())),
    }
}
