//! Checks on outputs that every command makes before it opens anything.

use std::path::Path;

use fissure_data::draft::{ensure_new, refuse_inputs};
use fissure_data::hub::Address;
use fissure_data::{DraftFolder, Existing};
use fissure_models::remote::is_remote;

use crate::Result;
use crate::args::{Data, GoOn, Help};

/// The files that a model's directory may hold; one with others is never replaced.
const MODEL_FILES: &[&str] = &[
    "config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.txt",
    "calibration.json",
];

/// What a command reads, by the names that the user gave.
#[derive(Debug, Default)]
pub struct Inputs(Vec<String>);

impl Inputs {
    pub fn of(data: &Data) -> Self {
        Self::default().and(&data.data)
    }

    /// With more files or directories. Remote models, data on a hub and standard input are no files here.
    pub fn and<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        for name in names {
            let name = name.as_ref();
            if name != "-" && !name.starts_with(Address::SCHEME) && !is_remote(name) {
                self.0.push(name.to_owned());
            }
        }
        self
    }

    pub fn and_paths<'a>(self, paths: impl IntoIterator<Item = &'a Path>) -> Self {
        self.and(paths.into_iter().map(Path::to_string_lossy))
    }

    /// With what is lent to parts. Phrases are read only where none are learnt.
    pub fn and_help(self, help: &Help) -> Self {
        let phrases = help.phrases.iter().filter(|_| help.train.is_empty());
        let lent = [&help.language_model, &help.encoder, &help.vectors].into_iter().flatten();
        self.and(lent.chain(&help.train).chain(phrases))
    }

    /// Refuses outputs that are one of these, or each other.
    pub fn refuse<'a>(&self, outputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
        let outputs: Vec<&Path> = outputs.into_iter().collect();
        let inputs: Vec<&Path> = self.0.iter().map(Path::new).collect();
        Ok(refuse_inputs(&outputs, &inputs)?)
    }

    /// The same for an output that can be gone on with.
    pub fn check_resumable(&self, output: Option<&Path>, go_on: GoOn) -> Result<()> {
        // What is gone on with may replace a file if it was begun so.
        self.check(output, Existing::forced(go_on.force || go_on.resume))
    }

    /// The same, and outputs that are there already, unless they are to be replaced: said before any work is done.
    pub fn check<'a>(&self, outputs: impl IntoIterator<Item = &'a Path>, existing: Existing) -> Result<()> {
        let outputs: Vec<&Path> = outputs.into_iter().collect();
        self.refuse(outputs.iter().copied())?;
        for output in outputs.into_iter().filter(|output| output.as_os_str() != "-") {
            ensure_new(output, existing)?;
        }
        Ok(())
    }
}

/// The directory of a model that is to be written.
pub fn model_folder(path: &Path, existing: Existing) -> Result<DraftFolder> {
    Ok(DraftFolder::create(path, existing, MODEL_FILES)?)
}
