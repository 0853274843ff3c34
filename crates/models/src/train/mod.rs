//! Training the small models, deterministic by seed whatever the threads.
//!
//! A batch is cut into fixed parts of 16 texts; each part's gradient is summed on one thread, and the parts are
//! added in order. So the same seed and examples give the same bytes on one thread or many.

pub(crate) mod certified;
pub(crate) mod epochs;
mod learner;
mod loss;
mod options;
pub(crate) mod random;
mod recipe;
pub(crate) mod start;
mod step;
mod tagger;
mod tally;
mod vectors;
mod vocabulary;

pub use certified::{Certify, Choice, train_certified};
pub use loss::Loss;
pub(crate) use loss::Target;
pub use options::{Architecture, Optimizer, TrainOptions};
pub use tagger::{TrainedTagger, train_tagger};
pub(crate) use tally::Tally;

use crate::small::SmallModel;
use crate::{Error, Input, Result};

/// A text (or a pair of texts) and the index of its label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Example {
    pub text: String,
    /// The second text of a pair; its words follow those of the first, after the mark `<sep>`.
    pub pair: Option<String>,
    pub label: usize,
    /// What it is a copy of, if there are copies: those of one source are never split between training and held-out
    /// examples.
    pub source: Option<String>,
}

/// Texts, or pairs of texts, that mean nothing: a model should learn to find every label as likely (entropic
/// regularisation, as Feng et al. 2018).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Nonsense {
    pub texts: Vec<(String, Option<String>)>,
    /// How much one of them counts against an example with a label.
    pub weight: f32,
}

/// A loss and an accuracy over some examples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    pub loss: f64,
    pub accuracy: f64,
}

impl Measure {
    /// More right; or as many right, at a lower loss.
    pub(crate) fn is_better_than(self, other: Self) -> bool {
        (self.accuracy, -self.loss) > (other.accuracy, -other.loss)
    }
}

/// How far training is: reported after every batch, and once more at the end of an epoch, with the validation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Counted from 1.
    pub epoch: usize,
    pub epochs: usize,
    /// Batches done in this epoch.
    pub batch: usize,
    pub batches: usize,
    /// Over the batches of this epoch so far, as seen in training (with dropout).
    pub training: Measure,
    /// Over the examples held out, at the end of an epoch, if there are any.
    pub validation: Option<Measure>,
}

/// The examples that were held out, and what a model that knows nothing gets right of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldOut {
    pub examples: usize,
    /// The most frequent label of the training examples, by its index.
    pub most_frequent: usize,
    /// The accuracy of always answering it.
    pub accuracy: f64,
}

/// A trained model, and how it came to be.
#[derive(Debug)]
pub struct Trained {
    pub model: Box<dyn SmallModel>,
    /// The end of each epoch.
    pub epochs: Vec<Progress>,
    /// The epoch, counted from 1, whose weights the model has: the best in validation, or the last without any. A model
    /// trained once more on all examples was trained for as many epochs, and the measures are those of the first.
    pub best_epoch: usize,
    /// `None` if no examples were held out.
    pub held_out: Option<HeldOut>,
}

/// Trains a small model on examples whose labels are indices into `labels`.
pub fn train(
    examples: &[Example],
    labels: &[String],
    options: &TrainOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Trained> {
    train_against(examples, &Nonsense::default(), labels, options, progress)
}

/// The same, with texts that the model should learn to be unsure about. What it knows of words, and which epoch is the
/// best, comes from the examples alone.
pub fn train_against(
    examples: &[Example],
    nonsense: &Nonsense,
    labels: &[String],
    options: &TrainOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Trained> {
    options.check()?;
    nonsense.check()?;
    check_labels(examples, labels)?;
    on_split(examples, options, &mut |split, until| {
        let data = (examples, nonsense);
        match options.architecture {
            Architecture::FastText => {
                let model = start::fasttext(examples, split, labels, options)?;
                learner::learn(model, data, split, (options, until), None, progress)
            }
            Architecture::Cnn => {
                let model = start::cnn(examples, split, labels, options)?;
                learner::learn(model, data, split, (options, until), None, progress)
            }
            Architecture::BiLstm => {
                let model = start::bilstm(examples, split, labels, options)?;
                learner::learn(model, data, split, (options, until), None, progress)
            }
        }
    })
}

/// Trains on one part of the examples, and then, if that is asked for, on all of them for as many epochs as the other part
/// has chosen. `learn` is given who learns and who is held out, and the last epoch.
fn on_split(
    examples: &[Example],
    options: &TrainOptions,
    learn: &mut dyn FnMut(&start::Split, usize) -> Result<Trained>,
) -> Result<Trained> {
    let split = start::split(examples, options.validation, options.seed)?;
    let chosen = learn(&split, options.epochs)?;
    if !options.refit || split.validation.is_empty() {
        return Ok(chosen);
    }
    let all = start::Split { training: (0..examples.len()).collect(), validation: Vec::new() };
    Ok(Trained { model: learn(&all, chosen.best_epoch)?.model, ..chosen })
}

impl Nonsense {
    pub(crate) fn check(&self) -> Result<()> {
        if self.weight.is_finite() && self.weight >= 0.0 {
            return Ok(());
        }
        let found = self.weight.to_string();
        Err(Error::BadOption { option: "weight of nonsense", found, expected: "a number, 0 or more" })
    }

    /// As questions to a model.
    pub(crate) fn inputs(&self) -> Vec<Input<'_>> {
        self.texts.iter().map(|(text, pair)| Input { text, pair: pair.as_deref() }).collect()
    }
}

/// Refuses examples whose labels are not among `labels`, of which there must be two.
pub(crate) fn check_labels(examples: &[Example], labels: &[String]) -> Result<()> {
    if labels.len() < 2 {
        return Err(Error::BadOption {
            option: "labels",
            found: format!("{labels:?}"),
            expected: "at least two labels",
        });
    }
    if let Some((at, example)) = examples.iter().enumerate().find(|(_, example)| example.label >= labels.len()) {
        return Err(Error::BadLabel { example: at, label: example.label, labels: labels.len() });
    }
    Ok(())
}
