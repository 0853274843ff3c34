//! What CSV and TSV share: cutting rows at line ends outside quotes, and cells at the separator.
//!
//! This is written out here because a quote that is never closed must be reported where it opens; the usual crate takes
//! the rest of the file for one cell, in silence. A property test holds the rest to that crate's reading.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

use memchr::{memchr, memchr2};
use serde_json::Value;

use super::{Hints, LineEnd, Parser, Raw, Reader, Record, RowWriter, Shape, WriteFault, not_utf8};
use crate::input::{Input, Lines, trim_end};
use crate::output::Output;
use crate::{Error, Fault, Result, Row};
use fissure_tasks::shorten;

pub(super) const QUOTE: u8 = b'"';

/// A table with more columns is no table.
const MOST_COLUMNS: usize = 1_000_000;

/// Reads rows of cells.
pub(crate) struct Cells {
    lines: Lines,
    habits: Dialect,
    names: Vec<Arc<str>>,
    /// The first row, if it is not a header.
    first: Option<Record>,
}

#[derive(Debug, Clone, Copy)]
struct Dialect {
    separator: u8,
    quoted: bool,
}

impl Cells {
    pub fn new(input: Input, separator: u8, quoted: bool, hints: &Hints) -> Result<Self> {
        let header = hints.header.unwrap_or_else(|| !hints.columns.are_numbers());
        let habits = Dialect { separator, quoted };
        let mut cells = Self { lines: input.lines(), habits, names: Vec::new(), first: None };
        let Some(record) = cells.next_record(0)? else { return Ok(cells) };
        if let Raw::Bytes(bytes) = &record.raw {
            let found = habits.split(bytes, MOST_COLUMNS + 1).unwrap_or_default();
            let name = |(at, cell): (usize, Vec<u8>)| match header {
                true => String::from_utf8_lossy(&cell).into(),
                false => (at + 1).to_string().into(),
            };
            if found.len() > MOST_COLUMNS {
                let why = format!("its first row has more than {MOST_COLUMNS} columns");
                return Err(Error::Columns { file: Arc::clone(&cells.lines.name), why });
            }
            cells.names = found.into_iter().enumerate().map(name).collect();
            let mut seen = HashSet::new();
            // An empty name cannot be asked for.
            if let Some(name) = cells.names.iter().find(|name| !name.is_empty() && !seen.insert(&***name)) {
                let why = format!("two columns are called `{}`; give each a name of its own", shorten(name));
                return Err(Error::Columns { file: Arc::clone(&cells.lines.name), why });
            }
        }
        cells.first = (!header).then_some(record);
        Ok(cells)
    }
}

impl Reader for Cells {
    fn next_record(&mut self, rows: u64) -> Result<Option<Record>> {
        if let Some(record) = self.first.take() {
            return Ok(Some(record));
        }
        let mut record = Vec::new();
        let mut state = State::CellStart;
        let mut line = 0;
        loop {
            let done = record.len();
            if !self.lines.next(&mut record, rows)? {
                // At the end of the file a record is left only where a quote is still open; `split` says so.
                return Ok((done > 0).then_some(Record { line, raw: Raw::Bytes(record) }));
            }
            if line == 0 {
                line = self.lines.line;
            }
            if self.habits.quoted && (state == State::Quoted || memchr(QUOTE, &record[done..]).is_some()) {
                state = state.after(&record[done..], self.habits.separator);
                if state == State::Quoted {
                    continue;
                }
            }
            if trim_end(&record).is_empty() {
                record.clear();
                (state, line) = (State::CellStart, 0);
                continue;
            }
            return Ok(Some(Record { line, raw: Raw::Bytes(record) }));
        }
    }

    fn parser(&self) -> Parser {
        let (habits, names) = (self.habits, self.names.clone());
        Box::new(move |record| habits.row(&names, &record))
    }
}

impl Dialect {
    fn row(self, names: &[Arc<str>], record: &[u8]) -> Result<Row, Fault> {
        let most = (2 * names.len()).max(1000);
        let cells = self.split(record, most)?;
        if cells.len() != names.len() {
            let more = if cells.len() == most { " or more" } else { "" };
            let why = format!("{} cells{more}, but there are {} columns", cells.len(), names.len());
            return Err(Fault::new(why).showing(&String::from_utf8_lossy(record)));
        }
        let mut row = Row(Vec::with_capacity(cells.len()));
        for (name, cell) in names.iter().zip(cells) {
            let text = String::from_utf8(cell).map_err(|why| Fault {
                column: Some(Arc::clone(name)),
                ..not_utf8(why.as_bytes(), why.utf8_error().valid_up_to())
            })?;
            row.0.push((Arc::clone(name), Value::String(text)));
        }
        Ok(row)
    }

