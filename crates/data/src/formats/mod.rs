//! The formats: each cuts a stream of bytes into records, makes a row of a record, and writes rows.
//!
//! Cutting is done in order, by one thread, with as little work as possible; the rest is done for many records at once.

pub(crate) mod arrow;
mod blocks;
mod conll;
mod conll2012;
mod conllu;
mod csv;
mod delimited;
mod digits;
mod guess;
mod json;
mod json_object;
mod jsonl;
mod lines;
mod parquet;
mod quoting;
mod semeval;
mod shape;
mod squad;
mod tsv;

use fissure_core::keys;
use fissure_core::{Card, Choice, choices};
use serde_json::Value;

pub use parquet::panic_is_expected;
pub use shape::{Shape, ending};

use crate::input::Input;
use crate::output::Output;
use crate::{Columns, Fault, Result, Row};

choices! {
    /// The formats that can be read and written.
    pub enum Format {
        Csv = "csv",
        Tsv = "tsv",
        Jsonl = "jsonl",
        Json = "json",
        JsonObject = "json_object",
        Parquet = "parquet",
        Conll = "conll",
        Conll2012 = "conll2012",
        Conllu = "conllu",
        Squad = "squad",
        Semeval = "semeval",
        Lines = "lines",
    }
}

/// What a reader gets besides the bytes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hints {
    /// Whether the first line of CSV or TSV names the columns; guessed where `None`.
    pub header: Option<bool>,
    /// Whether cells of TSV are quoted as in CSV; guessed where `None`.
    pub quoting: Option<bool>,
    /// Columns the user named.
    pub columns: Columns,
}

/// Cuts records off and makes rows of them.
pub(crate) trait Reader: Send {
    /// The next record, or `None` at the end. `rows` counts those before it, for messages.
    fn next_record(&mut self, rows: u64) -> Result<Option<Record>>;

    /// How to make a row of the bytes of a record.
    fn parser(&self) -> Parser;
}

pub(crate) type Parser = Box<dyn Fn(Vec<u8>) -> Result<Row, Fault> + Send + Sync>;

/// A record as it was cut off.
pub(crate) struct Record {
    /// The line it starts on, counted from 1; 0 if the format has no lines.
    pub line: u64,
    pub raw: Raw,
}

pub(crate) enum Raw {
    Bytes(Vec<u8>),
    /// From a format that has to be parsed to be cut.
    Row(Row),
    /// The same, with the places of the columns that hold a number that is none: NaN, or infinite.
    NotNumbers(Row, Vec<usize>),
}

/// What a value takes in memory, and the bytes of a row whose values are not worth counting.
const VALUE: usize = 100;
const SHORT: usize = 4096;

impl Raw {
    /// Roughly how much memory it takes.
    pub fn size(&self) -> usize {
        match self {
            // A cell, a token or a value of a list may be a single byte, and takes a hundred once it is read. Short rows
            // are held to the number of rows.
            Self::Bytes(bytes) if bytes.len() > SHORT => {
                bytes.len() + VALUE * memchr::memchr3_iter(b',', b'\t', b'\n', bytes).count()
            }
            Self::Bytes(bytes) => bytes.len(),
            Self::Row(row) | Self::NotNumbers(row, _) => row.0.iter().map(|(_, value)| value_size(value)).sum(),
        }
    }
}

fn value_size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(|value| VALUE + value_size(value)).sum(),
        Value::Object(map) => map.values().map(|value| VALUE + value_size(value)).sum(),
        _ => 8,
    }
}

/// Takes rows and writes them down.
pub(crate) trait RowWriter: Send {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault>;

    /// Names the columns by a row that is not written, if no row was: a table without rows still has columns.
    fn head(&mut self, _row: &Row) -> Result<(), WriteFault> {
        Ok(())
    }

    /// Writes what is left, and gives the stream back.
    fn finish(self: Box<Self>) -> Result<Output, WriteFault>;

    /// The stream below, where every row is in it as soon as it was written: what a stopped run could go on with.
    fn output(&mut self) -> Option<&mut Output> {
        None
    }

    /// What has to be remembered of the rows so far to write the next one.
    fn memory(&self) -> Value {
        Value::Null
    }

    /// Takes up what another writer of this format remembered.
    fn recall(&mut self, _memory: &Value) {}

    /// Takes line ends and quotes from the file that the rows come from, if the format leaves a choice.
    fn like(&mut self, _shape: &Shape) {}
}

/// How lines end in a file of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    #[default]
    Lf,
    CrLf,
}

impl LineEnd {
    /// By the first line of a file.
    pub(crate) fn of(head: &[u8]) -> Self {
        match memchr::memchr(b'\n', head) {
            Some(end) if end > 0 && head[end - 1] == b'\r' => Self::CrLf,
            _ => Self::Lf,
        }
    }

    /// The lines with these ends.
    pub(crate) fn end(self, lines: String) -> String {
        match self {
            Self::Lf => lines,
            Self::CrLf => lines.replace('\n', "\r\n"),
        }
    }
}

/// Why a row was not written.
#[derive(Debug)]
pub(crate) enum WriteFault {
    Io(std::io::Error),
    /// The format cannot hold the row.
    Unfit(String),
}

impl From<std::io::Error> for WriteFault {
    fn from(why: std::io::Error) -> Self {
        Self::Io(why)
    }
}

