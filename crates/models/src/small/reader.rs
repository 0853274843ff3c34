//! From a text to the pieces that a small model reads: words, bigrams, padding.
//!
//! A pair is read as the words of the first text, the mark `<sep>`, and the words of the second; no bigram crosses the
//! mark. Where the two are too long together, the longer gives way until both have half. A model whose vocabulary has no
//! `<sep>` was not trained on pairs, and refuses them.

use std::ops::Range;

use hashbrown::HashMap;

use super::words::words;
use crate::{Error, Input, Piece, Result};

/// The id of `<pad>`, whose embedding row is zero.
pub(crate) const PAD: u32 = 0;
/// The id of `<unk>`, which stands for every word that is not in the vocabulary.
pub(crate) const UNKNOWN: u32 = 1;
/// What the first entries of every vocabulary are.
pub(crate) const MARKS: [&str; 2] = ["<pad>", "<unk>"];
/// The mark between the texts of a pair, in the vocabularies of models trained on pairs.
pub(crate) const SEPARATOR: &str = "<sep>";

/// Knows the vocabulary of a model and how much of a text it reads.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    vocabulary: Vec<String>,
    ids: HashMap<String, u32>,
    max_words: usize,
    fewest: usize,
    bigrams: bool,
    separator: Option<u32>,
}

/// One text (or pair), read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) truncated: bool,
}

impl Reader {
    /// A reader of at most `max_words` words, filled up with `<pad>` to at least `fewest`. With `bigrams`, pairs of
    /// neighbouring words that the vocabulary has (as `"w1 w2"`) follow the words. Two entries that are the same are
    /// an error: it is given back.
    pub(crate) fn new(
        vocabulary: Vec<String>,
        max_words: usize,
        fewest: usize,
        bigrams: bool,
    ) -> std::result::Result<Self, String> {
        let mut ids = HashMap::with_capacity(vocabulary.len());
        for (id, word) in vocabulary.iter().enumerate() {
            if ids.insert(word.clone(), id as u32).is_some() {
                return Err(word.clone());
            }
        }
        let separator = ids.get(SEPARATOR).copied();
        Ok(Self { vocabulary, ids, max_words, fewest, bigrams, separator })
    }

    pub(crate) fn vocabulary(&self) -> &[String] {
        &self.vocabulary
    }

    pub(crate) fn max_words(&self) -> usize {
        self.max_words
    }

    pub(crate) fn read(&self, input: Input<'_>) -> Result<Reading> {
        let ranges = |text: &str, most: usize| -> Vec<Range<usize>> { words(text).take(most + 1).collect() };
        let mut first = ranges(input.text, self.max_words);
        let mut reading = Reading { pieces: Vec::with_capacity(2 * first.len()), truncated: false };
        let Some(pair) = input.pair else {
            reading.truncated = first.len() > self.max_words;
            first.truncate(self.max_words);
            self.add(&mut reading.pieces, 0, 0, input.text, &first);
            self.pad(&mut reading.pieces, first.len());
            return Ok(reading);
        };
        let separator = self.separator.ok_or(Error::NoPairs { separator: SEPARATOR })?;
        let mut second = ranges(pair, self.max_words);
        let room = self.max_words.saturating_sub(1);
        reading.truncated = first.len() + second.len() > room;
        let first_share = first.len().min((room - second.len().min(room / 2)).max(room.div_ceil(2)));
        first.truncate(first_share);
        second.truncate(room - first_share);

        let mark = Piece { id: separator, source: None, word: None };
        if self.bigrams {
            // Words before bigrams, whatever text they come from.
            self.add_words(&mut reading.pieces, 0, 0, input.text, &first);
            reading.pieces.push(mark);
            self.add_words(&mut reading.pieces, 1, first.len(), pair, &second);
        }
        todo!()
    }
}
