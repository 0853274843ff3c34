//! The gallery of Fissure: charts, and the pages of a report. Everything here is a pure function of findings; the same
//! findings give the same bytes.

pub mod charts;
mod escape;
mod numbers;

pub use charts::{Chart, ChartTable};
