//! Softmax attention of many heads over the texts of a batch, and its gradient.

use super::distances::{self, Distances};
use super::dropout::{Dropout, Place};
use super::layout::Layout;
use super::linear::room;
use super::relative::RelativeBias;
use crate::kernels::{Accumulate, View, ViewMut, matmul, softmax, softmax_backward};

/// The size of the heads, and what is added to their scores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attention<'a> {
    pub heads: usize,
    /// The width of all heads together.
    pub width: usize,
    /// What scores are multiplied by.
    pub scale: f32,
    pub bias: Option<&'a RelativeBias>,
    pub distances: Option<&'a Distances>,
    /// A row looks at most this far to either side.
    pub window: Option<usize>,
}

/// What goes in and what is kept: queries (one row for each row that is worked out), keys and values side by side (one
/// row for each row of the text), and the attention weights, one matrix for each text and head.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub queries: Vec<f32>,
    pub keys_values: Vec<f32>,
    weights: Vec<f32>,
}

/// The gradients of queries, and of keys and values.
#[derive(Debug, Default)]
pub(crate) struct Gradients {
    pub queries: Vec<f32>,
    pub keys_values: Vec<f32>,
    /// For each row of the picked texts what is gained if no other row attends to it, added up over heads and layers; empty
    /// if nobody wants to know.
    pub absences: Vec<f32>,
}

/// One head of one text: its size, and where its numbers start.
#[derive(Clone, Copy)]
struct Head {
    number: usize,
    /// Rows of queries.
    asking: usize,
    /// Rows of keys and values.
    asked: usize,
    size: usize,
    /// The width of all heads together.
    width: usize,
    query: usize,
    key: usize,
}

impl Head {
    /// This head's share of every query row (or of the context, which has the same shape).
    fn query<'a>(&self, queries: &'a [f32]) -> View<'a> {
        View::strided(&queries[self.query..], self.asking, self.size, self.width)
    }

    fn query_mut<'a>(&self, queries: &'a mut [f32]) -> ViewMut<'a> {
        ViewMut::strided(&mut queries[self.query..], self.asking, self.size, self.width)
    }

    fn key<'a>(&self, keys_values: &'a [f32]) -> View<'a> {
        View::strided(&keys_values[self.key..], self.asked, self.size, 2 * self.width)
    }

    fn value<'a>(&self, keys_values: &'a [f32]) -> View<'a> {
        View::strided(&keys_values[self.key + self.width..], self.asked, self.size, 2 * self.width)
    }

    fn key_mut<'a>(&self, keys_values: &'a mut [f32]) -> ViewMut<'a> {
        ViewMut::strided(&mut keys_values[self.key..], self.asked, self.size, 2 * self.width)
    }

    fn value_mut<'a>(&self, keys_values: &'a mut [f32]) -> ViewMut<'a> {
        ViewMut::strided(&mut keys_values[self.key + self.width..], self.asked, self.size, 2 * self.width)
    }

    fn weights<'a>(&self, weights: &'a [f32]) -> View<'a> {
        View::new(weights, self.asking, self.asked)
    }

    /// Takes the scores of keys farther than `window` from their query out of the sum.
    fn look_no_farther(&self, window: usize, scores: &mut [f32]) {
        for (query, row) in scores.chunks_exact_mut(self.asked).enumerate() {
            row[..query.saturating_sub(window).min(self.asked)].fill(f32::NEG_INFINITY);
            row[(query + window + 1).min(self.asked)..].fill(f32::NEG_INFINITY);
        }
    }
}

