//! The traits of models: `Model`, and `WhiteBox` for those with gradients.

use std::fmt;
use std::ops::Range;

use crate::{Bag, Error, Recurrent, Result, Stretches, Windows};

/// One question to a model: a text, or a pair of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Input<'a> {
    pub text: &'a str,
    pub pair: Option<&'a str>,
}

impl<'a> From<&'a str> for Input<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, pair: None }
    }
}

/// What a model can be asked for. A request it cannot serve is refused before the run, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// The names of the classes, in the order of the scores.
    pub labels: Vec<String>,
    /// Answers carry log-probabilities, not only the best label.
    pub probabilities: bool,
    /// The model is a [`WhiteBox`].
    pub gradients: bool,
}

/// One classification.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The index of the predicted label in [`Capabilities::labels`].
    pub predicted: usize,
    /// Natural logarithms of the class probabilities; `None` if the model gives labels only.
    pub log_probs: Option<Vec<f32>>,
    /// Whether the text was longer than the model reads.
    pub truncated: bool,
}

/// Refuses logits that are no numbers: the first class would be taken for the answer.
pub(crate) fn check_logits(input: usize, logits: &[f32]) -> Result<()> {
    match logits.iter().position(|logit| !logit.is_finite()) {
        None => Ok(()),
        Some(class) => Err(Error::Logit { input, class, value: logits[class] }),
    }
}

/// A model that can be asked.
pub trait Model: fmt::Debug + Send + Sync {
    fn capabilities(&self) -> &Capabilities;

    /// Answers in the order of the inputs. An answer depends on its own input alone, bit for bit: neither the batch
    /// nor the number of threads may change it.
    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>>;

    /// The same, where an input that gets no answer does not cost the others theirs: it gets the reason.
    fn try_answer(&self, inputs: &[Input<'_>]) -> Result<Vec<std::result::Result<Answer, String>>> {
        Ok(self.answer(inputs)?.into_iter().map(Ok).collect())
    }

    /// The model with its gradients; `None` if it gives none.
    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        None
    }
}

/// A model with gradients. Everything in `geometry` needs only these methods.
pub trait WhiteBox: Model {
    /// The pieces a text is cut into, and the rows of the word-embedding table at those pieces.
    fn embed(&self, inputs: &[Input<'_>]) -> Result<Vec<Embedded>>;

    /// The logits at the given points of embedding space.
    fn logits_at(&self, points: &[Embedded]) -> Result<Vec<Vec<f32>>>;

    /// One forward pass for each point, then as many backward passes over its saved activations as `ask` wants:
    /// `ask(i, logits)` returns weight vectors `w` (one number a class), and each comes back as
    /// `d(sum_c w_c z_c)/dx` at point `i`.
    fn pull_back(&self, points: &[Embedded], ask: &WeightsFn<'_>) -> Result<Vec<PullBack>>;

    /// The whole words of the model's vocabulary, in the order of its table: what random and neighbouring words are
    /// drawn from. No marks (`<pad>`, `[CLS]`), no parts of words (`##ing`), no features (bigrams).
    fn words(&self) -> Vec<String> {
        Vec::new()
    }

    /// The model as the sum of its features, if it is one: then the best combination of many changes can be computed.
    fn bag(&self) -> Option<Bag<'_>> {
        None
    }

    /// The model as sums over words and maxima over windows, if it is that: then texts that differ little are answered from
    /// one another, and many texts are bounded at once.
    fn windows(&self) -> Option<Windows<'_>> {
        None
    }

    /// The model as states that words move on, if it is that: then texts that differ in some words are answered together, and
    /// many texts are bounded at once.
    fn recurrent(&self) -> Option<Recurrent<'_>> {
        None
    }

