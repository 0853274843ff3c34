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
mod scale;
mod scatter;
mod svg;
#[cfg(test)]
mod tests;

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

    /// An HTML table, every text escaped.
    pub fn html(&self) -> String {
        use crate::escape::markup;
        let cells = |tag: &str, cells: &[String]| -> String {
            cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", markup(cell))).collect()
        };
        let rows: String = self.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells("td", row))).collect();
        format!(
            "<table>\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n",
            markup(&self.caption),
            cells("th scope=\"col\"", &self.head).replace("</th scope=\"col\">", "</th>"),
        )
    }
}
