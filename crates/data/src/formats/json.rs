//! One JSON value with many rows in it, cut into its elements without reading it whole.

use std::io::{BufRead, Write};
use std::sync::Arc;

use super::jsonl::object;
use super::{Parser, Raw, Reader, Record, RowWriter, WriteFault};
use crate::input::{Bytes, Input, explained};
use crate::output::Output;
use crate::{Error, Result, Row};

super::reader! {
    /// One JSON list of objects, `[{...}, {...}]`, or an object with such a list under `data`.
    ///
    /// Read element by element, in constant memory. Written as a list, one object on each line.
    endings: ".json"
}

/// Cuts the elements off a list, or the entries off an object.
pub(crate) struct Elements {
    name: Arc<str>,
    bytes: Bytes,
    line: u64,
    place: Place,
    found: bool,
    /// Whether the list of rows stands, or stood, under `data` in an object.
    in_object: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    /// Where an element or its end may come; whether a comma has to come first.
    List {
        comma: bool,
    },
    Object {
        comma: bool,
    },
    End,
}

impl Elements {
    pub fn new(input: Input) -> Self {
        let (name, bytes) = input.bytes();
        Self { name, bytes, line: 1, place: Place::Start, found: false, in_object: false }
    }

    /// The next byte that is not white space, left where it is.
    fn peek(&mut self, rows: u64) -> Result<Option<u8>> {
        loop {
            let buffer = match self.bytes.fill_buf() {
                Ok([]) => return Ok(None),
                Ok(buffer) => buffer,
                Err(why) => return Err(Error::Broken { file: Arc::clone(&self.name), rows, why: explained(why) }),
            };
            let space = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.line += memchr::memchr_iter(b'\n', &buffer[..space]).count() as u64;
            let next = buffer.get(space).copied();
            self.bytes.consume(space);
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// Appends the bytes of the next value to `value`.
    fn value(&mut self, value: &mut Vec<u8>, rows: u64) -> Result<()> {
        let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
        let mut started = false;
        loop {
            let buffer = match self.bytes.fill_buf() {
                Ok([]) => return if started && depth == 0 { Ok(()) } else { Err(self.wrong("it ends in the middle")) },
                Ok(buffer) => buffer,
                Err(why) => return Err(Error::Broken { file: Arc::clone(&self.name), rows, why: explained(why) }),
            };
            let mut used = 0;
            let mut done = false;
            for byte in buffer {
                let ends = depth == 0 && !in_string && matches!(byte, b',' | b']' | b'}' | b':');
                if ends {
                    done = true;
                    break;
                }
                used += 1;
                started = true;
                self.line += u64::from(*byte == b'\n');
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' if in_string => escaped = true,
                    b'"' => in_string = !in_string,
                    _ if in_string => {}
                    b'[' | b'{' => depth += 1,
                    b']' | b'}' => depth -= 1,
                    _ => {}
                }
            }
            value.extend_from_slice(&buffer[..used]);
            self.bytes.consume(used);
            if done {
                return Ok(());
            }
        }
    }

    fn wrong(&self, why: &str) -> Error {
        Error::Unreadable { file: Arc::clone(&self.name), format: "JSON", why: format!("line {}: {why}", self.line) }
    }

    /// Passes over `byte`, which has to come next.
    fn expect(&mut self, byte: u8, rows: u64) -> Result<()> {
        match self.peek(rows)? {
            Some(next) if next == byte => {
                self.bytes.consume(1);
                Ok(())
            }
            Some(next) => Err(self.wrong(&format!("`{}` where `{}` is needed", char::from(next), char::from(byte)))),
            None => Err(self.wrong(&format!("it ends where `{}` is needed", char::from(byte)))),
        }
    }
}

impl Reader for Elements {
    fn next_record(&mut self, rows: u64) -> Result<Option<Record>> {
        loop {
            let next = self.peek(rows)?;
            match (self.place, next) {
                (Place::Start | Place::End, None) => return Ok(None),
                // Two files that were joined, say: what is left out must not go unnoticed.
                (Place::End, Some(_)) => {
                    return Err(self.wrong("there is more behind the end of the rows; a file holds one list or object"));
                }
                (Place::Start, Some(open @ (b'[' | b'{'))) => {
                    self.bytes.consume(1);
                    self.place =
                        if open == b'[' { Place::List { comma: false } } else { Place::Object { comma: false } };
                }
                (Place::Start, Some(_)) => return Err(self.wrong("it starts neither with `[` nor with `{`")),
                (_, None) => return Err(self.wrong("it ends before the last bracket is closed")),
                (Place::List { .. }, Some(b']')) if self.in_object => {
                    self.bytes.consume(1);
                    self.place = Place::Object { comma: true };
                }
                (Place::List { .. }, Some(b']')) | (Place::Object { .. }, Some(b'}')) => {
                    self.bytes.consume(1);
                    self.place = Place::End;
                    if !self.found && rows == 0 && matches!(next, Some(b'}')) {
                        return Err(self.wrong("no rows in it: a list of objects is needed, or objects by their names"));
                    }
                }
                (Place::List { comma }, Some(_)) => {
                    if comma {
                        self.expect(b',', rows)?;
                        if self.peek(rows)? == Some(b']') {
                            return Err(self.wrong("a comma stands before the end of the list"));
                        }
                    }
                    self.place = Place::List { comma: true };
                    let line = self.line;
                    let mut value = Vec::new();
                    self.value(&mut value, rows)?;
                    return Ok(Some(Record { line, raw: Raw::Bytes(value) }));
                }
                (Place::Object { comma }, Some(_)) => {
                    if comma {
                        self.expect(b',', rows)?;
                        self.peek(rows)?;
                    }
                    self.place = Place::Object { comma: true };
                    let mut record = Vec::new();
                    self.value(&mut record, rows)?;
                    self.expect(b':', rows)?;
                    match self.peek(rows)? {
                        _ if record.trim_ascii() == b"\"data\"" && self.in_object => {
                            return Err(self.wrong("the key `data` occurs twice"));
                        }
                        Some(b'[') if record.trim_ascii() == b"\"data\"" => {
                            self.bytes.consume(1);
                            self.place = Place::List { comma: false };
                            (self.found, self.in_object) = (true, true);
                        }
                        Some(b'{') if !self.in_object => {
                            self.found = true;
                            let line = self.line;
                            // The name comes along in front of the object; `keyed` takes the two apart.
                            self.value(&mut record, rows)?;
                            return Ok(Some(Record { line, raw: Raw::Bytes(record) }));
                        }
                        // A version, a licence, ...: not a row.
                        _ => self.value(&mut Vec::new(), rows)?,
                    }
                }
            }
        }
    }

    fn parser(&self) -> Parser {
        Box::new(|bytes| if bytes.first() == Some(&b'"') { super::json_object::entry(bytes) } else { object(bytes) })
    }
}

pub(crate) struct Array {
    output: Output,
    empty: bool,
}

impl Array {
    pub fn new(output: Output) -> Self {
        Self { output, empty: true }
    }
}

impl RowWriter for Array {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        self.output.write_all(if self.empty { b"[\n" } else { b",\n" })?;
        self.empty = false;
        Ok(serde_json::to_writer(&mut self.output, row).map_err(std::io::Error::from)?)
    }

    fn finish(mut self: Box<Self>) -> Result<Output, WriteFault> {
        self.output.write_all(if self.empty { b"[]\n" } else { b"\n]\n" })?;
        Ok(self.output)
    }

    fn output(&mut self) -> Option<&mut Output> {
        Some(&mut self.output)
    }

    fn memory(&self) -> serde_json::Value {
        self.empty.into()
    }

    fn recall(&mut self, memory: &serde_json::Value) {
        self.empty = memory.as_bool().unwrap_or(true);
    }
}
