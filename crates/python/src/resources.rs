//! Resources of parts that need more than the sample: language models, translators, encoders, word vectors.

use std::sync::{Mutex, PoisonError};

use fissure_core::Resources;
use fissure_kit::resources::open_with_model;
use fissure_settings::{DataSource, ResourceFiles};
use fissure_tasks::Task;
use pyo3::prelude::*;

use crate::errors;
use crate::values::to_json;

/// The files and directories that the user named, opened when they are first needed.
#[derive(Debug, Default)]
pub struct Lent {
    pub files: ResourceFiles,
    /// A model that says which words carry its answer.
    model: Option<String>,
    /// For the task they were opened for.
    opened: Mutex<Option<(&'static str, Resources)>>,
}

impl Lent {
    /// From a dict: `{"language_model": DIR, "donors": [FILE], "model": DIR}`.
    pub fn new(py: Python<'_>, given: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(given) = given else { return Ok(Self::default()) };
        let mut given = to_json(given)?;
        let model = given.as_object_mut().and_then(|given| given.remove("model"));
        let files =
            serde_json::from_value(given).map_err(|error| errors::raise(py, "BadKnob", &error.to_string(), &[]))?;
        Ok(Self { files, model: model.and_then(|model| model.as_str().map(str::to_owned)), opened: Mutex::default() })
    }

    /// Everything, opened for a task.
    pub fn open(&self, py: Python<'_>, task: &'static Task) -> PyResult<Resources> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, resources)) = opened.as_ref().filter(|(name, _)| *name == task.name()) {
            return Ok(resources.clone());
        }
        let data = DataSource { task: Some(task.name().into()), ..DataSource::default() };
        let resources = open_with_model(&self.files, self.model.as_deref(), &data)
            .map_err(|error| errors::of_command(py, &error.into()))?;
        *opened = Some((task.name(), resources.clone()));
        Ok(resources)
    }
}

/// The names of resources.
#[pyfunction]
pub fn lendable() -> Vec<String> {
    let named = serde_json::to_value(ResourceFiles {
        language_model: Some(String::new()),
        translator: Some(String::new()),
        encoder: Some(String::new()),
        phrases: Some(String::new()),
        vectors: Some(String::new()),
        train: vec![String::new()],
        donors: vec![String::new()],
        ..ResourceFiles::default()
    });
    let names = named.ok().and_then(|named| named.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>()));
    names.unwrap_or_default().into_iter().chain(["model".to_owned(), "importance".to_owned()]).collect()
}
