//! The model under attack, and the texts: for tasks with a class, whose labels are matched with those of the model, and for others.

use std::sync::Arc;

use fissure_ask::{LocalClassifier, Respondent, open_local};
use fissure_core::Sample;
use fissure_data::{Samples, Task};
use fissure_evaluate::LabelMap;
use fissure_models::Model;
use fissure_models::remote::{is_remote, public};

use crate::Result;
use crate::args;
use fissure_kit::remote::{self, Asking};
use fissure_kit::{classes, data, labels};

/// A model that is attacked.
pub struct Victim {
    pub respondent: Box<dyn Respondent>,
    /// The same as a classifier, if the task has classes.
    classifier: Option<Arc<dyn Model>>,
    task: &'static Task,
}

impl Victim {
    pub fn open(args: &args::Attack, task: &'static Task) -> Result<Self> {
        if classes::classified(task).is_ok() {
            // A temperature changes no answer, and what searches compute from gradients and windows does not know it.
            let asking = Asking::uncalibrated(&args.model, &args.data, &args.remote.settings(), args.max_length)?;
            let model = asking.model;
            let respondent = Box::new(LocalClassifier::of(&public(&args.model), None, Arc::clone(&model)));
            return Ok(Self { respondent, classifier: Some(model), task });
        }
        let respondent = if is_remote(&args.model) {
            fissure_ask::open(&args.model, task, &remote::options(&args.remote.settings())?)?
        } else {
            open_local(&args.model, &classes::model_directory(&args.model)?, task)?
        };
        Ok(Self { respondent, classifier: None, task })
    }

    /// The texts, from the first on.
    pub fn texts(&self, args: &args::Attack) -> Result<Texts> {
        Ok(match &self.classifier {
            Some(model) => {
                let (stream, map) = labels::Stream::open(&args.data, self.task, &**model, &args.labels)?;
                Texts::Labelled(Box::new(stream), map)
            }
            None => {
                let samples = Box::new(data::open(&args.data, self.task)?);
                Texts::Others { samples, limit: args.data.limit, read: 0 }
            }
        })
    }
}

/// Texts with what is right of each.
pub enum Texts {
    Labelled(Box<labels::Stream>, LabelMap),
    /// What is right is in the labels of the samples themselves.
    Others {
        samples: Box<Samples>,
        limit: Option<usize>,
        read: usize,
    },
}

impl Texts {
    /// Says how labels were matched.
    pub fn announce(&self) {
        if let Self::Labelled(_, map) = self {
            labels::announce("the data", map);
        }
    }

    pub fn next_batch(&mut self) -> Result<Option<Vec<Sample>>> {
        Ok(match self {
            Self::Labelled(stream, _) => stream.next_batch()?,
            Self::Others { samples, limit, read } => {
                let batch = data::next(samples, *limit, *read)?;
                *read += batch.as_ref().map_or(0, Vec::len);
                batch
            }
        })
    }

    /// The right class of each; for tasks without classes any number, which nobody looks at.
    pub fn gold(&self, batch: &[Sample]) -> Vec<Option<usize>> {
        match self {
            Self::Labelled(_, map) => classes::gold(map, batch),
            Self::Others { .. } => vec![Some(0); batch.len()],
        }
    }

    /// The class that the data call by a label.
    pub fn class(&self, label: &str) -> Option<usize> {
        match self {
            Self::Labelled(_, map) => map.index(label),
            Self::Others { .. } => None,
        }
    }

    pub fn report_rows(&self) {
        match self {
            Self::Labelled(stream, _) => stream.report_rows(),
            Self::Others { samples, .. } => data::report_bad_rows(samples.skipped()),
        }
    }
}
