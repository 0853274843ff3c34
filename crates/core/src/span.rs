//! A range of bytes in a text.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A half-open range of bytes, `start..end`, in the user's own text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// A span from `start` up to, not including, `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The number of bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether it covers nothing: a place between two bytes.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether every byte of `other` lies in this span.
    pub const fn covers(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share a byte.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether it shares a byte with one of `spans`, which are in order and do not overlap each other.
    #[inline]
    pub fn overlaps_any(self, spans: &[Self]) -> bool {
        // Most texts have no span that is spared, and every word is asked.
        if spans.is_empty() {
            return false;
        }
        let first = spans.partition_point(|span| span.end <= self.start);
        spans.get(first).is_some_and(|span| span.overlaps(self))
    }

    /// The same span `by` bytes further right.
    pub const fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// What it covers in `text`; empty if the span does not fit.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// As a range, to index with.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}
