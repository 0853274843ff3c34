//! The small models. The classifiers fasttext, cnn and bilstm embed words, turn the rows of a text into a few features (the
//! [`Body`]), and put one linear layer on top; everything but the body is shared and lives here. A tagger of tokens stands beside them (`tagger.rs`).

mod bag;
mod bilstm;
mod cnn;
mod fasttext;
mod groups;
pub(crate) mod reader;
mod recurrent;
mod store;
mod stretches;
pub(crate) mod tagger;
mod white_box;
mod windows;
mod words;
mod worst_bag;
mod worst_cnn;
mod worths;

use std::fmt;
use std::path::Path;

use rayon::prelude::*;
use serde_json::{Map, Value};

pub use bag::Bag;
pub(crate) use bilstm::BiLstm;
pub(crate) use cnn::Cnn;
pub(crate) use fasttext::FastText;
pub(crate) use groups::in_groups;
pub(crate) use reader::Reader;
pub use recurrent::{Recurrent, SavedStates};
pub(crate) use store::{FORMAT, open, word_cut};
pub use stretches::{ReadText, Reading, Run, Stretches};
pub use tagger::BiLstmTagger;
pub(crate) use tagger::Features;
pub(crate) use white_box::best;
pub use windows::{Filters, Saved, Windows};
pub use words::WordCut;
pub use worths::Worth;

use crate::layers::Linear;
use crate::train::certified::{Others, Pull};
use crate::weights::Weights;
use crate::{Capabilities, Embedded, Error, Matrix, Result, WhiteBox};

/// A small model as its users see it: white inside, and it can be saved.
pub trait SmallModel: WhiteBox {
    /// Writes `config.json` and `model.safetensors`, which [`crate::open`] reads back to the same model, bit for bit.
    fn save(&self, directory: &Path) -> Result<()>;

    /// The words (and bigrams) of the embedding table, by id.
    fn vocabulary(&self) -> &[String];

    /// How it cuts texts into words.
    fn word_cut(&self) -> WordCut;
}

/// A small model with one kind of body.
#[derive(Debug, Clone)]
pub(crate) struct Small<B> {
    pub(crate) reader: Reader,
    /// The width of an embedding row.
    pub(crate) width: usize,
    /// The embedding table, row after row.
    pub(crate) table: Vec<f32>,
    pub(crate) body: B,
    pub(crate) head: Linear,
    pub(crate) capabilities: Capabilities,
    /// What else `config.json` said; it is written back.
    pub(crate) notes: Map<String, Value>,
}

/// From the embedding rows of texts to their features, and back.
pub(crate) trait Body: fmt::Debug + Clone + Send + Sync + 'static {
    /// The name in `config.json`.
    const ARCHITECTURE: &'static str;
    /// The most texts that go through together; an answer does not depend on it.
    const GROUP: usize;
    /// Whether bigrams of the vocabulary are read beside words.
    const BIGRAMS: bool = false;

    /// Whether the logits of a text are the mean of the logits of its rows.
    const ADDITIVE: bool = false;

    /// What the way back needs.
    type Tape;

    /// The model as sums over words and maxima over windows, if it is that.
    fn windows(_: &Small<Self>) -> Option<Windows<'_>> {
        None
    }

    /// The model as states that words move on, if it is that.
    fn recurrent(_: &Small<Self>) -> Option<Recurrent<'_>> {
        None
    }

    /// How many features a text has.
    fn features(&self) -> usize;

    /// A text must have at least this many rows; shorter ones are filled up with `<pad>`.
    fn fewest_rows(&self) -> usize {
        5
    }

    /// The features of each text, one row a text. Texts come sorted by falling length.
    fn forward(&self, points: &[&[f32]]) -> (Self::Tape, Vec<f32>);

    /// The gradient of the rows of the texts `of` the tape, from the gradient of their features (one row for each of
    /// `of`). `lengths` says how many numbers the rows of each of `of` have. In training, `of` is all texts. Where all
    /// rows of a gradient are the same, one is enough.
    fn backward(
        &self,
        tape: &Self::Tape,
        of: &[usize],
        features: &[f32],
        lengths: &[usize],
        training: Option<Training<'_>>,
    ) -> Vec<Vec<f32>>;

    /// The loss of the worst text that other words could make of one, or a bound of it, with its gradient added to `pull`; of
    /// boxes around words only `share` is taken. `None` if it cannot be worked out for this kind of model.
    fn worst(_: &Small<Self>, _: &[u32], _: &Others, _label: usize, _share: f32, _: &mut Pull<'_>) -> Option<f64> {
        None
    }

    /// The length of every list of weights, in the order of [`Body::weights_mut`].
    fn weight_lengths(&self) -> Vec<usize>;

    /// Every list of weights, always in the same order.
    fn weights_mut(&mut self) -> Vec<&mut Vec<f32>>;

    /// Called after the weights have changed.
    fn refresh(&mut self) {}

    /// Reads the body of a model with embedding rows of the given width.
    fn load(weights: &Weights, width: usize) -> Result<Self>;

    /// The weights under the names and in the layout of the file.
    fn tensors(&self) -> Vec<(String, Vec<usize>, Vec<f32>)>;
}

/// What [`Body::backward`] needs to add the gradients of the weights too.
pub(crate) struct Training<'a> {
    pub(crate) points: &'a [&'a [f32]],
    /// In the order of [`Body::weights_mut`].
    pub(crate) gradients: &'a mut [Vec<f32>],
}

/// Reading or checking a text takes microseconds: threads take this many at least.
const SHARE: usize = 16;

impl<B: Body> Small<B> {
    /// The embedding rows of some ids.
    pub(crate) fn gather(&self, ids: impl ExactSizeIterator<Item = u32>) -> Vec<f32> {
        let mut rows = Vec::with_capacity(ids.len() * self.width);
        for id in ids {
            rows.extend_from_slice(&self.table[id as usize * self.width..][..self.width]);
        }
        rows
    }

    /// The logits of each text of a group, and what the way back needs.
    pub(crate) fn forward(&self, points: &[&[f32]]) -> (B::Tape, Vec<Vec<f32>>) {
        let (tape, features) = self.body.forward(points);
        (tape, features.chunks_exact(self.body.features()).map(|features| self.head.forward(features)).collect())
    }

    /// Points come from callers, who may have moved them anywhere.
    fn check(&self, points: &[Embedded]) -> Result<()> {
        let wrong = |rows: &Matrix| {
            let Matrix { width, values } = rows;
            if *width != self.width {
                return Some(format!("its rows have {width} numbers, the embedding table {}", self.width));
            }
            if rows.count() < self.body.fewest_rows() || !values.len().is_multiple_of(*width) {
                let fewest = self.body.fewest_rows();
                return Some(format!("it has {} numbers, but must have at least {fewest} whole rows", values.len()));
            }
            // Looking at every number is done in one sweep of the whole: a search that stops early cannot use vectors.
            let finite = values.iter().fold(true, |finite, value| finite & value.is_finite());
            let at = if finite { None } else { values.iter().position(|value| !value.is_finite()) };
            at.map(|at| format!("number {at} is {}", values[at]))
        };
        let points = points.par_iter().with_min_len(SHARE).enumerate();
        let found = points.find_map_first(|(at, point)| wrong(&point.rows).map(|why| (at, why)));
        found.map_or(Ok(()), |(point, why)| Err(Error::WrongPoint { point, why }))
    }
}
