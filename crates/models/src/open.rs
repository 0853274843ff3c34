//! Opens a model directory, whatever its kind.

use std::path::Path;

use crate::encoder::Classifier;
use crate::weights::Config;
use crate::{Error, Model, Result, own, small};

/// Opens a model directory: a small model of Fissure (`"format"` in its `config.json`) or a Hugging Face checkpoint
/// (`"model_type"`). It reads as much of a text as it was made for.
pub fn open(directory: &Path) -> Result<Box<dyn Model>> {
    open_with_max_length(directory, None)
}

/// As [`open`], but a model that reads at most `limit` pieces of a text, marks such as `[CLS]` among them and features
/// such as bigrams not. A limit beyond what the model was made for changes nothing.
pub fn open_with_max_length(directory: &Path, limit: Option<usize>) -> Result<Box<dyn Model>> {
    if let Some((model, _)) = own::inside(directory) {
        return Ok(Box::new(own::Shared(model)));
    }
    let config = Config::open(directory)?;
    if config.get("format").is_some() {
        return small::open(&config, directory, limit);
    }
    if config.get("model_type").is_some() {
        let model = Classifier::open(directory)?;
        let limit = limit.unwrap_or(usize::MAX).min(model.max_length());
        return Ok(Box::new(model.with_max_length(limit)?));
    }
    Err(Error::UnknownArchitecture {
        path: config.path().to_owned(),
        found: "neither a `format` nor a `model_type`".to_owned(),
        known: format!("directories with \"format\": {:?} and Hugging Face classifiers", small::FORMAT),
    })
}
