//! Splitting many points over threads, in batches small enough for the cache and large enough for matrix products.

use std::ops::Range;

use rayon::prelude::*;

use super::Encoder;
use super::layout::{FEWEST_ROWS, Layout, Reach};
use super::network::{Batch, Keep, Trace};
use crate::{Embedded, Result};

/// Rows that a batch has at most, unless one text alone has more: enough to make packing the weights cheap.
const MOST_ROWS: usize = 256;
/// Rows below which splitting further costs more than a second thread brings.
const WORTH_SPLITTING: usize = 64;
/// `gemm` adds up in another order when it writes few numbers (at most 16 x 16, or 64 x 64 where the sums are long).
/// Below this width, and below [`FEWEST_ROWS`], texts do not share a batch, so that the bits of a result do not depend
/// on the batch.
const SHARING_WIDTH: usize = 96;

impl Encoder {
    /// Runs all points forward in batches over the threads, and calls `act` with each text of each batch:
    /// `act(points, trace)` gives one result for each of the points.
    pub fn over_batches<R: Send>(
        &self,
        points: &[Embedded],
        reach: Reach,
        keep: Keep,
        act: impl Fn(Range<usize>, &Trace) -> Result<Vec<R>> + Sync,
    ) -> Result<Vec<R>> {
        self.check(points)?;
        let batches = self.batches(points);
        let run = |trace: &mut Trace, texts: &Range<usize>| {
            let points = &points[texts.clone()];
            self.network.forward(&rows_of(points), self.batch(points, reach), keep, trace);
            act(texts.clone(), trace)
        };
        // Work space is kept between the batches of one thread.
        let results: Vec<Vec<R>> = batches.par_iter().map_init(Trace::default, run).collect::<Result<_>>()?;
        Ok(results.into_iter().flatten().collect())
    }

    /// The layout of points that go through the network together.
    pub fn batch(&self, points: &[Embedded], reach: Reach) -> Batch {
        Batch {
            layout: Layout::new(points.iter().map(|point| point.pieces.len())),
            reach,
            types: points.iter().flat_map(|point| self.tokens.types(&point.pieces)).collect(),
            dropout: Vec::new(),
        }
    }

    /// Neighbouring points that go through the network together.
    fn batches(&self, points: &[Embedded]) -> Vec<Range<usize>> {
        let total: usize = points.iter().map(|point| point.pieces.len()).sum();
        let budget = (total / (2 * rayon::current_num_threads())).clamp(WORTH_SPLITTING, MOST_ROWS);
        let narrow = self.network.width.min(self.network.embeddings.width()) < SHARING_WIDTH;
        let mut batches: Vec<Range<usize>> = Vec::new();
        let mut rows = usize::MAX;
        for (at, point) in points.iter().enumerate() {
            let length = point.pieces.len();
            let alone = narrow || length < FEWEST_ROWS;
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

/// The embedding rows of all points, one after the other.
pub(crate) fn rows_of(points: &[Embedded]) -> Vec<f32> {
    points.iter().map(|point| point.rows.values.as_slice()).collect::<Vec<_>>().concat()
}
