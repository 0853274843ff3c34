//! The knobs of training, their defaults, and their checks.

use std::path::PathBuf;
use std::str::FromStr;

use super::Loss;
use super::epochs::Epochs;
use crate::kernels::Adam;
use crate::small::WordCut;
use crate::{Error, Result};

/// Which small model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Architecture {
    FastText,
    Cnn,
    BiLstm,
}

impl Architecture {
    pub const ALL: [Self; 3] = [Self::FastText, Self::Cnn, Self::BiLstm];

    pub fn name(self) -> &'static str {
        match self {
            Self::FastText => "fasttext",
            Self::Cnn => "cnn",
            Self::BiLstm => "bilstm",
        }
    }
}

impl FromStr for Architecture {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|architecture| architecture.name() == name).ok_or_else(|| Error::BadOption {
            option: "architecture",
            found: name.to_owned(),
            expected: "fasttext, cnn or bilstm",
        })
    }
}

/// The optimizer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Optimizer {
    Sgd,
    /// Embedding rows that no text of the batch has stay as they are ("lazy" Adam), with their moments.
    Adam(Adam),
}

/// Everything that decides the outcome of training, beside the examples.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainOptions {
    pub architecture: Architecture,
    pub seed: u64,
    /// The most words in the vocabulary; the most frequent are kept.
    pub words: usize,
    /// The most bigrams in the vocabulary (fasttext only).
    pub bigrams: usize,
    /// How texts are cut into words; by the letters of the training texts where `None`.
    pub cut: Option<WordCut>,
    /// Words and bigrams seen less often are unknown.
    pub fewest_occurrences: usize,
    /// Words of a text that are read.
    pub max_words: usize,
    pub embedding_width: usize,
    /// A text file of word vectors to start from (a word and its numbers on each line, as GloVe's).
    pub vectors: Option<PathBuf>,
    /// How many words the filters of each convolution see (cnn only).
    pub spans: Vec<usize>,
    /// Filters of each span (cnn only).
    pub filters: usize,
    /// The size of the hidden state in each direction (bilstm only).
    pub hidden: usize,
    /// The most epochs.
    pub epochs: usize,
    pub batch: usize,
    pub optimizer: Optimizer,
    pub rate: f32,
    /// The rate is multiplied by this after each epoch.
    pub rate_decay: f32,
    /// The share of features set to zero before the output layer, again for each text and epoch.
    pub dropout: f32,
    pub loss: Loss,
    /// The share of examples held out to choose the best epoch; 0 for none.
    pub validation: f32,
    /// Training stops after this many epochs without a better validation.
    pub patience: usize,
    /// Trains once more on all examples, for as many epochs as the best had, once the held-out ones have chosen it.
    pub refit: bool,
}

impl TrainOptions {
    /// The defaults of an architecture, with Adam. fasttext: the papers' 32 dimensions, words and bigrams. cnn: the papers'
    /// 50 dimensions and Kim's spans, filters and dropout. bilstm: the reference model's size. All hold out the papers'
    /// 10 %.
    pub fn new(architecture: Architecture) -> Self {
        let common = Self {
            architecture,
            seed: 0,
            words: 30_000,
            bigrams: 0,
            cut: None,
            fewest_occurrences: 2,
            max_words: 512,
            embedding_width: 50,
            vectors: None,
            spans: vec![3, 4, 5],
            filters: 100,
            hidden: 128,
            epochs: 10,
            batch: 64,
            optimizer: Optimizer::Adam(Adam::default()),
            rate: 1e-3,
            rate_decay: 1.0,
            dropout: 0.5,
            loss: Loss::default(),
            validation: 0.1,
            patience: 2,
            refit: false,
        };
        match architecture {
            Architecture::FastText => {
                Self { bigrams: 100_000, embedding_width: 32, batch: 32, rate: 5e-3, dropout: 0.0, ..common }
            }
            Architecture::Cnn => common,
            Architecture::BiLstm => Self { max_words: 128, rate: 2e-3, ..common },
        }
    }

    /// The papers' own way to train fasttext, if they say how: gradient descent for 8 epochs at rate 4, which falls by
    /// 0.9 each epoch, in torchtext's batches of 16. On long texts the loss jumps about at this rate (IMDb: 0.866, and a
    /// point less or more from epoch to epoch), so it is not the default.
    pub fn papers_fasttext() -> Self {
        Self {
            epochs: 8,
            batch: 16,
            optimizer: Optimizer::Sgd,
            rate: 4.0,
            rate_decay: 0.9,
            ..Self::new(Architecture::FastText)
        }
    }

    /// How often the examples are gone through.
    pub(super) fn epochs(&self) -> Epochs {
        let Self { seed, epochs, batch, patience, rate, .. } = *self;
        Epochs { seed, epochs, batch, patience, best_from: 1, rate }
    }

    /// Refuses values that no training could use; behind this door they are trusted.
    pub(super) fn check(&self) -> Result<()> {
        let counts = [
            ("words", self.words, 0),
            ("bigrams", self.bigrams, 0),
            ("max words", self.max_words, 1),
            ("embedding width", self.embedding_width, 1),
            ("filters", self.filters, 1),
            ("hidden", self.hidden, 1),
            ("epochs", self.epochs, 1),
            ("batch", self.batch, 1),
        ];
        for (option, found, lowest) in counts {
            if !(lowest..=1 << 24).contains(&found) {
                let expected = if lowest == 0 { "a number from 0 to 16777216" } else { "a number from 1 to 16777216" };
                return Err(Error::BadOption { option, found: found.to_string(), expected });
            }
        }
        if self.spans.is_empty() || self.spans.iter().any(|span| !(1..=1024).contains(span)) {
            let found = format!("{:?}", self.spans);
            return Err(Error::BadOption { option: "spans", found, expected: "one or more numbers from 1 to 1024" });
        }
        let numbers = [
            ("rate", self.rate, self.rate > 0.0 && self.rate.is_finite(), "a number above 0"),
            ("rate decay", self.rate_decay, self.rate_decay > 0.0 && self.rate_decay <= 1.0, "above 0, at most 1"),
            ("dropout", self.dropout, (0.0..1.0).contains(&self.dropout), "at least 0, below 1"),
            ("validation", self.validation, (0.0..1.0).contains(&self.validation), "at least 0, below 1"),
            ("label smoothing", self.loss.smoothing, (0.0..1.0).contains(&self.loss.smoothing), "at least 0, below 1"),
            ("focal loss", self.loss.focus, (0.0..=10.0).contains(&self.loss.focus), "from 0 to 10"),
        ];
        for (option, found, right, expected) in numbers {
            if !right {
                return Err(Error::BadOption { option, found: found.to_string(), expected });
            }
        }
        Ok(())
    }
}
