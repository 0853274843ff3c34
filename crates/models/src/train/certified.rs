//! Training with bounds: the loss of an example is also that of the worst text that some substitutions could make of it
//! (Jia, Raghunathan, Göksel and Liang 2019).
//!
//! For a cnn the worst text is bounded: every word is a box around its own row and those of its substitutes, and the boxes
//! go through the network as intervals. For fasttext, whose answer is a mean, the worst combination itself is found, and the
//! model learns from that text.

use std::ops::Range;

use super::step::Text;
use super::{Example, Progress, Target, TrainOptions, Trained, check_labels, learner, start};
use crate::small::reader::{Tokenized, UNKNOWN};
use crate::small::{Body, Small};
use crate::{Error, Result};

/// For a word of an example what may stand in its place: which text (0, or 1 for the second of a pair), its bytes, words.
pub type Choice = (u8, Range<usize>, Vec<Box<str>>);

/// How much training goes by the worst text.
pub struct Certify<'a> {
    /// What may stand for the words of an example, by its place among the examples.
    pub choices: &'a (dyn Fn(usize) -> Vec<Choice> + Sync),
    /// How much the worst text counts against the text itself, from 0 to 1.
    pub weight: f32,
    /// The share of the epochs over which the boxes and the weight grow.
    pub ramp: f32,
}

impl std::fmt::Debug for Certify<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Certify").field("weight", &self.weight).field("ramp", &self.ramp).finish_non_exhaustive()
    }
}

impl Certify<'_> {
    /// How far the boxes have grown in an epoch, from 0 to 1.
    pub(super) fn grown(&self, epoch: usize, epochs: usize) -> f32 {
        let over = (epochs as f32 * self.ramp).max(1.0);
        ((epoch - 1) as f32 / over).min(1.0)
    }

    fn check(&self) -> Result<()> {
        for (option, found) in [("weight of the worst text", self.weight), ("ramp", self.ramp)] {
            if !(0.0..=1.0).contains(&found) {
                return Err(Error::BadOption { option, found: found.to_string(), expected: "a number from 0 to 1" });
            }
        }
        Ok(())
    }
}

/// Trains a cnn or a fasttext model that also answers well with other words in its texts. The best epoch is chosen among those
/// after the boxes have grown.
pub fn train_certified(
    examples: &[Example],
    labels: &[String],
    options: &TrainOptions,
    certify: &Certify<'_>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Trained> {
    options.check()?;
    certify.check()?;
    check_labels(examples, labels)?;
    super::on_split(examples, options, &mut |split, until| {
        let data = (examples, &super::Nonsense::default());
        match options.architecture {
            super::Architecture::FastText => {
                let model = start::fasttext(examples, split, labels, options)?;
                learner::learn(model, data, split, (options, until), Some(certify), progress)
            }
            super::Architecture::Cnn => {
                let model = start::cnn(examples, split, labels, options)?;
                learner::learn(model, data, split, (options, until), Some(certify), progress)
            }
            super::Architecture::BiLstm => Err(Error::BadOption {
                option: "architecture",
                found: options.architecture.name().into(),
                expected: "cnn or fasttext, whose worst texts can be bounded",
            }),
        }
    })
}

/// The rows of a text that may be read otherwise, each with the ids of other words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Others {
    /// How many rows are words, marks and padding; bigrams follow.
    pub(crate) words: usize,
    pub(crate) rows: Vec<(usize, Vec<u32>)>,
    /// For fasttext: the bigrams that a row and the next can make, with their ids, in the order of rows.
    pub(crate) bigrams: Vec<(usize, [u32; 2], u32)>,
}

impl Others {
    /// What choices are to a model: only words that it reads as one word.
    pub(crate) fn read<B: Body>(model: &Small<B>, reading: &Tokenized, choices: &[Choice]) -> Self {
        let is_bigram = |piece: &&crate::Piece| piece.word.is_none() && piece.source.is_some();
        let count = reading.pieces.len() - reading.pieces.iter().filter(is_bigram).count();
        let mut others = Self { words: count, ..Self::default() };
        for (source, bytes, choices) in choices {
            let at = reading.pieces.iter().position(|piece| {
                piece.word.is_some() && piece.source.as_ref().is_some_and(|(s, b)| s == source && b == bytes)
            });
            let Some(at) = at else { continue };
            let mut ids: Vec<u32> = Vec::new();
            for word in choices {
                let mut parts = model.reader.cut().words(word);
                if parts.next().is_some_and(|range| range == (0..word.len())) && parts.next().is_none() {
                    let id = model.reader.id(&word.to_ascii_lowercase()).unwrap_or(UNKNOWN);
                    if id != reading.pieces[at].id && !ids.contains(&id) {
                        ids.push(id);
                    }
                }
            }
            if !ids.is_empty() {
                others.rows.push((at, ids));
            }
        }
        others.rows.sort_unstable();
        others.rows.dedup_by_key(|(at, _)| *at);
        if B::BIGRAMS {
            others.find_bigrams(model, reading);
        }
        others
    }

    /// The bigrams that a row and the next can make.
    pub(crate) fn bigrams_at(&self, row: usize) -> &[(usize, [u32; 2], u32)] {
        let start = self.bigrams.partition_point(|(at, ..)| *at < row);
        let end = self.bigrams.partition_point(|(at, ..)| *at <= row);
        &self.bigrams[start..end]
    }

    fn find_bigrams<B: Body>(&mut self, model: &Small<B>, reading: &Tokenized) {
        let spelled = |id: u32| &model.reader.vocabulary()[id as usize];
        let at = |row: usize| -> Vec<u32> {
            let others = self.rows.iter().find(|(at, _)| *at == row).map_or(&[][..], |(_, ids)| ids);
            std::iter::once(reading.pieces[row].id).chain(others.iter().copied()).collect()
        };
        let is_word = |row: usize| reading.pieces[row].word.is_some();
        let mut found = Vec::new();
        for row in (0..self.words.saturating_sub(1)).filter(|row| is_word(*row) && is_word(row + 1)) {
            for one in at(row) {
                for next in at(row + 1) {
                    if let Some(id) = model.reader.id(&format!("{} {}", spelled(one), spelled(next))) {
                        found.push((row, [one, next], id));
                    }
                }
            }
        }
        self.bigrams = found;
    }
}

/// Where the gradient of the worst text goes.
pub(crate) struct Pull<'a> {
    /// How much it counts.
    pub(crate) weight: f32,
    /// In the order of [`Body::weights_mut`].
    pub(crate) body: &'a mut [Vec<f32>],
    pub(crate) head_weight: &'a mut [f32],
    pub(crate) head_bias: &'a mut [f32],
    /// Of rows of the table, by id.
    pub(crate) rows: Vec<(u32, Vec<f32>)>,
}

impl Text {
    /// The label and the other words, if the text has both.
    pub(super) fn worst_of(&self) -> Option<(usize, &Others)> {
        match (&self.others, self.target) {
            (Some(others), Target::Label(label)) if !others.rows.is_empty() => Some((label, others)),
            _ => None,
        }
    }
}