    /// The cells of a record, at most `most` of them: a record of separators alone would take a hundred times its bytes.
    fn split(self, record: &[u8], most: usize) -> Result<Vec<Vec<u8>>, Fault> {
        match self.quoted {
            true => split_quoted(record, self.separator, most),
            false => Ok(split_plain(record, self.separator, most)),
        }
    }
}

/// Where in a row of quoted cells one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    CellStart,
    Plain,
    Quoted,
}

impl State {
    /// The state after more bytes of the row.
    pub fn after(mut self, bytes: &[u8], separator: u8) -> Self {
        let mut at = 0;
        while at < bytes.len() {
            self = match self {
                Self::CellStart if bytes[at] == QUOTE => Self::Quoted,
                Self::CellStart | Self::Plain => match memchr2(separator, b'\n', &bytes[at..]) {
                    Some(found) => {
                        at += found;
                        Self::CellStart
                    }
                    None => return Self::Plain,
                },
                // A doubled quote closes and opens again, which comes to the same here.
                Self::Quoted => match memchr(QUOTE, &bytes[at..]) {
                    None => return Self::Quoted,
                    Some(found) => {
                        at += found;
                        let doubled = bytes.get(at + 1) == Some(&QUOTE);
                        at += usize::from(doubled);
                        if doubled { Self::Quoted } else { Self::Plain }
                    }
                },
            };
            at += 1;
        }
        self
    }
}

fn split_plain(record: &[u8], separator: u8, most: usize) -> Vec<Vec<u8>> {
    trim_end(record).split(|byte| *byte == separator).take(most).map(<[u8]>::to_vec).collect()
}

fn split_quoted(record: &[u8], separator: u8, most: usize) -> Result<Vec<Vec<u8>>, Fault> {
    // Line ends are not part of the last cell; inside quotes they were followed by a quote, so these are outside.
    let mut rest = trim_end(record);
    let mut cells = Vec::new();
    loop {
        let mut cell = Vec::new();
        let opened = rest;
        let is_quoted = opened.first() == Some(&QUOTE);
        if let Some(inside) = opened.strip_prefix(&[QUOTE]) {
            rest = inside;
            loop {
                let Some(end) = memchr(QUOTE, rest) else {
                    let why = "a quote that opens here is never closed (in text, a quote is doubled inside quotes)";
                    return Err(Fault::new(why).showing(&String::from_utf8_lossy(opened)));
                };
                cell.extend_from_slice(&rest[..end]);
                rest = &rest[end + 1..];
                match rest.strip_prefix(&[QUOTE]) {
                    Some(after) => {
                        cell.push(QUOTE);
                        rest = after;
                    }
                    None => break,
                }
            }
        }
        let end = memchr(separator, rest).unwrap_or(rest.len());
        // Blanks belong to the cell as they are. Of anything else it is not clear whether the quotes are text.
        if is_quoted && !rest[..end].trim_ascii().is_empty() {
            let why = "a cell goes on behind its closing quote (in text, a quote is doubled inside quotes)";
            return Err(Fault::new(why).showing(&String::from_utf8_lossy(opened)));
        }
        cell.extend_from_slice(&rest[..end]);
        cells.push(cell);
        match rest.get(end + 1..) {
            Some(after) if cells.len() < most => rest = after,
            _ => return Ok(cells),
        }
    }
}

/// Writes rows of cells. The columns are those of the first row.
pub(crate) struct Table {
    output: Output,
    separator: u8,
    /// Whether cells with quotes, separators or line ends are quoted; else they are written as they are.
    quoted: bool,
    /// Whether all of the first row is quoted, so that readers of TSV treat quotes as quotes.
    first_row_quoted: bool,
    byte_order_mark: bool,
    names: Option<Vec<Arc<str>>>,
    line: Vec<u8>,
    line_end: LineEnd,
}

impl Table {
    pub fn new(output: Output, separator: u8) -> Self {
        Self {
            output,
            separator,
            quoted: true,
            first_row_quoted: separator == b'\t',
            byte_order_mark: false,
            names: None,
            line: Vec::new(),
            line_end: LineEnd::Lf,
        }
    }

