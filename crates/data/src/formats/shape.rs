//! The shape of a file that was read, so that another can be written like it.

use std::path::Path;
use std::sync::Arc;

use super::quoting::{is_first_row_quoted, is_quoted};
use super::{Format, Hints, LineEnd, conll, csv};
use crate::input::Input;

/// How a file looks, apart from its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    file: Arc<str>,
    format: Format,
    /// How lines end; `\n` in formats without lines.
    pub line_end: LineEnd,
    /// Whether a cell of TSV that starts with a quote is quoted. The files of GLUE have quotes as plain text.
    pub(crate) quoted: bool,
    /// Whether all cells of the first row of TSV are quoted.
    pub(crate) first_row_quoted: bool,
    /// What separates the cells of CSV.
    pub(crate) separator: u8,
    /// Whether the file starts with a byte-order mark, which spreadsheets need to read UTF-8.
    pub(crate) byte_order_mark: bool,
    /// Whether columns of CoNLL are separated by spaces.
    pub(crate) spaces: bool,
}

/// The ending of a file, whatever its compression.
pub fn ending(name: &str) -> Option<&str> {
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    Path::new(name).extension()?.to_str()
}

impl Shape {
    pub(crate) fn of(input: &Input, format: Format, hints: &Hints) -> Self {
        Self {
            file: Arc::clone(&input.name),
            format,
            line_end: if format.has_lines() { LineEnd::of(&input.head) } else { LineEnd::Lf },
            spaces: format == Format::Conll && conll::has_spaces(&input.head),
            quoted: format != Format::Tsv || hints.quoting.unwrap_or_else(|| is_quoted(&input.head, b'\t')),
            first_row_quoted: format != Format::Tsv || is_first_row_quoted(&input.head, b'\t'),
            separator: if format == Format::Csv { csv::separator(&input.head, hints) } else { b',' },
            byte_order_mark: input.byte_order_mark,
        }
    }

    /// The name of the format, and how it differs from what is usual.
    pub(crate) fn described(&self) -> &'static str {
        match (self.format, self.separator) {
            (Format::Csv, b';') => "csv with semicolons",
            (format, _) => format.card().name,
        }
    }

    /// The format of a file called `name` that is written from this one. Several formats share `.json` and `.txt`, and what ends
    /// in `.bmes` may have any: the same ending then means the same format.
    pub fn format_of(&self, name: &str) -> Option<Format> {
        let is_same = match Format::of_name(name) {
            None => ending(name).is_some_and(|end| ending(&self.file).is_some_and(|own| own.eq_ignore_ascii_case(end))),
            by_name => Format::of_name(&self.file) == by_name,
        };
        if is_same { Some(self.format) } else { Format::of_name(name) }
    }

    /// The format that was read.
    pub fn format(&self) -> Format {
        self.format
    }
}
