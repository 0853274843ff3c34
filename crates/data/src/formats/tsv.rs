//! Tab-separated values.

use super::Hints;
use super::delimited::{Cells, Table};
use super::quoting::is_quoted;
use crate::Result;
use crate::input::Input;
use crate::output::Output;

super::reader! {
    /// Tab-separated values, with or without quotes around cells.
    ///
    /// There are two conventions: spreadsheets quote cells as in CSV, the files of GLUE never do and have quotes as plain
    /// text. The beginning of the file (256 KiB) decides: it counts as quoted if every cell that
    /// starts with a quote also ends with one, and either such a cell holds a doubled quote, a tab or a line end, or
    /// all cells of the first row are quoted. Header, numbers for columns and bad rows are as in `csv`. A file that
    /// is written from a TSV without quotes has none either: its texts stay byte for byte the same. Else the writer quotes
    /// like CSV, and quotes all of the first row, so that a file it wrote is always read back correctly.
    endings: ".tsv .tab"
}

pub(crate) fn reader(input: Input, hints: &Hints) -> Result<Cells> {
    let quoted = hints.quoting.unwrap_or_else(|| is_quoted(&input.head, b'\t'));
    Cells::new(input, b'\t', quoted, hints)
}

pub(crate) fn writer(output: Output) -> Table {
    Table::new(output, b'\t')
}
