//! JSON lines: an object on each line.

use serde_json::error::Category;
use std::io::Write;

use serde_json::Value;

use super::{Parser, Raw, Reader, Record, RowWriter, WriteFault, digits, keys, utf8};
use crate::input::{self, Input};
use crate::output::Output;
use crate::{Fault, Result, Row};
use fissure_tasks::{MOST_VALUES, may_have_more_values};

super::reader! {
    /// JSON lines: one object on each line, its keys the columns.
    ///
    /// Read line by line, in constant memory; blank lines are passed over. Whole numbers beyond 64 bits are kept as texts,
    /// digit for digit. Written as one compact object on each line,
    /// letters outside ASCII as they are.
    endings: ".jsonl .ndjson .jsonlines", aliases: &["ndjson", "json_lines"]
}

pub(crate) struct Lines {
    lines: input::Lines,
}

impl Lines {
    pub fn new(input: Input) -> Self {
        Self { lines: input.lines() }
    }
}

impl Reader for Lines {
    fn next_record(&mut self, rows: u64) -> Result<Option<Record>> {
        let mut line = Vec::new();
        while self.lines.next(&mut line, rows)? {
            if !line.trim_ascii().is_empty() {
                return Ok(Some(Record { line: self.lines.line, raw: Raw::Bytes(line) }));
            }
            line.clear();
        }
        Ok(None)
    }

    fn parser(&self) -> Parser {
        Box::new(object)
    }
}

/// The row in the bytes of one object.
pub(super) fn object(bytes: Vec<u8>) -> Result<Row, Fault> {
    let text = utf8(bytes)?;
    check_values(&text)?;
    let row: Row = serde_json::from_str(&digits::quoted(&text)).map_err(|why| {
        let said = why.to_string();
        // The parser counts lines of its own, and here there is one.
        let said = said.split(" at line ").next().unwrap_or(&said);
        match why.classify() {
            Category::Data => Fault::new("a row must be an object, `{\"column\": value, ...}`").showing(&text),
            _ => {
                let wanted = why.column().saturating_sub(20).min(text.len());
                let at = (0..=wanted).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0);
                Fault::new(format!("not JSON, {said} at byte {}", why.column())).showing(&text[at..])
            }
        }
    })?;
    let doubled = |key: &str| Fault::new(format!("the key `{key}` occurs twice in one object"));
    if let Some(key) = row.doubled() {
        return Err(doubled(key));
    }
    // Only objects within the row need a second look.
    fn has_object(value: &Value) -> bool {
        value.as_object().is_some_and(|object| !object.is_empty())
            || value.as_array().is_some_and(|items| items.iter().any(has_object))
    }
    if row.0.iter().any(|(_, value)| has_object(value))
        && let Err(why) = serde_json::from_str::<keys::Once>(&text)
    {
        let said = why.to_string();
        return Err(Fault::new(said.split(" at line ").next().unwrap_or(&said)));
    }
    Ok(row)
}

/// Refuses what could become more values than fit in memory. Commas within texts are counted too, which is more than
/// there are; no real row comes near.
fn check_values(text: &str) -> Result<(), Fault> {
    match may_have_more_values(text.as_bytes(), MOST_VALUES) {
        false => Ok(()),
        true => Err(Fault::new(format!("a row of more than {MOST_VALUES} values")).showing(text)),
    }
}

pub(crate) struct JsonLines {
    output: Output,
}

impl JsonLines {
    pub fn new(output: Output) -> Self {
        Self { output }
    }
}

impl RowWriter for JsonLines {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        serde_json::to_writer(&mut self.output, row).map_err(std::io::Error::from)?;
        Ok(self.output.write_all(b"\n")?)
    }

    fn finish(self: Box<Self>) -> Result<Output, WriteFault> {
        Ok(self.output)
    }

    fn output(&mut self) -> Option<&mut Output> {
        Some(&mut self.output)
    }
}
