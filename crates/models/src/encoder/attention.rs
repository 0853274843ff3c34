//! Softmax attention of many heads over the texts of a batch, and its gradient.

use super::dropout::{Dropout, Place};
use super::layout::Layout;
use super::linear::room;
use super::relative::RelativeBias;
use crate::kernels::{Into, View, ViewMut, matmul, softmax, softmax_backward};

/// The size of the heads, and what is added to their scores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attention<'a> {
    pub heads: usize,
    /// The width of all heads together.
    pub width: usize,
    pub bias: Option<&'a RelativeBias>,
}

/// Queries, keys and values side by side in every row, and the attention weights of every text and head.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub qkv: Vec<f32>,
    pub weights: Vec<f32>,
}

/// One head of one text: where its numbers lie.
struct Head {
    length: usize,
    size: usize,
    /// The width of all heads together.
    width: usize,
    /// In `qkv`.
    query: usize,
    /// In the context.
    context: usize,
    /// In the attention weights.
    square: usize,
}

impl Head {
    fn query<'a>(&self, qkv: &'a [f32]) -> View<'a> {
        View::strided(&qkv[self.query..], self.length, self.size, 3 * self.width)
    }

    fn key<'a>(&self, qkv: &'a [f32]) -> View<'a> {
        View::strided(&qkv[self.query + self.width..], self.length, self.size, 3 * self.width)
    }

    fn value<'a>(&self, qkv: &'a [f32]) -> View<'a> {
        View::strided(&qkv[self.query + 2 * self.width..], self.length, self.size, 3 * self.width)
    }

    /// A place for the gradient of query (0), key (1) or value (2).
    fn part<'a>(&self, d_qkv: &'a mut [f32], part: usize) -> ViewMut<'a> {
        ViewMut::strided(&mut d_qkv[self.query + part * self.width..], self.length, self.size, 3 * self.width)
    }

    fn square<'a>(&self, weights: &'a [f32]) -> View<'a> {
        View::new(&weights[self.square..][..self.length.pow(2)], self.length, self.length)
    }
}

impl Attention<'_> {
    /// From `kept.qkv` to the context, keeping the attention weights.
    pub fn forward(&self, layout: &Layout, kept: &mut Kept, layer: usize, dropout: &[Dropout], context: &mut [f32]) {
        let (starts, total) = layout.squares(self.heads);
        let qkv = &kept.qkv;
        let weights = room(&mut kept.weights, total);
        let mut dropped = Vec::new();
        for text in 0..layout.texts() {
            for number in 0..self.heads {
                let head = self.head(number, layout.length(text), layout.text(text).start, starts[text]);
                let n = head.length;
                let scores = &mut weights[head.square..][..n * n];
                let into = self.bias.map_or(Into::Replace, |bias| {
                    bias.fill(number, n, scores);
                    Into::Add
                });
                let out = ViewMut::new(scores, n, n);
                matmul(out, into, head.query(qkv), head.key(qkv).transposed(), self.scale());
                softmax(scores, n);
                let scores = match dropout.get(text) {
                    None => &*scores,
                    Some(dropout) => {
                        dropped.clear();
                        dropped.extend_from_slice(scores);
                        dropout.apply(Place::Attention { layer, head: number }, &mut dropped);
                        &dropped
                    }
                };
                let out = ViewMut::strided(&mut context[head.context..], n, head.size, self.width);
                matmul(out, Into::Replace, View::new(scores, n, n), head.value(qkv), 1.0);
            }
        }
    }

    /// From the gradient of the context of the picked texts to that of their queries, keys and values. Where the
    /// attention has a bias that is trained, its gradient is added to `bias_gradient`.
    #[allow(clippy::too_many_arguments)]
    pub fn backward(
        &self,
        layout: &Layout,
        picks: &[usize],
        kept: &Kept,
        layer: usize,
        dropout: &[Dropout],
        d_context: &[f32],
        d_qkv: &mut [f32],
        mut bias_gradient: Option<&mut RelativeBias>,
    ) {
        let (starts, _) = layout.squares(self.heads);
        let (mut d_scores, mut dropped) = (Vec::new(), Vec::new());
        let mut row = 0;
        for &text in picks {
            let n = layout.length(text);
            let d_scores = room(&mut d_scores, n * n);
            for number in 0..self.heads {
                let head = self.head(number, n, layout.text(text).start, starts[text]);
                let here = self.head(number, n, row, 0);
                let place = Place::Attention { layer, head: number };
                let weights = match dropout.get(text) {
                    None => head.square(&kept.weights),
                    Some(dropout) => {
                        dropped.clear();
                        dropped.extend_from_slice(&kept.weights[head.square..][..n * n]);
                        dropout.apply(place, &mut dropped);
                        View::new(&dropped, n, n)
                    }
                };
                let d_out = View::strided(&d_context[here.context..], n, head.size, self.width);
                matmul(here.part(d_qkv, 2), Into::Replace, weights.transposed(), d_out, 1.0);
                let value = head.value(&kept.qkv).transposed();
                matmul(ViewMut::new(d_scores, n, n), Into::Replace, d_out, value, 1.0);
                if let Some(dropout) = dropout.get(text) {
                    dropout.apply(place, d_scores);
                }
                softmax_backward(&kept.weights[head.square..][..n * n], d_scores, n);
                if let Some(gradient) = bias_gradient.as_deref_mut() {
                    gradient.accumulate(number, n, d_scores);
                }
                let d = View::new(d_scores, n, n);
                matmul(here.part(d_qkv, 0), Into::Replace, d, head.key(&kept.qkv), self.scale());
                matmul(here.part(d_qkv, 1), Into::Replace, d.transposed(), head.query(&kept.qkv), self.scale());
            }
            row += n;
        }
    }

    fn scale(&self) -> f32 {
        1.0 / ((self.width / self.heads) as f32).sqrt()
    }

    fn head(&self, number: usize, length: usize, row: usize, squares: usize) -> Head {
        let size = self.width / self.heads;
        Head {
            length,
            size,
            width: self.width,
            query: row * 3 * self.width + number * size,
            context: row * self.width + number * size,
            square: squares + number * length.pow(2),
        }
    }
}
