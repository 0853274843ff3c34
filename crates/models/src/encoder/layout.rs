//! Several texts in one batch, one after the other, without padding.

use std::ops::Range;

/// Where each text of a batch has its rows.
///
/// Rows of all texts go through the affine maps together; attention looks at each text alone. So texts of any lengths
/// share a batch, and none of the work is spent on padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Text `i` has the rows `starts[i]..starts[i + 1]`.
    starts: Vec<usize>,
}

impl Default for Layout {
    fn default() -> Self {
        Self::new([])
    }
}

impl Layout {
    pub fn new(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend(lengths.into_iter().map(|length| {
            end += length;
            end
        }));
        Self { starts }
    }

    /// Another batch, made of texts of this one; a text may be picked many times.
    pub fn pick(&self, picks: &[usize]) -> Self {
        Self::new(picks.iter().map(|text| self.length(*text)))
    }

    pub fn texts(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows of all texts together.
    pub fn rows(&self) -> usize {
        *self.starts.last().unwrap_or(&0)
    }

    pub fn text(&self, at: usize) -> Range<usize> {
        self.starts[at]..self.starts[at + 1]
    }

    pub fn length(&self, at: usize) -> usize {
        self.text(at).len()
    }

    /// Where the numbers of each text lie, in rows of `width`.
    pub fn numbers(&self, at: usize, width: usize) -> Range<usize> {
        let rows = self.text(at);
        rows.start * width..rows.end * width
    }
}

/// Which rows of a text a layer works out: all of them, or, in the last layer below a head that looks at nothing else,
/// only the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    All,
    First,
}

/// `gemm` adds up in another order when it writes a single row or very few numbers. Batches have at least this many rows,
/// filled up with zeros where need be, so that the bits of a row do not depend on how many others there are.
pub(crate) const FEWEST_ROWS: usize = 3;

impl Reach {
    /// The layout of the rows that are worked out.
    pub fn layout(self, layout: &Layout) -> Layout {
        match self {
            Self::All => layout.clone(),
            Self::First => Layout::new((0..layout.texts()).map(|_| 1)),
        }
    }

    /// The rows that are worked out, zeros at the end included.
    pub fn rows(self, layout: &Layout) -> usize {
        match self {
            Self::All => layout.rows(),
            Self::First => layout.texts().max(FEWEST_ROWS),
        }
    }

    /// Copies the rows that are worked out.
    pub fn select(self, layout: &Layout, x: &[f32], width: usize, out: &mut Vec<f32>) {
        out.clear();
        match self {
            Self::All => out.extend_from_slice(x),
            Self::First => {
                for text in 0..layout.texts() {
                    out.extend_from_slice(&x[layout.text(text).start * width..][..width]);
                }
                out.resize(self.rows(layout) * width, 0.0);
            }
        }
    }

    /// The other way: a gradient of the rows that were worked out becomes one of all rows.
    pub fn spread(self, layout: &Layout, d: Vec<f32>, width: usize) -> Vec<f32> {
        match self {
            Self::All => d,
            Self::First => {
                let mut all = vec![0.0; layout.rows() * width];
                for (text, row) in d.chunks_exact(width).enumerate().take(layout.texts()) {
                    all[layout.text(text).start * width..][..width].copy_from_slice(row);
                }
                all
            }
        }
    }
}
