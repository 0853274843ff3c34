//! A model whose logits are the mean of what its features say, each alone: fasttext.

use std::ops::Range;

use super::reader::{PAD, UNKNOWN};
use super::{Body, Small};

/// The features of an additive model with the logits of each. The logits of a text are the mean over its features: its
/// words, the bigrams among them that the model knows, and padding up to [`fewest`](Bag::fewest) words.
#[derive(Debug, Clone)]
pub struct Bag<'m> {
    reader: &'m super::Reader,
    classes: usize,
    /// The logits of a text that is this feature alone, feature after feature.
    logits: Vec<f32>,
    fewest: usize,
}

impl<'m> Bag<'m> {
    pub(crate) fn of<B: Body>(small: &'m Small<B>) -> Self {
        let rows = small.table.chunks_exact(small.width);
        let logits = rows.flat_map(|row| small.head.forward(row)).collect();
        let fewest = small.body.fewest_rows();
        Self { reader: &small.reader, classes: small.capabilities.labels.len(), logits, fewest }
    }

    /// The number of classes.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The most words of a text that are read.
    pub fn most(&self) -> usize {
        self.reader.max_words()
    }

    /// The fewest words of a text; a shorter one is filled up with [`padding`](Bag::padding).
    pub fn fewest(&self) -> usize {
        self.fewest
    }

    /// The words of a text, as the model cuts it.
    pub fn words<'t>(&self, text: &'t str) -> impl Iterator<Item = Range<usize>> + use<'t> {
        self.reader.cut().words(text)
    }

    /// The feature of a lower-case word; words that the model does not know share one.
    pub fn word(&self, word: &str) -> u32 {
        self.reader.id(word).unwrap_or(UNKNOWN)
    }

    /// The feature of two lower-case words with a space between, if the model knows it.
    pub fn bigram(&self, both: &str) -> Option<u32> {
        self.reader.id(both).filter(|_| self.reader.reads_bigrams())
    }

    /// The feature that fills a short text up.
    pub fn padding(&self) -> u32 {
        PAD
    }

    /// The logits of a text that is this feature alone.
    pub fn logits(&self, feature: u32) -> &[f32] {
        &self.logits[feature as usize * self.classes..][..self.classes]
    }
}
