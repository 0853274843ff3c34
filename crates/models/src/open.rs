//! The one door to models on disk.

use std::path::Path;

use crate::encoder::Classifier;
use crate::weights::Config;
use crate::{Error, Model, Result, small};

/// Opens a model directory: a small model of Fissure (`"format"` in its `config.json`) or a Hugging Face checkpoint
/// (`"model_type"`).
pub fn open(directory: &Path) -> Result<Box<dyn Model>> {
    let config = Config::open(directory)?;
    if config.get("format").is_some() {
        return small::open(&config, directory);
    }
    if config.get("model_type").is_some() {
        return Ok(Box::new(Classifier::open(directory)?));
    }
    Err(Error::UnknownArchitecture {
        path: config.path().to_owned(),
        found: "neither a `format` nor a `model_type`".to_owned(),
        known: format!("directories with \"format\": {:?} and Hugging Face classifiers", small::FORMAT),
    })
}
