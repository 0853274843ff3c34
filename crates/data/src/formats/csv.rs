//! Comma-separated values.

use super::Hints;
use super::delimited::{Cells, Table};
use crate::Result;
use crate::input::Input;
use crate::output::Output;

super::reader! {
    /// Comma-separated values, quoted as in RFC 4180.
    ///
    /// The first row names the columns, unless `--columns` gives numbers (`--columns text=2+3,label=1`): then there is
    /// no header, and the columns are called 1, 2, 3, ... A quote inside quotes is doubled; a quoted cell may hold line
    /// ends. Read row by row, in constant memory. A quote that is never closed, and a row with more or fewer cells than
    /// the first, are bad rows. Every cell is a text: `1` stays `"1"`.
    endings: ".csv"
}

pub(crate) fn reader(input: Input, hints: &Hints) -> Result<Cells> {
    Cells::new(input, b',', true, hints)
}

pub(crate) fn writer(output: Output) -> Table {
    Table::new(output, b',')
}
