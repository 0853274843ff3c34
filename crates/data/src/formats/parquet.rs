//! Parquet, by way of Arrow.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use ::parquet::basic::{Compression, Type as PhysicalType};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::ChunkReader;
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

/// How many rows are in memory at a time, and roughly how many bytes of them.
const GROUP: usize = 1024;
const GROUP_BYTES: i64 = 64 << 20;

/// A column of texts that unpacks to more than this, by more than this factor, is no data.
const MOST_BYTES: i64 = 256 << 20;
const MOST_RATIO: i64 = 200;

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
            Some(file) => guarded(|| open(file)),
            None => {
                let (_, bytes) = input.all()?;
                guarded(|| open(bytes::Bytes::from(bytes)))
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

/// Begins to read, with as many rows at a time as fit in memory.
fn open<R: ChunkReader + 'static>(from: R) -> Result<ParquetRecordBatchReader, ParquetError> {
    let found = ArrowReaderMetadata::load(&from, ArrowReaderOptions::new())?;
    let groups = found.metadata().row_groups();
    for group in groups {
        let texts = group.columns().iter().filter(|column| column.column_type() == PhysicalType::BYTE_ARRAY);
        for column in texts {
            let (packed, whole) = (column.compressed_size().max(1), column.uncompressed_size());
            if whole > MOST_BYTES && whole / packed > MOST_RATIO {
                let why = format!("column `{}` unpacks from {packed} bytes to {whole}", column.column_path().string());
                return Err(ParquetError::General(why));
            }
        }
    }
    // The sizes are those before dictionaries are looked up; the texts of a dictionary are shared.
    let row = groups.iter().map(|group| group.total_byte_size().max(0) / group.num_rows().max(1)).max();
    let rows = GROUP.min((GROUP_BYTES / row.unwrap_or(0).max(1)).max(1) as usize);
    let fields: Vec<_> = found.schema().fields().iter().map(|field| arrow::shared(field)).collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, found.schema().metadata().clone()));
    let shared =
        ArrowReaderMetadata::try_new(Arc::clone(found.metadata()), ArrowReaderOptions::new().with_schema(schema));
    ParquetRecordBatchReaderBuilder::new_with_metadata(from, shared.unwrap_or(found)).with_batch_size(rows).build()
}

fn unreadable(file: &Arc<str>, why: String) -> Error {
    Error::Unreadable { file: Arc::clone(file), format: "Parquet", why }
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread, now, would be caught and reported as an error: a program's panic hook need not print it.
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
    fn next_record(&mut self, _: u64) -> Result<Option<Record>> {
        loop {
            if let Some((batch, at)) = &mut self.current
                && *at < batch.num_rows()
            {
                let columns = batch.columns();
                let values = columns.iter().map(|column| arrow::value(column, *at));
                let row = Row(self.names.iter().cloned().zip(values).collect());
                let odd: Vec<usize> =
                    (0..columns.len()).filter(|column| arrow::is_no_number(&columns[*column], *at)).collect();
                *at += 1;
                let raw = if odd.is_empty() { Raw::Row(row) } else { Raw::NotNumbers(row, odd) };
                return Ok(Some(Record { line: 0, raw }));
            }
            // The rows that were read must not be in memory beside the next.
            self.current = None;
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

    /// Begins the file with the columns of these rows.
    fn open(&mut self, rows: &[Row]) -> Result<(), WriteFault> {
        let schema = Arc::new(arrow::schema(rows).map_err(WriteFault::Unfit)?);
        let State::Fresh(output) = std::mem::replace(&mut self.state, State::Failed) else { return Ok(()) };
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(Default::default())).build();
        let writer = ArrowWriter::try_new(output, Arc::clone(&schema), Some(properties)).map_err(failed)?;
        self.state = State::Open(Box::new(writer), schema);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), WriteFault> {
        if let State::Fresh(_) = self.state {
            let rows = std::mem::take(&mut self.rows);
            let opened = self.open(&rows);
            self.rows = rows;
            opened?;
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
    fn head(&mut self, row: &Row) -> Result<(), WriteFault> {
        if self.rows.is_empty() && matches!(self.state, State::Fresh(_)) {
            self.open(std::slice::from_ref(row))?;
        }
        Ok(())
    }

    fn write(&mut self, row: &Row) -> Result<(), WriteFault> {
        self.rows.push(row.clone());
        if self.rows.len() == GROUP { self.flush() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<Output, WriteFault> {
        if self.rows.is_empty() && matches!(self.state, State::Fresh(_)) {
            return Err(WriteFault::Unfit("no row was read, so its columns are not known; write .jsonl".into()));
        }
        if !self.rows.is_empty() {
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
