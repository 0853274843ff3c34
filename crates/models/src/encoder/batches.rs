//! Splitting many points over threads, in batches small enough for the cache and large enough for matrix products.

use std::ops::Range;

use rayon::prelude::*;

use super::Encoder;
use super::layout::Layout;
use super::network::{Batch, Keep, Trace};
use crate::{Embedded, Result};

/// Rows that a batch has at most, unless one text alone has more: enough to make packing the weights cheap.
const MOST_ROWS: usize = 256;
/// Rows below which splitting further costs more than a second thread brings.
const FEWEST_ROWS: usize = 64;
/// `gemm` adds up in another order when it writes few numbers (16 x 16) or a single row. Texts share a batch only where
/// neither can happen, so that the bits of a result do not depend on the batch.
const ALONE_BELOW: (usize, usize) = (3, 96);

impl Encoder {
    /// Runs all points forward in batches over the threads, and calls `act` with each text of each batch:
    /// `act(points, trace)` gives one result for each of the points.
    pub fn over_batches<R: Send>(
        &self,
        points: &[Embedded],
        keep: Keep,
        act: impl Fn(Range<usize>, &Trace) -> Vec<R> + Sync,
    ) -> Result<Vec<R>> {
        self.check(points)?;
        let batches = self.batches(points);
        let run = |trace: &mut Trace, texts: &Range<usize>| {
            let points = &points[texts.clone()];
            let rows = points.iter().flat_map(|point| &point.rows.values).copied().collect::<Vec<f32>>();
            self.network.forward(&rows, self.batch(points), keep, trace);
            act(texts.clone(), trace)
        };
        // Work space is kept between the batches of one thread.
        let results: Vec<Vec<R>> = batches.par_iter().map_init(Trace::default, run).collect();
        Ok(results.into_iter().flatten().collect())
    }

    fn batch(&self, points: &[Embedded]) -> Batch {
        Batch {
            layout: Layout::new(points.iter().map(|point| point.pieces.len())),
            types: points.iter().flat_map(|point| self.tokens.types(&point.pieces)).collect(),
            dropout: Vec::new(),
        }
    }

    /// Neighbouring points that go through the network together.
    fn batches(&self, points: &[Embedded]) -> Vec<Range<usize>> {
        let total: usize = points.iter().map(|point| point.pieces.len()).sum();
        let budget = (total / (2 * rayon::current_num_threads())).clamp(FEWEST_ROWS, MOST_ROWS);
        let narrow = self.network.width.min(self.network.embeddings.width()) < ALONE_BELOW.1;
        let mut batches: Vec<Range<usize>> = Vec::new();
        let mut rows = usize::MAX;
        for (at, point) in points.iter().enumerate() {
            let length = point.pieces.len();
            let alone = narrow || length < ALONE_BELOW.0;
            match batches.last_mut() {
                Some(batch) if !alone && rows.saturating_add(length) <= budget => {
                    batch.end = at + 1;
                    rows += length;
                }
                _ => {
                    batches.push(at..at + 1);
                    rows = if alone { usize::MAX } else { length };
                }
            }
        }
        batches
    }
}