    /// How it reads texts stretch by stretch, if it does: then texts that differ little are read from one another. What it finds is
    /// what [`readings`](Self::readings) finds of a single text.
    fn stretches(&self) -> Option<Stretches<'_>> {
        None
    }

    /// What the model reads of each input: the rows of its table. Inputs that read alike are answered alike.
    fn readings(&self, inputs: &[Input<'_>]) -> Result<Vec<Vec<u32>>> {
        Ok(self.embed(inputs)?.iter().map(|point| point.pieces.iter().map(|piece| piece.id).collect()).collect())
    }

    /// The row of the table that stands for "no word here", the baseline of integrated gradients; `None` for zeros.
    fn pad_embedding(&self) -> Option<&[f32]> {
        None
    }
}

/// Chooses, from the logits of point `i`, the weight vectors to pull back. See [`WhiteBox::pull_back`].
pub type WeightsFn<'a> = dyn Fn(usize, &[f32]) -> Vec<Vec<f32>> + Sync + 'a;

/// What [`WhiteBox::pull_back`] finds at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct PullBack {
    pub logits: Vec<f32>,
    /// One gradient for each weight vector asked for, shaped like the point's rows.
    pub gradients: Vec<Gradient>,
}

/// A gradient at a point: a row for each row of the point. Where all are the same, as below a mean, one row is kept for
/// all of them; writing it out again and again would be most of the work.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gradient {
    count: usize,
    kept: Matrix,
    absences: Vec<f32>,
}

impl Gradient {
    /// Of a point with `count` rows; `kept` has as many, or one that stands for all.
    pub fn new(count: usize, kept: Matrix) -> Self {
        debug_assert!(kept.count() == count || kept.count() == 1);
        Self { count, kept, absences: Vec::new() }
    }

    /// With what the weighted sum of logits gains if the other rows no longer attend to a row, one number for each row.
    pub fn with_absences(self, absences: Vec<f32>) -> Self {
        debug_assert_eq!(absences.len(), self.count);
        Self { absences, ..self }
    }

    /// What the weighted sum of logits gains, to first order in the other rows, if they no longer attend to a row; one number
    /// for each row. Empty for models without attention.
    pub fn absences(&self) -> &[f32] {
        &self.absences
    }

    /// The number of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn row(&self, at: usize) -> &[f32] {
        self.kept.row(if self.kept.count() == 1 { 0 } else { at })
    }

    /// The rows that are kept: all of them, or the one that stands for all.
    pub fn kept(&self) -> &Matrix {
        &self.kept
    }

    /// How many rows of the point a kept row stands for.
    pub fn repeats(&self) -> usize {
        if self.kept.count() == 1 { self.count } else { 1 }
    }

    /// Every row written out.
    pub fn to_rows(&self) -> Matrix {
        Matrix::new(self.kept.width, self.kept.values.repeat(self.repeats()))
    }
}

/// A text as a point in embedding space.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// One for each row of `rows`.
    pub pieces: Vec<Piece>,
    pub rows: Matrix,
    /// Whether the text was longer than the model reads.
    pub truncated: bool,
}

/// A piece of the input: a word, a part of a word, a bigram, or a mark such as `[CLS]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its row in the embedding table.
    pub id: u32,
    /// Which text it comes from (0 = text, 1 = pair) and the bytes it covers there; `None` for marks of the model's own.
    pub source: Option<(u8, Range<usize>)>,
    /// The number of the word it belongs to, counted over the input; pieces of one word share it. `None` for marks, and
    /// for features (bigrams) that span several words.
    pub word: Option<u32>,
}

/// A small dense matrix, row by row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    /// The length of a row.
    pub width: usize,
    pub values: Vec<f32>,
}

impl Matrix {
    pub fn new(width: usize, values: Vec<f32>) -> Self {
        debug_assert!(width > 0 && values.len().is_multiple_of(width));
        Self { width, values }
    }

    pub fn zeros(count: usize, width: usize) -> Self {
        Self { width, values: vec![0.0; count * width] }
    }

    /// The number of rows.
    pub fn count(&self) -> usize {
        self.values.len().checked_div(self.width).unwrap_or(0)
    }

    pub fn row(&self, at: usize) -> &[f32] {
        &self.values[at * self.width..][..self.width]
    }
}
