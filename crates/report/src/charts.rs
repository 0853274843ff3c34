//! Charts: each file one chart, a pure function from data to a picture and the same numbers as a table.
//!
//! A picture is SVG that stands alone (in a PDF, in an image viewer) in the light colours, and takes the page's light or
//! dark colours where the page has [`style`] among its own. Meaning is never in colour alone: shapes, dashes and words
//! say the same. There are no identifiers, scripts or style attributes inside, so that many fit in one strict page.

mod curves;
mod deciles;
mod drops;
mod families;
mod frame;
mod gaussians;
mod heat;
mod histogram;
mod ink;
mod intervals;
mod legend;
mod pairs;
mod reliability;
mod rows;
mod scale;
mod scatter;
mod svg;
#[cfg(test)]
mod tests;

use crate::numbers::DASH;
pub use crate::numbers::Unit;
pub use curves::{Curve, Curves, curves};
pub use deciles::{Deciles, deciles};
pub use drops::{DropRow, drops};
pub use families::{FamilyRow, families};
pub use gaussians::{GaussianPoint, gaussians};
pub use heat::{Heat, heat};
pub use histogram::{Histogram, histogram};
pub use ink::style;
pub use intervals::{IntervalRow, Intervals, intervals};
pub use pairs::{Pair, Pairs, pairs};
pub use reliability::reliability;
pub use scatter::{Scatter, ScatterPoint, scatter};

/// The width of a chart that stands on a page of its own column, and of one for a telephone or half a column.
pub const WIDE: f64 = 720.0;
pub const NARROW: f64 = 340.0;

/// A picture and its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub svg: String,
    /// As wide as it was asked to be.
    pub width: f64,
    pub table: ChartTable,
}

/// The numbers of a chart, for those who cannot see it or want to compute on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartTable {
    pub caption: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl ChartTable {
    pub(crate) fn new(caption: &str, head: &[&str]) -> Self {
        Self { caption: caption.to_owned(), head: head.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// The table without the columns in which no row has anything; without rows, all of it.
    pub(crate) fn without_empty_columns(self) -> Self {
        if self.rows.is_empty() {
            return self;
        }
        let says = |at: usize| self.rows.iter().any(|row| row.get(at).is_some_and(|cell| cell != DASH));
        let kept: Vec<bool> = (0..self.head.len()).map(says).collect();
        let only = |cells: Vec<String>| -> Vec<String> {
            cells.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell).collect()
        };
        Self { caption: self.caption, head: only(self.head), rows: self.rows.into_iter().map(only).collect() }
    }

    /// For each column, whether all its cells are numbers; such columns are set to the right.
    pub fn numeric(&self) -> Vec<bool> {
        let number = |cell: &str| {
            let rest = cell.trim_start_matches(['+', '−', '<', ' ', '[', '–']);
            rest.is_empty() || rest.starts_with(|letter: char| letter.is_ascii_digit()) || cell == "not measured"
        };
        let column = |at: usize| {
            at > 0 && !self.rows.is_empty() && self.rows.iter().all(|row| row.get(at).is_none_or(|cell| number(cell)))
        };
        (0..self.head.len()).map(column).collect()
    }
}
