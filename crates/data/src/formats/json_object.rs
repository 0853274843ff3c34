//! One JSON object of rows by their names.

use std::io::Write;

use serde_json::Value;

use super::jsonl::object;
use super::{RowWriter, WriteFault, utf8};
use crate::output::Output;
use crate::{Fault, Result, Row};

super::reader! {
    /// One JSON object of rows by their names, `{"3121": {"sentence": ...}, ...}`, as the aspect data of SemEval-2014.
    ///
    /// Read entry by entry, in constant memory; entries that are not objects are passed over. The name is kept as the
    /// column `id`, unless the row has it. Written with the id (or, without one, the running number) as the name.
    endings: "", aliases: &["absa_json"]
}

/// The row in the bytes `"name"{...}`.
pub(super) fn entry(bytes: Vec<u8>) -> Result<Row, Fault> {
    let text = utf8(bytes)?;
    let mut names = serde_json::Deserializer::from_str(&text).into_iter::<String>();
    let Some(Ok(name)) = names.next() else { return Err(Fault::new("a name in quotes is needed").showing(&text)) };
    let mut row = object(text.as_bytes()[names.byte_offset()..].to_vec())?;
    if row.get("id").is_none() {
        row.push("id", name);
    }
    Ok(row)
}

pub(crate) struct Entries {
    output: Output,
    count: usize,
}

impl Entries {
    pub fn new(output: Output) -> Self {
        Self { output, count: 0 }
    }
}

impl RowWriter for Entries {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        let name = match row.get("id") {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => self.count.to_string(),
        };
        self.output.write_all(if self.count == 0 { b"{\n" } else { b",\n" })?;
        self.count += 1;
        serde_json::to_writer(&mut self.output, &name).map_err(std::io::Error::from)?;
        self.output.write_all(b": ")?;
        Ok(serde_json::to_writer(&mut self.output, row).map_err(std::io::Error::from)?)
    }

    fn finish(mut self: Box<Self>) -> Result<Output, WriteFault> {
        self.output.write_all(if self.count == 0 { b"{}\n" } else { b"\n}\n" })?;
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
