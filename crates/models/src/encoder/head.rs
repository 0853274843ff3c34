//! The heads: from hidden rows to scores.

use std::borrow::Cow;

use super::activation::Activation;
use super::dropout::{Dropout, Place};
use super::layout::Reach;
use super::linear::{Linear, Norm, Normalised};
use crate::kernels::{add, axpy, multiply, scale};

/// Which row stands for a whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pooling {
    First,
    /// XLNet puts its mark for the whole text last.
    Last,
    Mean,
}

impl Pooling {
    /// The rows that have to be worked out.
    pub fn reach(self) -> Reach {
        if self == Self::First { Reach::First } else { Reach::All }
    }
}

/// One classification of a whole text, from one row: `classifier(norm(activation(dense(row))))`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClassHead {
    pub pooling: Pooling,
    pub dense: Linear,
    pub activation: Activation,
    /// ModernBERT normalises what goes into the classifier, with this epsilon.
    pub norm: Option<(Norm, f32)>,
    pub classifier: Linear,
}

/// What the backward pass of a [`ClassHead`] needs.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub logits: Vec<f32>,
    pooled: Vec<f32>,
    slope: Vec<f32>,
    normalised: Normalised,
}

impl ClassHead {
    /// The row that stands for a text, from its hidden rows.
    pub fn pooled<'a>(&self, rows: &'a [f32]) -> Cow<'a, [f32]> {
        let width = self.dense.inputs();
        match self.pooling {
            Pooling::First => rows[..width].into(),
            Pooling::Last => rows[rows.len() - width..].into(),
            Pooling::Mean => {
                let mut mean = vec![0.0; width];
                rows.chunks_exact(width).for_each(|row| add(row, &mut mean));
                scale(width as f32 / rows.len() as f32, &mut mean);
                mean.into()
            }
        }
    }

    /// The gradient with respect to all hidden rows of a text, which are zero before; see [`ClassHead::backward`].
    pub fn backward_rows(
        &self,
        weights: &[f32],
        kept: &Kept,
        dropout: Option<&Dropout>,
        training: Option<(&[f32], &mut Self)>,
        d_rows: &mut [f32],
    ) {
        let width = self.dense.inputs();
        let last = d_rows.len() - width;
        match self.pooling {
            Pooling::First => self.backward(weights, kept, dropout, training, &mut d_rows[..width]),
            Pooling::Last => self.backward(weights, kept, dropout, training, &mut d_rows[last..]),
            Pooling::Mean => {
                let mut d = vec![0.0; width];
                self.backward(weights, kept, dropout, training, &mut d);
                let share = width as f32 / d_rows.len() as f32;
                d_rows.chunks_exact_mut(width).for_each(|row| axpy(share, &d, row));
            }
        }
    }

    /// The scores of one text, from the row that stands for it.
    pub fn forward(&self, row: &[f32], dropout: Option<&Dropout>) -> Kept {
        let mut slope = vec![0.0; self.dense.outputs()];
        let without_bias = vec![0.0; self.dense.outputs()];
        self.dense.forward_row(row, &mut slope);
        let mut pooled = vec![0.0; slope.len()];
        self.activation.apply(&mut slope, &without_bias, &mut pooled);
        let mut normalised = Normalised::default();
        if let Some((norm, epsilon)) = &self.norm {
            normalised.rows.clone_from(&pooled);
            norm.forward(&mut normalised, *epsilon, &mut pooled);
        }
        if let Some(dropout) = dropout {
            dropout.apply(Place::Pooled, &mut pooled);
        }
        let mut logits = vec![0.0; self.classifier.outputs()];
        self.classifier.forward_row(&pooled, &mut logits);
        Kept { logits, pooled, slope, normalised }
    }

    /// Writes the gradient of `sum_c weights_c logit_c` with respect to the row that stands for a text; where there is a
    /// `training` with that row and a gradient to add to, also with respect to the weights of the head.
    pub fn backward(
        &self,
        weights: &[f32],
        kept: &Kept,
        dropout: Option<&Dropout>,
        training: Option<(&[f32], &mut Self)>,
        d_row: &mut [f32],
    ) {
        let mut d_pooled = vec![0.0; kept.pooled.len()];
        self.classifier.backward_row(weights, &mut d_pooled);
        if let Some(dropout) = dropout {
            dropout.apply(Place::Pooled, &mut d_pooled);
        }
        if let Some((norm, _)) = &self.norm {
            norm.backward(&mut d_pooled, &kept.normalised, 0);
        }
        multiply(&kept.slope, &mut d_pooled);
        self.dense.backward_row(&d_pooled, d_row);
        if let Some((row, gradient)) = training {
            gradient.classifier.accumulate(weights, &kept.pooled);
            gradient.dense.accumulate(&d_pooled, row);
        }
    }

    pub fn gradient(&self) -> Self {
        let zeros = |like: &Linear| Linear::zeros(like.outputs(), like.inputs());
        Self { dense: zeros(&self.dense), norm: None, classifier: zeros(&self.classifier), ..*self }
    }
}

/// A label for every row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TagHead(pub Linear);

/// How well an answer starts, and how well it ends, at every row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SpanHead(pub Linear);

impl SpanHead {
    /// The scores of all rows of a text as start, and as end.
    pub fn logits(&self, rows: &[f32]) -> [Vec<f32>; 2] {
        let count = rows.len() / self.0.inputs();
        let mut logits = [Vec::with_capacity(count), Vec::with_capacity(count)];
        for row in rows.chunks_exact(self.0.inputs()) {
            let mut two = [0.0; 2];
            self.0.forward_row(row, &mut two);
            logits[0].push(two[0]);
            logits[1].push(two[1]);
        }
        logits
    }
}

/// Scores for every word of the vocabulary at one row: `norm(activation(dense(row))) . words + bias`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MaskedHead {
    pub dense: Linear,
    pub activation: Activation,
    pub norm: Norm,
    pub bias: Vec<f32>,
}

impl MaskedHead {
    /// The scores of all words at one hidden row; `words` is the word table.
    pub fn scores(&self, row: &[f32], words: &[f32], epsilon: f32) -> Vec<f32> {
        let width = self.dense.outputs();
        let mut slope = vec![0.0; width];
        self.dense.forward_row(row, &mut slope);
        let mut normalised = Normalised { rows: vec![0.0; width], ..Normalised::default() };
        self.activation.apply(&mut slope, &vec![0.0; width], &mut normalised.rows);
        let mut out = vec![0.0; width];
        self.norm.forward(&mut normalised, epsilon, &mut out);
        words.chunks_exact(width).zip(&self.bias).map(|(word, bias)| crate::kernels::dot(word, &out) + bias).collect()
    }
}
