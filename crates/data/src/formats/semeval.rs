//! Relations of SemEval-2010 task 8, in the text format of its organisers.

use std::io::Write;

use serde_json::Value;

use super::{Parser, Raw, Reader, Record, RowWriter, WriteFault, utf8};
use crate::input::{self, Input};
use crate::output::Output;
use crate::{Fault, Result, Row};

super::reader! {
    /// Relations as in SemEval-2010 task 8: `1 TAB "The <e1>child</e1> was ..."`, the relation on the next line, then a
    /// comment and a blank line.
    ///
    /// Columns: `id`, `sentence`, `relation` and `comment`, the last two where they are there.
    endings: "", aliases: &["semeval2010"]
}

pub(crate) struct Blocks {
    lines: input::Lines,
    /// The first line of the next block, where a block ended without a blank line.
    ahead: Option<(u64, Vec<u8>)>,
}

impl Blocks {
    pub fn new(input: Input) -> Self {
        Self { lines: input.lines(), ahead: None }
    }
}

/// Whether a line starts a block: a number, a tab, a quote.
pub(super) fn starts(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && line[digits..].starts_with(b"\t\"")
}

impl Reader for Blocks {
    fn next_record(&mut self, rows: u64) -> Result<Option<Record>> {
        let (mut first, mut block) = self.ahead.take().unwrap_or_default();
        loop {
            let done = block.len();
            if !self.lines.next(&mut block, rows)? {
                break;
            }
            let line = &block[done..];
            if line.trim_ascii().is_empty() {
                block.truncate(done);
                if done > 0 {
                    break;
                }
                continue;
            }
            if done > 0 && starts(line) {
                self.ahead = Some((self.lines.line, block.split_off(done)));
                break;
            }
            if done == 0 {
                first = self.lines.line;
            }
        }
        Ok((!block.is_empty()).then_some(Record { line: first, raw: Raw::Bytes(block) }))
    }

    fn parser(&self) -> Parser {
        Box::new(|block| {
            let block = utf8(block)?;
            let mut lines = block.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
            let first = lines.next().unwrap_or_default();
            let quoted = |sentence: &str| Some(sentence.strip_prefix('"')?.strip_suffix('"')?.to_owned());
            let parts = first.split_once('\t').and_then(|(id, sentence)| Some((id, quoted(sentence)?)));
            let Some((id, sentence)) = parts else {
                return Err(Fault::new("a number, a tab and a sentence in quotes are needed").showing(first));
            };
            let mut row = Row::default();
            row.push("id", id);
            row.push("sentence", sentence);
            for (name, line) in ["relation", "comment"].into_iter().zip(lines.filter(|line| !line.is_empty())) {
                match name {
                    "comment" => row.push(name, line.strip_prefix("Comment:").unwrap_or(line)),
                    _ => row.push(name, line),
                }
            }
            Ok(row)
        })
    }
}

pub(crate) struct Sentences {
    output: Output,
    count: usize,
}

impl Sentences {
    pub fn new(output: Output) -> Self {
        Self { output, count: 0 }
    }
}

impl RowWriter for Sentences {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        self.count += 1;
        let mut block = String::new();
        for (name, line) in [("id", ""), ("sentence", "\t\""), ("relation", "\"\n"), ("comment", "\nComment:")] {
            let value = match row.get(name) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Number(number)) => number.to_string(),
                None if name == "id" => self.count.to_string(),
                None if name == "relation" || name == "comment" => String::new(),
                _ => return Err(WriteFault::Unfit(format!("it needs a text in column `{name}`"))),
            };
            if value.contains(['\n', '\r']) {
                return Err(WriteFault::Unfit(format!("column `{name}` has a line end in it; try jsonl")));
            }
            block.push_str(line);
            block.push_str(&value);
        }
        Ok(write!(self.output, "{block}\n\n")?)
    }

    fn finish(self: Box<Self>) -> Result<Output, WriteFault> {
        Ok(self.output)
    }

    fn output(&mut self) -> Option<&mut Output> {
        Some(&mut self.output)
    }

    fn memory(&self) -> Value {
        self.count.into()
    }

    fn recall(&mut self, memory: &Value) {
        self.count = memory.as_u64().unwrap_or_default() as usize;
    }
}
