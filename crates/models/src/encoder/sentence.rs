//! Vectors of whole texts: the mean of the hidden rows, as sentence-transformers takes it.

use std::ops::Range;
use std::path::Path;

use super::Encoder;
use super::layout::Reach;
use super::network::{Keep, Trace};
use crate::kernels::{add, scale, sum_squares};
use crate::{Input, Result};

/// An encoder whose hidden rows are averaged to one vector of length 1 for a text.
#[derive(Debug)]
pub struct SentenceEncoder {
    encoder: Encoder,
}

impl SentenceEncoder {
    /// Reads a Hugging Face directory; a head, if it has one, is not used.
    pub fn open(directory: &Path) -> Result<Self> {
        Ok(Self { encoder: Encoder::open_alone(directory)? })
    }

    /// Reads at most `limit` pieces of a text.
    pub fn with_max_length(mut self, limit: usize) -> Result<Self> {
        self.encoder.set_max_length(limit)?;
        Ok(self)
    }

    /// The number of numbers in a vector.
    pub fn width(&self) -> usize {
        self.encoder.network.width
    }

    /// One vector for each text; the dot product of two is the cosine of their angle.
    pub fn encode(&self, inputs: &[Input<'_>]) -> Result<Vec<Vec<f32>>> {
        let points = self.encoder.embed(inputs)?;
        let mean = |_: Range<usize>, trace: &Trace| {
            let (layout, width) = (&trace.batch.layout, self.width());
            let one = |text: usize| {
                let rows = layout.text(text);
                let mut vector = vec![0.0; width];
                for row in trace.hidden[rows.start * width..rows.end * width].chunks_exact(width) {
                    add(row, &mut vector);
                }
                let length = sum_squares(&vector).sqrt();
                // The mean has the direction of the sum; only a vector of zeros has no direction.
                scale(if length > 0.0 { (1.0 / length) as f32 } else { 0.0 }, &mut vector);
                vector
            };
            Ok((0..layout.texts()).map(one).collect())
        };
        self.encoder.over_batches(&points, Reach::All, Keep::Nothing, mean)
    }
}
