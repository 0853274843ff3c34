//! Samples to a file, in the shape they came in.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use fissure_core::Sample;

use crate::draft::{Existing, Journal};
use crate::formats::{RowWriter, Shape, WriteFault};
use crate::output::Output;
use crate::{Error, Format, Result, Row, Task};

/// Writes samples.
pub struct Writer {
    file: Arc<str>,
    format: Format,
    task: &'static Task,
    rows: Box<dyn RowWriter>,
    /// A row as it would be written, for a file that gets none.
    head: Option<Row>,
}

impl Writer {
    /// Starts a file, or takes standard output for `-`. If `format` is `None`, the file's ending gives it, and what has
    /// no known ending gets JSON lines; `.gz` and `.zst` compress.
    pub fn create(path: &Path, format: Option<Format>, task: &'static Task, existing: Existing) -> Result<Self> {
        Ok(Self::to(Output::create(path, existing)?, path, format, task))
    }

    /// Goes on with a file that was stopped. `None` if nothing was kept.
    pub fn resume(path: &Path, format: Option<Format>, task: &'static Task) -> Result<Option<(Self, Journal)>> {
        let Some((output, journal)) = Output::resume(path)? else { return Ok(None) };
        let mut writer = Self::to(output, path, format, task);
        writer.rows.recall(&journal.format);
        Ok(Some((writer, journal)))
    }

    fn to(output: Output, path: &Path, format: Option<Format>, task: &'static Task) -> Self {
        let file: Arc<str> = path.to_string_lossy().into();
        let format = format.or_else(|| Format::of_name(&file)).unwrap_or(Format::Jsonl);
        Self { rows: format.writer(output), file, format, task, head: None }
    }

    /// Ends lines and quotes cells as the data did, in formats that leave a choice.
    pub fn like(&mut self, shape: &Shape) {
        self.rows.like(shape);
    }

    /// Whether a stopped run could go on with it: not so for a device or a pipe, nor in formats that cannot be extended.
    pub fn can_be_kept(&mut self) -> bool {
        self.rows.output().is_some_and(|output| output.can_be_kept())
    }

    /// To be called after the rows of a sample. Whether a run that is stopped now could go on from here.
    pub fn end_row(&mut self) -> Result<bool> {
        let ended = self.rows.output().map_or(Ok(false), Output::end_row);
        ended.map_err(|why| Error::Write { file: Arc::clone(&self.file), why })
    }

    /// Writes down that a run can go on from here, where [`Writer::end_row`] said so.
    pub fn keep(&mut self, journal: &mut Journal) -> Result<()> {
        journal.format = self.rows.memory();
        self.rows.output().map_or(Ok(()), |output| output.keep(journal))
    }

    /// Writes to any stream.
    pub fn of(bytes: impl Write + Send + 'static, format: Format, task: &'static Task) -> Self {
        Self { file: "output".into(), format, task, rows: format.writer(Output::of(Box::new(bytes))), head: None }
    }

    /// Why a format cannot hold a sample, whatever else is written; `None` if nothing speaks against it.
    pub fn refuses(sample: &Sample, format: Format, task: &'static Task) -> Option<String> {
        match Self::of(std::io::sink(), format, task).write(sample) {
            Err(Error::Unwritable { why, .. }) => Some(why),
            _ => None,
        }
    }

    /// The format that it writes.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Takes the columns of a sample for a file that gets no row. Of several samples the first counts.
    pub fn columns_of(&mut self, sample: &Sample) {
        self.head.get_or_insert_with(|| self.task.row(sample));
    }

    /// Writes a sample.
    pub fn write(&mut self, sample: &Sample) -> Result<()> {
        let row = self.task.row(sample);
        self.rows.write(&row).map_err(|fault| fault.explain(&self.file, self.format, &sample.id))
    }

    /// Writes a row: a sample's with columns added, for instance. `id` stands for it in messages.
    pub fn write_row(&mut self, row: &Row, id: &str) -> Result<()> {
        self.rows.write(row).map_err(|fault| fault.explain(&self.file, self.format, id))
    }

    /// Writes what is left. A file is whole only after this.
    pub fn finish(mut self) -> Result<()> {
        let explain = |fault: WriteFault| fault.explain(&self.file, self.format, "the last ones");
        if let Some(head) = &self.head {
            self.rows.head(head).map_err(explain)?;
        }
        self.rows.finish().map_err(explain)?.finish()
    }
}

impl WriteFault {
    fn explain(self, file: &Arc<str>, format: Format, id: &str) -> Error {
        match self {
            Self::Io(why) => Error::Write { file: Arc::clone(file), why },
            Self::Unfit(why) => Error::Unwritable { id: id.into(), format: format.card().name, why },
        }
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("file", &self.file).field("format", &self.format).finish_non_exhaustive()
    }
}