impl Attention<'_> {
    /// From queries, keys and values to the context, keeping the attention weights. `asking` lays out the queries and
    /// the context, `asked` the keys and values.
    pub fn forward(
        &self,
        [asking, asked]: [&Layout; 2],
        types: &[u8],
        layer: usize,
        dropout: &[Dropout],
        kept: &mut Kept,
        context: &mut [f32],
    ) {
        let starts = self.weight_starts([asking, asked]);
        let Kept { queries, keys_values, weights } = kept;
        let weights = room(weights, starts[asking.texts()]);
        let mut dropped = Vec::new();
        for text in 0..asking.texts() {
            for head in self.heads_of([asking, asked], text) {
                let scores = &mut weights[starts[text] + head.number * head.asking * head.asked..];
                let scores = &mut scores[..head.asking * head.asked];
                let into = self.bias.map_or(Accumulate::Overwrite, |bias| {
                    bias.fill(head.number, head.asked, scores);
                    Accumulate::Add
                });
                let out = ViewMut::new(scores, head.asking, head.asked);
                matmul(out, into, head.query(queries), head.key(keys_values).transposed(), self.scale);
                if let Some(distances) = self.distances {
                    distances.add_scores(&self.place(head, types, asked, text, queries, keys_values), scores);
                }
                if let Some(window) = self.window {
                    head.look_no_farther(window, scores);
                }
                softmax(scores, head.asked);
                let place = Place::Attention { layer, head: head.number };
                let scores = masked(dropout.get(text), place, scores, &mut dropped);
                matmul(
                    head.query_mut(context),
                    Accumulate::Overwrite,
                    head.weights(scores),
                    head.value(keys_values),
                    1.0,
                );
            }
        }
    }

    /// From the gradient of the context of the picked texts to that of their queries, keys and values. Where the bias is
    /// trained, its gradient is added to `bias_gradient`.
    #[allow(clippy::too_many_arguments)]
    pub fn backward(
        &self,
        layouts: [&Layout; 2],
        types: &[u8],
        picks: &[usize],
        layer: usize,
        dropout: &[Dropout],
        kept: &Kept,
        d_context: &[f32],
        gradients: &mut Gradients,
        mut bias_gradient: Option<&mut RelativeBias>,
    ) {
        let starts = self.weight_starts(layouts);
        let picked = layouts.map(|layout| layout.pick(picks));
        let Gradients { queries: d_queries, keys_values: d_keys_values, absences } = gradients;
        let (mut d_scores, mut dropped) = (Vec::new(), Vec::new());
        for (at, &text) in picks.iter().enumerate() {
            let heads = self.heads_of(layouts, text).zip(self.heads_of([&picked[0], &picked[1]], at));
            for (head, here) in heads {
                let size = head.asking * head.asked;
                let weights = &kept.weights[starts[text] + head.number * size..][..size];
                let place = Place::Attention { layer, head: head.number };
                let used = head.weights(masked(dropout.get(text), place, weights, &mut dropped));
                let d_out = here.query(d_context);
                matmul(here.value_mut(d_keys_values), Accumulate::Overwrite, used.transposed(), d_out, 1.0);
                let d_scores = room(&mut d_scores, size);
                let value = head.value(&kept.keys_values).transposed();
                matmul(ViewMut::new(d_scores, head.asking, head.asked), Accumulate::Overwrite, d_out, value, 1.0);
                if let Some(dropout) = dropout.get(text) {
                    dropout.apply(place, d_scores);
                }
                softmax_backward(weights, d_scores, head.asked);
                if !absences.is_empty() {
                    add_absences(weights, d_scores, &mut absences[picked[1].text(at)]);
                }
                if let Some(gradient) = bias_gradient.as_deref_mut() {
                    gradient.accumulate(head.number, head.asked, d_scores);
                }
                let (d, scale) = (head.weights(d_scores), self.scale);
                matmul(here.query_mut(d_queries), Accumulate::Overwrite, d, head.key(&kept.keys_values), scale);
                matmul(
                    here.key_mut(d_keys_values),
                    Accumulate::Overwrite,
                    d.transposed(),
                    head.query(&kept.queries),
                    scale,
                );
                if let Some(distances) = self.distances {
                    let place = self.place(head, types, layouts[1], text, &kept.queries, &kept.keys_values);
                    distances.backward(&place, d_scores, here.query_mut(d_queries), here.key_mut(d_keys_values));
                }
            }
        }
    }

    /// One head of a text, as the distances of its rows see it.
    fn place<'a>(
        &self,
        head: Head,
        types: &'a [u8],
        asked: &Layout,
        text: usize,
        queries: &'a [f32],
        keys_values: &'a [f32],
    ) -> distances::Place<'a> {
        distances::Place {
            head: head.number,
            size: head.size,
            queries: head.query(queries),
            keys: head.key(keys_values),
            asking: head.asking,
            asked: head.asked,
            types: &types[asked.text(text)],
            scale: self.scale,
        }
    }

    /// Where the attention weights of each text start, and where the last ones end.
    fn weight_starts(&self, [asking, asked]: [&Layout; 2]) -> Vec<usize> {
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend((0..asking.texts()).map(|text| {
            end += self.heads * asking.length(text) * asked.length(text);
            end
        }));
        starts
    }

    fn heads_of(&self, [asking, asked]: [&Layout; 2], text: usize) -> impl Iterator<Item = Head> + use<> {
        let (width, size) = (self.width, self.width / self.heads);
        let first = Head {
            number: 0,
            asking: asking.length(text),
            asked: asked.length(text),
            size,
            width,
            query: asking.text(text).start * width,
            key: asked.text(text).start * 2 * width,
        };
        let head =
            move |number| Head { number, query: first.query + number * size, key: first.key + number * size, ..first };
        (0..self.heads).map(head)
    }
}

