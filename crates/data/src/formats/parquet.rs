//! Parquet, by way of Arrow.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use ::parquet::basic::Compression;
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use arrow_array::RecordBatch;
use arrow_schema::Schema;

use super::{Parser, Raw, Reader, Record, RowWriter, WriteFault, arrow};
use crate::input::Input;
use crate::output::Output;
use crate::{Error, Fault, Result, Row};

super::reader! {
    /// Parquet, with columns of texts, numbers, truth values, lists and structs.
    ///
    /// A file is read batch by batch, in constant memory; from standard input, or where the whole file is compressed, it is
    /// read whole. Compression inside: snappy, gzip, zstd. Written in groups of rows with zstd; the types of the columns
    /// are those of the first 1,024 rows. Objects whose names differ from row to row are written as JSON in a text.
    endings: ".parquet .pq"
}

/// How many rows are in memory at a time.
const GROUP: usize = 1024;

pub(crate) struct Batches {
    file: Arc<str>,
    batches: ParquetRecordBatchReader,
    names: Vec<Arc<str>>,
    current: Option<(RecordBatch, usize)>,
}

impl Batches {
    pub fn new(input: Input) -> Result<Self> {
        let name = Arc::clone(&input.name);
        let opened = match input.file() {
            Some(file) => guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)?.with_batch_size(GROUP).build()),
            None => {
                let (_, bytes) = input.all()?;
                let bytes = bytes::Bytes::from(bytes);
                guarded(|| ParquetRecordBatchReaderBuilder::try_new(bytes)?.with_batch_size(GROUP).build())
            }
        };
        let batches = opened.map_err(|why| unreadable(&name, why))?;
        let schema: arrow_schema::SchemaRef = arrow_array::RecordBatchReader::schema(&batches);
        for field in schema.fields() {
            arrow::check(field).map_err(|why| unreadable(&name, why))?;
        }
        let names = schema.fields().iter().map(|field| field.name().as_str().into()).collect();
        Ok(Self { file: name, batches, names, current: None })
    }
}

fn unreadable(file: &Arc<str>, why: String) -> Error {
    Error::Unreadable { file: Arc::clone(file), format: "Parquet", why }
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread, now, would be caught and told as an error: a program's panic hook need not print it.
pub fn panic_is_expected() -> bool {
    GUARDED.get()
}

/// The parser of Parquet panics on some damaged files; for us that is an error like any other.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    GUARDED.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(false);
    match done {
        Ok(done) => done.map_err(|why| why.to_string()),
        Err(_) => Err("the file is damaged".into()),
    }
}

impl Reader for Batches {
    fn cut(&mut self, _: u64) -> Result<Option<Record>> {
        loop {
            if let Some((batch, at)) = &mut self.current
                && *at < batch.num_rows()
            {
                let values = batch.columns().iter().map(|column| arrow::value(column, *at));
                let row = Row(self.names.iter().cloned().zip(values).collect());
                *at += 1;
                return Ok(Some(Record { line: 0, raw: Raw::Row(row) }));
            }
            let next = guarded(|| Ok(self.batches.next().transpose()?)).map_err(|why| unreadable(&self.file, why))?;
            match next {
                Some(batch) => self.current = Some((batch, 0)),
                None => return Ok(None),
            }
        }
    }

    fn parser(&self) -> Parser {
        Box::new(|_| Err(Fault::new("not a row of a table")))
    }
}

/// Writes groups of rows.
pub(crate) struct Table {
    state: State,
    rows: Vec<Row>,
}

enum State {
    /// No row yet, so no schema.
    Fresh(Output),
    Open(Box<ArrowWriter<Output>>, Arc<Schema>),
    /// An error has been reported; nothing more can be written.
    Failed,
}

impl Table {
    pub fn new(output: Output) -> Self {
        Self { state: State::Fresh(output), rows: Vec::new() }
    }

    fn flush(&mut self) -> Result<(), WriteFault> {
        if let State::Fresh(_) = self.state {
            let schema = Arc::new(arrow::schema(&self.rows).map_err(WriteFault::Unfit)?);
            let State::Fresh(output) = std::mem::replace(&mut self.state, State::Failed) else { return Ok(()) };
            let properties = WriterProperties::builder().set_compression(Compression::ZSTD(Default::default())).build();
            let writer = ArrowWriter::try_new(output, Arc::clone(&schema), Some(properties)).map_err(failed)?;
            self.state = State::Open(Box::new(writer), schema);
        }
        if let State::Open(writer, schema) = &mut self.state {
            let batch = arrow::batch(schema, &self.rows).map_err(WriteFault::Unfit)?;
            writer.write(&batch).map_err(failed)?;
        }
        self.rows.clear();
        Ok(())
    }
}

fn failed(why: ParquetError) -> WriteFault {
    WriteFault::Io(std::io::Error::other(why))
}

impl RowWriter for Table {
    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        self.rows.push(row.clone());
        if self.rows.len() == GROUP { self.flush() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<Output, WriteFault> {
        if !self.rows.is_empty() || matches!(self.state, State::Fresh(_)) {
            self.flush()?;
        }
        match self.state {
            State::Open(writer, _) => writer.into_inner().map_err(failed),
            State::Fresh(output) => Ok(output),
            State::Failed => Err(WriteFault::Unfit("an earlier row could not be written".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_parser_is_an_error() {
        let mut expected = false;
        let found = guarded::<()>(|| {
            expected = panic_is_expected();
            panic!("as the parser does on some damaged files");
        });
        assert_eq!(found, Err("the file is damaged".to_owned()));
        assert!(expected && !panic_is_expected(), "only while the parser works is its panic no news");
    }
}
