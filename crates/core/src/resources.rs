//! What a part may be given besides the sample: a model's view of it, a language model, a translator.
//!
//! Parts know no models. They use these traits, and the caller (the command line, an evaluation) provides what there
//! is. A part that [`needs`](crate::Card::needs) what was not provided is refused before the run, with the reason. A
//! resource is a pure function of what is asked, so that an outcome still depends on seed, part and sample alone.

mod toy;

use std::fmt;
use std::sync::Arc;

use crate::{Donors, Need, Sample, Skip, Span, Spelling};

/// The resources that are available; none by default.
#[derive(Debug, Clone, Default)]
pub struct Resources {
    pub importance: Option<Arc<dyn Importance>>,
    pub masked_lm: Option<Arc<dyn MaskedLm>>,
    pub translator: Option<Arc<dyn Translator>>,
    /// A translator learned from the training file of the user, for each label.
    pub label_translator: Option<Arc<dyn Translator>>,
    pub similarity: Option<Arc<dyn Similarity>>,
    /// Word vectors of the user, instead of the built-in neighbours.
    pub neighbours: Option<Arc<dyn Neighbours>>,
    /// Other samples to take words from.
    pub donors: Option<Arc<Donors>>,
    /// How the file spells the senses of its classes.
    pub spelling: Option<Arc<Spelling>>,
}

/// Says how much each word counts for the answer of the model under test.
pub trait Importance: fmt::Debug + Send + Sync {
    /// How the numbers come about (`grad_x_input`, `ig`, `leave_one_out`): reports say it.
    fn method(&self) -> &'static str;

    /// A number for each of the `words` of the field, larger for words that carry the answer more.
    fn of(&self, sample: &Sample, field: usize, words: &[Span]) -> Result<Vec<f32>, Skip>;
}

/// Guesses words that are hidden: a masked language model.
pub trait MaskedLm: fmt::Debug + Send + Sync {
    /// For each hidden place of the text, on its own, the best guesses in order, with their probabilities.
    fn guess(&self, text: &str, hidden: &[Span], count: usize) -> Result<Vec<Vec<Guess>>, Skip>;

    /// For each hidden place of the text, on its own: the best guesses for each of the pieces that it was, all of them hidden
    /// at once. Models read Chinese character by character, so a word is put together from these.
    fn guess_pieces(&self, text: &str, hidden: &[Span], count: usize) -> Result<Vec<Vec<Vec<Guess>>>, Skip>;
}

/// What may stand in a hidden place, with its probability.
pub type Guess = (String, f32);

/// Puts a text into other words.
pub trait Translator: fmt::Debug + Send + Sync {
    /// Which way the text goes, for reports: `en > es > en by apertium`.
    fn way(&self) -> String;

    /// The text in other words; `label` is the class of the sample, if it has one.
    fn translate(&self, text: &str, label: Option<&str>) -> Result<String, Skip>;
}

/// Says how alike two texts are in meaning: a sentence encoder.
pub trait Similarity: fmt::Debug + Send + Sync {
    /// The cosine of the angle between the two, from -1 to 1; 1 for equal texts.
    fn cosine(&self, one: &str, other: &str) -> Result<f64, Skip>;
}

/// Knows which words are used like a word: a file of word vectors.
pub trait Neighbours: fmt::Debug + Send + Sync {
    /// The words nearest to a lower-case word, the nearest first, each with its likeness (1 for the same).
    fn of(&self, word: &str) -> Arc<[(Box<str>, f32)]>;
}

impl Resources {
    /// Whether a resource that a part needs is available.
    pub fn serve(&self, need: Need) -> bool {
        match need {
            Need::TokenImportance => self.importance.is_some(),
            Need::LanguageModel => self.masked_lm.is_some(),
            Need::Translator => self.translator.is_some(),
            Need::TrainingData => self.label_translator.is_some(),
            Need::SentenceEncoder => self.similarity.is_some(),
            Need::Donors => self.donors.is_some(),
            Need::LabelSenses => self.spelling.is_some(),
        }
    }
}

impl Need {
    /// What to do to get it, for plans and skips.
    pub fn advice(self) -> &'static str {
        match self {
            Self::TokenImportance => "it needs a model that says which words carry its answer: give --model",
            Self::LanguageModel => "it needs a masked language model: give --language-model DIR",
            Self::Translator => "it needs a translator: give --translator apertium or --translator 'COMMAND'",
            Self::TrainingData => "it needs labelled training texts to learn from: give --train FILE",
            Self::SentenceEncoder => "it needs a sentence encoder: give --encoder DIR",
            Self::Donors => "it needs other samples to take words from: give --donors FILE",
            Self::LabelSenses => {
                "it needs to know what the labels mean: give --senses LABEL=SENSE,..., for instance --senses 0=entails,2=contradicts, or 1=same,0=different for pairs that mean the same or not"
            }
        }
    }
}