/// The numbers themselves where nothing is dropped, else a copy with some dropped.
fn masked<'a>(dropout: Option<&Dropout>, place: Place, values: &'a [f32], copy: &'a mut Vec<f32>) -> &'a [f32] {
    let Some(dropout) = dropout else { return values };
    copy.clear();
    copy.extend_from_slice(values);
    dropout.apply(place, copy);
    copy
}

/// Adds what a head gains if a row loses the attention of every other row.
///
/// Without key i the other weights of a query grow by 1 / (1 - w_i), so that its context c becomes (c - w_i v_i) / (1 - w_i).
/// With the gradient g of the context that gains w_i (g c - g v_i) / (1 - w_i), and the gradient of the score is
/// w_i (g v_i - g c). The rows that are asked about start with those that ask, so row i is query i.
fn add_absences(weights: &[f32], d_scores: &[f32], absences: &mut [f32]) {
    /// A row that looks at one other alone has nothing left to look at.
    const LEAST: f32 = 1e-3;
    let asked = absences.len();
    for (query, (weights, d)) in weights.chunks_exact(asked).zip(d_scores.chunks_exact(asked)).enumerate() {
        let own = absences[query];
        for ((absence, weight), d) in absences.iter_mut().zip(weights).zip(d) {
            *absence -= d / (1.0 - weight).max(LEAST);
        }
        absences[query] = own;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fissure_core::Dice;

    /// Against working out the context again without the row.
    #[test]
    fn an_absence_is_what_the_context_gains_without_the_row() {
        let (rows, size) = (5, 3);
        let mut dice = Dice::new(1, &["absences"]);
        let mut numbers = |count: usize| (0..count).map(|_| 4.0 * dice.unit() - 2.0).collect::<Vec<f64>>();
        for asking in [1, rows] {
            let (scores, values, g) = (numbers(asking * rows), numbers(rows * size), numbers(asking * size));
            let context = |query: usize, without: Option<usize>| -> Vec<f64> {
                let of = |key: usize| if Some(key) == without { 0.0 } else { scores[query * rows + key].exp() };
                let all: f64 = (0..rows).map(of).sum();
                (0..size).map(|k| (0..rows).map(|key| of(key) / all * values[key * size + k]).sum()).collect()
            };
            let gain = |query: usize, without: Option<usize>| -> f64 {
                context(query, without).iter().zip(&g[query * size..]).map(|(c, g)| c * g).sum()
            };
            let mut weights: Vec<f32> = scores.iter().map(|score| *score as f32).collect();
            softmax(&mut weights, rows);
            let d_value = |(query, key): (usize, usize)| {
                (0..size).map(|k| g[query * size + k] * values[key * size + k]).sum::<f64>() as f32
            };
            let mut d: Vec<f32> = (0..asking * rows).map(|at| d_value((at / rows, at % rows))).collect();
            softmax_backward(&weights, &mut d, rows);
            let mut found = vec![0.0; rows];
            add_absences(&weights, &d, &mut found);
            for (row, found) in found.into_iter().enumerate() {
                let others = (0..asking).filter(|query| *query != row);
                let wanted: f64 = others.map(|query| gain(query, Some(row)) - gain(query, None)).sum();
                assert!((f64::from(found) - wanted).abs() < 1e-4, "row {row} of {asking}: {found} and {wanted}");
            }
        }
    }
}
