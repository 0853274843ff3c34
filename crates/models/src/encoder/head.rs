//! The heads: from hidden rows to scores.

use super::activation::Activation;
use super::dropout::{Dropout, Place};
use super::linear::{Linear, Norm, Normalised};
use crate::kernels::multiply;

/// One classification of a whole text, from its first row: `classifier(activation(dense(row)))`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClassHead {
    pub dense: Linear,
    pub activation: Activation,
    pub classifier: Linear,
}

/// What the backward pass of a [`ClassHead`] needs.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub logits: Vec<f32>,
    pooled: Vec<f32>,
    slope: Vec<f32>,
}

impl ClassHead {
    /// The scores of one text, from its first hidden row.
    pub fn forward(&self, row: &[f32], dropout: Option<&Dropout>) -> Kept {
        let mut slope = vec![0.0; self.dense.outputs()];
        let without_bias = vec![0.0; self.dense.outputs()];
        self.dense.forward_row(row, &mut slope);
        let mut pooled = vec![0.0; slope.len()];
        self.activation.apply(&mut slope, &without_bias, &mut pooled);
        if let Some(dropout) = dropout {
            dropout.apply(Place::Pooled, &mut pooled);
        }
        let mut logits = vec![0.0; self.classifier.outputs()];
        self.classifier.forward_row(&pooled, &mut logits);
        Kept { logits, pooled, slope }
    }

    /// Writes the gradient of `sum_c weights_c logit_c` with respect to the first row of a text; where there is a
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
        multiply(&kept.slope, &mut d_pooled);
        self.dense.backward_row(&d_pooled, d_row);
        if let Some((row, gradient)) = training {
            gradient.classifier.accumulate(weights, &kept.pooled);
            gradient.dense.accumulate(&d_pooled, row);
        }
    }

    pub fn gradient(&self) -> Self {
        let zeros = |like: &Linear| Linear::zeros(like.outputs(), like.inputs());
        Self { dense: zeros(&self.dense), activation: self.activation, classifier: zeros(&self.classifier) }
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
