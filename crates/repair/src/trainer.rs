//! Trains models: a small one from scratch, or an encoder from a checkpoint. All models of one trainer start
//! from the same place.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fissure_models::encoder::{Classifier, FineTuneOptions, fine_tune_against};
use fissure_models::train::{Example, Nonsense, Progress, TrainOptions, train_against};
use fissure_models::weights::Config;
use fissure_models::{Model, SmallModel};

use tempfile::TempDir;

use crate::{Error, Result};

/// How models are trained.
#[derive(Debug, Clone)]
pub enum Trainer {
    Small(TrainOptions),
    Encoder {
        start: PathBuf,
        options: FineTuneOptions,
        /// Holds `start`, where that is a folder of our own for the time being.
        home: Option<Arc<TempDir>>,
    },
}

/// A model that was trained here.
#[derive(Debug, Clone)]
pub enum Trained {
    Small(Arc<dyn SmallModel>),
    /// With the folder that its tokenizer is copied from when it is saved, where that is one of our own.
    Encoder(Arc<Classifier>, Option<Arc<TempDir>>),
    /// One that was trained before, with its directory.
    Opened(Arc<dyn Model>, PathBuf),
}

impl Trainer {
    /// The trainer that a model of ours came from: the same architecture and recipe for a small one, and for an encoder
    /// training that goes on from its weights.
    pub fn like(directory: &Path, seed: u64) -> Result<Self> {
        let config = Config::open(directory)?;
        if config.get("format").is_some() {
            return Ok(Self::Small(TrainOptions { seed, ..TrainOptions::of_model(&config)? }));
        }
        let options = FineTuneOptions { seed, ..Default::default() };
        Ok(Self::Encoder { start: directory.to_owned(), options, home: None })
    }

    /// The trainer where training goes on from what a graduate knows, so that nothing of it has to be learned again. Small
    /// models learn from nothing, within seconds.
    pub(crate) fn after(&self, graduate: &Trained) -> Result<Self> {
        match (self, graduate) {
            (Self::Encoder { options, .. }, Trained::Encoder(..)) => {
                let home = tempfile::tempdir().map_err(|source| Error::NoRoom { source })?;
                graduate.save(home.path())?;
                let start = home.path().to_owned();
                Ok(Self::Encoder { start, options: options.clone(), home: Some(Arc::new(home)) })
            }
            _ => Ok(self.clone()),
        }
    }

    /// Trains a model on examples, and to be unsure about nonsense.
    pub fn teach(
        &self,
        examples: &[Example],
        nonsense: &Nonsense,
        labels: &[String],
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Result<Trained> {
        Ok(match self {
            Self::Small(options) => {
                Trained::Small(train_against(examples, nonsense, labels, options, on_progress)?.model.into())
            }
            Self::Encoder { start, options, home } => {
                let tuned = fine_tune_against(start, examples, nonsense, labels, options, on_progress)?;
                Trained::Encoder(Arc::new(tuned.model), home.clone())
            }
        })
    }

    /// The same, with another loss.
    pub fn with_loss(&self, smoothing: f32, focus: f32) -> Self {
        let mut other = self.clone();
        let loss = match &mut other {
            Self::Small(options) => &mut options.loss,
            Self::Encoder { options, .. } => &mut options.loss,
        };
        (loss.smoothing, loss.focus) = (smoothing, focus);
        other
    }

    /// In a few words, for reports.
    pub fn name(&self) -> String {
        match self {
            Self::Small(options) => format!("{} trained from nothing", options.architecture.name()),
            Self::Encoder { start, .. } => {
                let name = start.file_name().map(|name| name.to_string_lossy().into_owned());
                format!("encoder fine-tuned from {}", name.unwrap_or_default())
            }
        }
    }
}

impl Trained {
    pub fn model(&self) -> Arc<dyn Model> {
        match self {
            Self::Small(model) => Arc::clone(model) as Arc<dyn Model>,
            Self::Encoder(model, _) => Arc::clone(model) as Arc<dyn Model>,
            Self::Opened(model, _) => Arc::clone(model),
        }
    }

    /// Writes the model's directory.
    pub fn save(&self, directory: &Path) -> Result<()> {
        match self {
            Self::Small(model) => model.save(directory)?,
            Self::Encoder(model, _) => model.save(directory)?,
            Self::Opened(_, from) => copy(from, directory)?,
        }
        Ok(())
    }
}

/// Copies the files of a model's directory.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let io = |action, path: &Path| {
        let path = path.to_owned();
        move |source| Error::Io { action, path, source }
    };
    fs::create_dir_all(to).map_err(io("make", to))?;
    for entry in fs::read_dir(from).map_err(io("read", from))? {
        let path = entry.map_err(io("read", from))?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::copy(&path, to.join(name)).map_err(io("copy", &path))?;
        }
    }
    Ok(())
}
