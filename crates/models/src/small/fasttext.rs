//! fasttext (Joulin et al. 2017): the mean of the embeddings of words and bigrams.

use super::{Body, Small, Training};
use crate::Result;
use crate::layers::{mean_rows, mean_rows_backward};
use crate::train::certified::{Others, Pull};
use crate::weights::Weights;

/// A mean has no weights; it only knows its width.
#[derive(Debug, Clone)]
pub(crate) struct FastText {
    pub(crate) width: usize,
}

impl Body for FastText {
    const ARCHITECTURE: &'static str = "fasttext";
    const GROUP: usize = 64;
    const BIGRAMS: bool = true;
    const ADDITIVE: bool = true;

    type Tape = ();

    fn features(&self) -> usize {
        self.width
    }

    fn forward(&self, points: &[&[f32]]) -> ((), Vec<f32>) {
        let mut features = vec![0.0; points.len() * self.width];
        for (x, features) in points.iter().zip(features.chunks_exact_mut(self.width)) {
            mean_rows(x, features);
        }
        ((), features)
    }

    fn backward(
        &self,
        (): &(),
        _: &[usize],
        features: &[f32],
        lengths: &[usize],
        _: Option<Training<'_>>,
    ) -> Vec<Vec<f32>> {
        let texts = features.chunks_exact(self.width).zip(lengths);
        texts.map(|(features, length)| mean_rows_backward(features, length / self.width)).collect()
    }

    fn worst(
        model: &Small<Self>,
        ids: &[u32],
        others: &Others,
        label: usize,
        _: f32,
        pull: &mut Pull<'_>,
    ) -> Option<f64> {
        Some(super::worst_bag::worst(model, ids, others, label, pull))
    }

    fn weight_lengths(&self) -> Vec<usize> {
        Vec::new()
    }

    fn weights_mut(&mut self) -> Vec<&mut Vec<f32>> {
        Vec::new()
    }

    fn load(_: &Weights, width: usize) -> Result<Self> {
        Ok(Self { width })
    }

    fn tensors(&self) -> Vec<(String, Vec<usize>, Vec<f32>)> {
        Vec::new()
    }
}