    fn put(&mut self, cells: &[Cow<'_, str>], quote_all: bool) -> Result<(), WriteFault> {
        self.line.clear();
        if !self.quoted {
            return self.put_plain(cells);
        }
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                self.line.push(self.separator);
            }
            let special = |byte: u8| matches!(byte, QUOTE | b'\n' | b'\r') || byte == self.separator;
            // A single empty cell without quotes would be a blank line.
            if quote_all || (cells.len() == 1 && cell.is_empty()) || cell.bytes().any(special) {
                self.line.push(QUOTE);
                for part in cell.split_inclusive('"') {
                    self.line.extend_from_slice(part.as_bytes());
                    if part.ends_with('"') {
                        self.line.push(QUOTE);
                    }
                }
                self.line.push(QUOTE);
            } else {
                self.line.extend_from_slice(cell.as_bytes());
            }
        }
        self.end_line()
    }

    /// Cells as they are, which a reader that knows no quotes must be able to tell apart.
    fn put_plain(&mut self, cells: &[Cow<'_, str>]) -> Result<(), WriteFault> {
        let breaks = |cell: &&Cow<'_, str>| cell.bytes().any(|byte| byte == b'\n' || byte == self.separator);
        if let Some(cell) = cells.iter().find(breaks) {
            return Err(WriteFault::Unfit(format!(
                "the data has no quotes around cells, and without them a cell cannot hold a tab or a line end: `{}`; \
                 write .csv or .jsonl",
                shorten(cell)
            )));
        }
        if matches!(cells, [cell] if cell.is_empty()) {
            return Err(WriteFault::Unfit(
                "a row of one empty cell would be a blank line; write .csv or .jsonl".into(),
            ));
        }
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                self.line.push(self.separator);
            }
            self.line.extend_from_slice(cell.as_bytes());
        }
        self.end_line()
    }

    fn end_line(&mut self) -> Result<(), WriteFault> {
        self.line.extend_from_slice(if self.line_end == LineEnd::CrLf { b"\r\n" } else { b"\n" });
        Ok(self.output.write_all(&self.line)?)
    }
}

impl Table {
    /// Begins the file with the names of the columns, unless they are numbers. Whether the next row is the first of all.
    fn begin(&mut self, row: &Row) -> Result<bool, WriteFault> {
        if self.byte_order_mark {
            self.output.write_all("\u{feff}".as_bytes())?;
        }
        let quote_all = self.first_row_quoted && self.quoted;
        let names: Vec<Arc<str>> = row.names().cloned().collect();
        let numbers = names.iter().enumerate().all(|(at, name)| **name == *(at + 1).to_string());
        if !numbers {
            self.put(&names.iter().map(|name| Cow::Borrowed(&**name)).collect::<Vec<_>>(), quote_all)?;
        }
        self.names = Some(names);
        Ok(numbers && quote_all)
    }
}

impl RowWriter for Table {
    fn head(&mut self, row: &Row) -> Result<(), WriteFault> {
        if self.names.is_none() {
            self.begin(row)?;
        }
        Ok(())
    }

    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        let first = self.names.is_none() && self.begin(row)?;
        let names = self.names.as_deref().unwrap_or_default();
        if !row.names().eq(names) {
            let found: Vec<&str> = row.names().map(|name| &**name).collect();
            let wanted: Vec<&str> = names.iter().map(|name| &**name).collect();
            let (found, wanted) = (found.join("`, `"), wanted.join("`, `"));
            return Err(WriteFault::Unfit(format!(
                "a table has the same columns in every row; the first row has `{wanted}`, this one `{found}`"
            )));
        }
        self.put(&row.0.iter().map(|(_, value)| cell(value)).collect::<Vec<_>>(), first)
    }

    fn finish(self: Box<Self>) -> Result<Output, WriteFault> {
        Ok(self.output)
    }

    fn output(&mut self) -> Option<&mut Output> {
        Some(&mut self.output)
    }

    fn memory(&self) -> Value {
        serde_json::json!(self.names)
    }

    fn recall(&mut self, memory: &Value) {
        self.names = serde_json::from_value(memory.clone()).unwrap_or_default();
    }

    fn like(&mut self, shape: &Shape) {
        self.line_end = shape.line_end;
        self.byte_order_mark = shape.byte_order_mark;
        // CSV is quoted whatever it was made from.
        if self.separator == b'\t' {
            (self.quoted, self.first_row_quoted) = (shape.quoted, shape.first_row_quoted);
        } else {
            self.separator = shape.separator;
        }
    }
}

/// A value in a cell: texts as they are, the rest as JSON writes it, nothing for null.
fn cell(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => text.into(),
        Value::Null => "".into(),
        other => other.to_string().into(),
    }
}