impl Format {
    /// What the catalog knows of it.
    pub fn card(self) -> &'static Card {
        match self {
            Self::Csv => &csv::CARD,
            Self::Tsv => &tsv::CARD,
            Self::Jsonl => &jsonl::CARD,
            Self::Json => &json::CARD,
            Self::JsonObject => &json_object::CARD,
            Self::Parquet => &parquet::CARD,
            Self::Conll => &conll::CARD,
            Self::Conll2012 => &conll2012::CARD,
            Self::Conllu => &conllu::CARD,
            Self::Squad => &squad::CARD,
            Self::Semeval => &semeval::CARD,
            Self::Lines => &lines::CARD,
        }
    }

    /// The cards of all formats.
    pub fn cards() -> impl Iterator<Item = &'static Card> {
        Self::ALL.iter().map(|(_, format)| format.card())
    }

    /// The format called `name`; if there is none, an error that offers the nearest.
    pub fn find(name: &str) -> Result<Self> {
        let found = Self::ALL.iter().find(|(_, format)| format.card().is_called(name)).map(|(_, format)| *format);
        let known = Self::NAMES.iter().copied();
        found.ok_or_else(|| fissure_core::Error::unknown_name("reader", name, known).into())
    }

    /// The format that a file name implies, whatever its compression: `x.jsonl.gz`.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let name = ["gz", "zst"].iter().find_map(|end| name.strip_suffix(end)?.strip_suffix('.')).unwrap_or(&name);
        let (_, end) = name.rsplit_once('.')?;
        Self::ALL.iter().map(|(_, format)| *format).find(|format| format.endings().any(|known| known == end))
    }

    /// The usual ending of its files, without a dot.
    pub fn ending(self) -> &'static str {
        self.endings().next().unwrap_or("")
    }

    fn endings(self) -> impl Iterator<Item = &'static str> {
        let endings = self.card().facts.iter().find(|(what, _)| *what == "endings").map_or("", |(_, endings)| endings);
        endings.split_whitespace().map(|ending| ending.trim_start_matches('.'))
    }

    /// Whether its files are lines that end as the user's do.
    pub(crate) fn has_lines(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Conll | Self::Conllu | Self::Lines)
    }

    /// The format of an opened input: by name, and where that does not settle it, by content.
    pub(crate) fn guess(input: &Input) -> Self {
        guess::guess(Self::of_name(&input.name), &input.head)
    }

    pub(crate) fn reader(self, input: Input, hints: &Hints) -> Result<Box<dyn Reader>> {
        Ok(match self {
            Self::Csv => Box::new(csv::reader(input, hints)?),
            Self::Tsv => Box::new(tsv::reader(input, hints)?),
            Self::Jsonl => Box::new(jsonl::Lines::new(input)),
            Self::Json | Self::JsonObject => Box::new(json::Elements::new(input)),
            Self::Parquet => Box::new(parquet::Batches::new(input)?),
            Self::Conll => Box::new(conll::Blocks::new(input)),
            Self::Conll2012 => Box::new(conll2012::Documents::new(input)),
            Self::Conllu => Box::new(conllu::Blocks::new(input)),
            Self::Squad => Box::new(squad::Questions::new(input)?),
            Self::Semeval => Box::new(semeval::Blocks::new(input)),
            Self::Lines => Box::new(lines::Texts::new(input)),
        })
    }

    pub(crate) fn writer(self, output: Output) -> Box<dyn RowWriter> {
        match self {
            Self::Csv => Box::new(csv::writer(output)),
            Self::Tsv => Box::new(tsv::writer(output)),
            Self::Jsonl => Box::new(jsonl::JsonLines::new(output)),
            Self::Json => Box::new(json::Array::new(output)),
            Self::JsonObject => Box::new(json_object::Entries::new(output)),
            Self::Parquet => Box::new(parquet::Table::new(output)),
            Self::Conll => Box::new(conll::Columns::new(output)),
            Self::Conll2012 => Box::new(conll2012::Chained::new(output)),
            Self::Conllu => Box::new(conllu::Sentences::new(output)),
            Self::Squad => Box::new(squad::Articles::new(output)),
            Self::Semeval => Box::new(semeval::Sentences::new(output)),
            Self::Lines => Box::new(lines::Plain::new(output)),
        }
    }
}

/// The card of a reader; its name is the name of its file.
macro_rules! reader {
    ($(#[doc = $doc:literal])+ endings: $endings:literal $(, aliases: $aliases:expr)?) => {
        pub(crate) static CARD: fissure_core::Card = fissure_core::Card {
            facts: &[("endings", $endings)],
            $( aliases: $aliases, )?
            ..fissure_core::Card::new(
                fissure_core::Kind::Reader,
                fissure_core::last_segment(module_path!()),
                concat!($($doc, "\n"),+),
                file!(),
                line!(),
            )
        };
    };
}
use reader;

/// The text of `bytes`; if they are not UTF-8, a fault that shows where.
fn utf8(bytes: Vec<u8>) -> Result<String, Fault> {
    String::from_utf8(bytes).map_err(|why| not_utf8(why.as_bytes(), why.utf8_error().valid_up_to()))
}

/// Says that the byte at `at` is not UTF-8, and shows what stands around it.
fn not_utf8(bytes: &[u8], at: usize) -> Fault {
    let around = &bytes[at.saturating_sub(20)..bytes.len().min(at + 20)];
    Fault::new(format!("byte {at} is not UTF-8 (is the file in another encoding, such as Latin-1?)"))
        .showing(&String::from_utf8_lossy(around))
}
