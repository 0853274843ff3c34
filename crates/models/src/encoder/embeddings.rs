//! From rows of the word-embedding table to the hidden rows that the first layer sees.

use super::dropout::{Dropout, Place};
use super::layer::{drop_rows, for_each_pick};
use super::layout::Layout;
use super::linear::{Linear, Norm, Normalised, room};
use super::norm_first::back;
use crate::kernels::{Accumulate, add};

/// The tables, the normalisation and, where words are narrower than hidden rows, the projection.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Embeddings {
    /// One row a word; the rows that a text picks from here are its point in embedding space.
    pub word: Vec<f32>,
    /// The width of a row of the word table.
    pub width: usize,
    /// The most pieces of a text.
    pub longest: usize,
    /// Empty where layers know positions by themselves.
    pub positions: Vec<f32>,
    /// The row of the first position (RoBERTa keeps the first rows for padding).
    pub first_position: usize,
    /// One row for the first text and one for its pair; empty in families without.
    pub types: Vec<f32>,
    /// Empty in families without.
    pub norm: Norm,
    pub projection: Option<Linear>,
}

/// What the backward pass needs.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    normalised: Normalised,
    /// What goes into the projection.
    narrow: Vec<f32>,
    /// The type of every row.
    types: Vec<u8>,
}

impl Embeddings {
    /// The width of a row of the word table.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many pieces of a text can be read.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// `rows` of the word table (or points near them) to hidden rows in `out`.
    #[allow(clippy::too_many_arguments)]
    pub fn forward(
        &self,
        rows: &[f32],
        types: &[u8],
        layout: &Layout,
        dropout: &[Dropout],
        epsilon: f32,
        kept: &mut Kept,
        out: &mut [f32],
    ) {
        let width = self.width();
        kept.types.clear();
        kept.types.extend_from_slice(types);
        let sums = &mut kept.normalised.rows;
        sums.clear();
        sums.extend_from_slice(rows);
        for text in (0..layout.texts()).filter(|_| !self.positions.is_empty()) {
            let rows = layout.text(text);
            let positions = &self.positions[self.first_position * width..][..rows.len() * width];
            add(positions, &mut sums[rows.start * width..rows.end * width]);
        }
        if !self.types.is_empty() {
            for (sum, kind) in sums.chunks_exact_mut(width).zip(types) {
                add(self.type_row(*kind), sum);
            }
        }
        match &self.projection {
            None if self.norm.gain.is_empty() => out.copy_from_slice(sums),
            None => {
                self.norm.forward(&mut kept.normalised, epsilon, out);
                drop_rows(layout, dropout, Place::Embeddings, width, out);
            }
            Some(projection) => {
                let narrow = room(&mut kept.narrow, rows.len());
                self.norm.forward(&mut kept.normalised, epsilon, narrow);
                drop_rows(layout, dropout, Place::Embeddings, width, narrow);
                projection.forward(narrow, out);
            }
        }
    }

    /// Turns the gradient of the hidden rows of the picked texts into that of the rows of the word table. Where there is
    /// a `gradient` to add to, the picks are all texts, in order.
    pub fn backward(
        &self,
        layout: &Layout,
        picks: &[usize],
        dropout: &[Dropout],
        kept: &Kept,
        d: &mut Vec<f32>,
        gradient: Option<&mut Self>,
    ) {
        let width = self.width();
        let mut gradient = gradient;
        if let Some(projection) = &self.projection {
            if let Some(gradient) = gradient.as_deref_mut().and_then(|gradient| gradient.projection.as_mut()) {
                gradient.accumulate(d, &kept.narrow);
            }
            let mut narrow = vec![0.0; d.len() / projection.outputs() * width];
            projection.backward(d, Accumulate::Overwrite, &mut narrow);
            *d = narrow;
        }
        drop_rows(layout, dropout, Place::Embeddings, width, d);
        if let Some(gradient) = gradient.as_deref_mut() {
            gradient.norm.accumulate(d, &kept.normalised);
        }
        for_each_pick(layout, picks, width, d, |start, d| back(&self.norm, d, &kept.normalised, start));
        if let Some(gradient) = gradient {
            gradient.accumulate_tables(layout, &kept.types, d);
        }
    }

    fn accumulate_tables(&mut self, layout: &Layout, types: &[u8], d: &[f32]) {
        let width = self.width();
        for text in 0..layout.texts() {
            let rows = layout.text(text);
            let positions = &mut self.positions[self.first_position * width..][..rows.len() * width];
            add(&d[rows.start * width..rows.end * width], positions);
        }
        if !self.types.is_empty() {
            for (d, kind) in d.chunks_exact(width).zip(types) {
                let start = self.type_start(*kind);
                add(d, &mut self.types[start..][..width]);
            }
        }
    }

    fn type_row(&self, kind: u8) -> &[f32] {
        &self.types[self.type_start(kind)..][..self.width()]
    }

    /// A model with one type only knows no second text.
    fn type_start(&self, kind: u8) -> usize {
        let last = self.types.len() / self.width() - 1;
        usize::from(kind).min(last) * self.width()
    }
}
