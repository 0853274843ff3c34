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

    /// Where the square matrices (one a head) of each text start, and the room they take together.
    pub fn squares(&self, heads: usize) -> (Vec<usize>, usize) {
        let mut end = 0;
        let starts = (0..self.texts()).map(|text| {
            let start = end;
            end += heads * self.length(text).pow(2);
            start
        });
        (starts.collect(), end)
    }
}
