//! Comma-separated values.

use memchr::memchr;

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
    /// the first, are bad rows. Every cell is a text: `1` stays `"1"`. Cells may be separated by `;`, as spreadsheets write
    /// them in much of Europe: a first line with semicolons and without commas is read so, unless `--columns` names a
    /// column with a semicolon in it. What is written from such a file has semicolons, too.
    endings: ".csv"
}

pub(crate) fn reader(input: Input, hints: &Hints) -> Result<Cells> {
    let separator = separator(&input.head, hints);
    Cells::new(input, separator, true, hints)
}

/// What separates the cells of a file that starts so.
pub(super) fn separator(head: &[u8], hints: &Hints) -> u8 {
    let first = &head[..memchr(b'\n', head).unwrap_or(head.len())];
    let by_semicolons = memchr(b';', first).is_some() && memchr(b',', first).is_none();
    if by_semicolons && !hints.columns.mention(';') { b';' } else { b',' }
}

pub(crate) fn writer(output: Output) -> Table {
    Table::new(output, b',')
}
