//! A text on each line, with or without a label in front.

use std::io::Write;

use serde_json::Value;

use super::{LineEnd, Parser, Raw, Reader, Record, RowWriter, Shape, WriteFault, utf8};
use crate::input::{self, Input, trim_end};
use crate::output::Output;
use crate::{Result, Row};

super::reader! {
    /// One text on each line; or `label text`, as in the thousand-example sets of the attack literature and in fastText.
    ///
    /// Lines count as labelled where all of them, at the beginning of the file, start with a whole number or with
    /// `__label__` and a space. Blank lines are passed over. Columns: `label` and `text`, or `text` alone.
    endings: ".txt", aliases: &["text"]
}

pub(crate) struct Texts {
    lines: input::Lines,
    labelled: bool,
}

impl Texts {
    pub fn new(input: Input) -> Self {
        Self { labelled: is_labelled(&input.head), lines: input.lines() }
    }
}

/// Whether every whole line of the beginning starts with a label.
pub(super) fn is_labelled(head: &[u8]) -> bool {
    let whole = memchr::memrchr(b'\n', head).map_or(head, |end| &head[..end]);
    let mut lines = whole.split(|byte| *byte == b'\n').map(trim_end).filter(|line| !line.is_empty()).peekable();
    let label = |line: &[u8]| {
        let word = line.split(|byte| *byte == b' ').next().unwrap_or_default();
        word.len() < line.len()
            && (word.starts_with(b"__label__") || (!word.is_empty() && word.iter().all(u8::is_ascii_digit)))
    };
    lines.peek().is_some() && lines.all(label)
}

impl Reader for Texts {
    fn next_record(&mut self, rows: u64) -> Result<Option<Record>> {
        let mut line = Vec::new();
        while self.lines.next(&mut line, rows)? {
            line.truncate(trim_end(&line).len());
            if !line.is_empty() {
                return Ok(Some(Record { line: self.lines.line, raw: Raw::Bytes(line) }));
            }
        }
        Ok(None)
    }

    fn parser(&self) -> Parser {
        let labelled = self.labelled;
        Box::new(move |line| {
            let line = utf8(line)?;
            let mut row = Row::default();
            match line.split_once(' ').filter(|_| labelled) {
                Some((label, text)) => {
                    row.push("label", label);
                    row.push("text", text);
                }
                None => row.push("text", line),
            }
            Ok(row)
        })
    }
}

pub(crate) struct Plain {
    output: Output,
    line_end: LineEnd,
}

impl Plain {
    pub fn new(output: Output) -> Self {
        Self { output, line_end: LineEnd::Lf }
    }
}

impl RowWriter for Plain {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        let line = match &row.0[..] {
            [(_, Value::String(text))] => text.clone(),
            [(name, label), (_, Value::String(text))] if &**name == "label" => match label {
                Value::String(label) => format!("{label} {text}"),
                label => format!("{label} {text}"),
            },
            _ => return Err(WriteFault::Unfit("a line holds one text, or a label and a text; try jsonl".into())),
        };
        if line.is_empty() || line.contains('\n') || line.ends_with('\r') {
            return Err(WriteFault::Unfit("the text is empty or has a line end in it; try jsonl".into()));
        }
        Ok(self.output.write_all(self.line_end.end(line + "\n").as_bytes())?)
    }

    fn finish(self: Box<Self>) -> Result<Output, WriteFault> {
        Ok(self.output)
    }

    fn output(&mut self) -> Option<&mut Output> {
        Some(&mut self.output)
    }

    fn like(&mut self, shape: &Shape) {
        self.line_end = shape.line_end;
    }
}
