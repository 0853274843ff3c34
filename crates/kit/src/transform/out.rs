//! Where the result goes: JSON lines that say what happened, or the data set itself in a format of the user's.

use std::io::Write as _;
use std::path::Path;

use fissure_core::Sample;
use fissure_data::{Existing, Format, Journal, Output, Shape, Task, Writer};

use super::Rows;
use super::line::Made;
use crate::notice::note;
use crate::resume::Keepable;
use crate::{Error, Result};

pub enum Out {
    Lines { to: Output, place: String },
    Samples(Box<Writer>),
}

impl Out {
    /// By the ending of the file: JSON lines unless it says otherwise. A data set looks like the data that was read.
    pub fn create(
        path: Option<&Path>,
        shape: Option<&Shape>,
        task: &'static Task,
        existing: Existing,
        rows: Rows,
    ) -> Result<Self> {
        let to = path.unwrap_or(Path::new("-"));
        if let Some(ending) = to.extension().filter(|_| Format::of_name(&to.to_string_lossy()).is_none()) {
            let (to, ending) = (to.display(), ending.to_string_lossy());
            match format(path, shape, rows) {
                Some(format) => {
                    note(&format!("writes {to} as {}, like the data with the same ending", format.card().name));
                }
                None => note(&format!(
                    "writes JSON lines that say what happened to {to}: no format has the ending .{ending}, and the data do not \
                     end so. For the data set itself, give the ending of the data or of a format"
                )),
            }
        }
        Ok(match format(path, shape, rows) {
            None => Self::Lines { to: Output::create(to, existing)?, place: place(path) },
            Some(format) => Self::samples(Writer::create(to, Some(format), task, existing)?, shape),
        })
    }

    /// Goes on with a file that was stopped. `None` if nothing was kept.
    pub fn resume(
        path: &Path,
        shape: Option<&Shape>,
        task: &'static Task,
        rows: Rows,
    ) -> Result<Option<(Self, Journal)>> {
        Ok(match format(Some(path), shape, rows) {
            None => {
                let found = Output::resume(path)?;
                found.map(|(to, journal)| (Self::Lines { to, place: place(Some(path)) }, journal))
            }
            Some(format) => {
                let found = Writer::resume(path, Some(format), task)?;
                found.map(|(to, journal)| (Self::samples(to, shape), journal))
            }
        })
    }

    fn samples(mut to: Writer, shape: Option<&Shape>) -> Self {
        if let Some(shape) = shape {
            to.like(shape);
        }
        Self::Samples(Box::new(to))
    }

    /// Takes the columns of what was read for a table that gets no row.
    pub fn columns_of(&mut self, read: &[Sample]) {
        if let (Self::Samples(to), Some(first)) = (self, read.first()) {
            to.columns_of(first);
        }
    }

    /// Whether rows may have columns of any name.
    pub fn is_table(&self) -> bool {
        let is_table =
            |format| matches!(format, Format::Csv | Format::Tsv | Format::Parquet | Format::Json | Format::Jsonl);
        matches!(self, Self::Samples(to) if is_table(to.format()))
    }

    /// The format of the data set, if that cannot hold every sample.
    pub fn may_refuse(&self) -> Option<Format> {
        let holds = |format: &Format| {
            matches!(
                format,
                Format::Csv | Format::Tsv | Format::Parquet | Format::Json | Format::Jsonl | Format::JsonObject
            )
        };
        match self {
            Self::Lines { .. } => None,
            Self::Samples(to) => Some(to.format()).filter(|format| !holds(format)),
        }
    }

    pub fn takes_lines(&self) -> bool {
        matches!(self, Self::Lines { .. })
    }

    pub fn write(&mut self, made: &Made) -> Result<()> {
        match self {
            Self::Lines { to, place } => to.write_all(&made.lines).map_err(Error::writing(&*place)),
            Self::Samples(to) => Ok(made.samples.iter().try_for_each(|sample| to.write(sample))?),
        }
    }

    pub fn finish(self) -> Result<()> {
        match self {
            Self::Lines { to, .. } => Ok(to.finish()?),
            Self::Samples(to) => Ok(to.finish()?),
        }
    }
}

impl Keepable for Out {
    fn can_be_kept(&mut self) -> bool {
        match self {
            Self::Lines { to, .. } => to.can_be_kept(),
            Self::Samples(to) => to.can_be_kept(),
        }
    }

    fn end_row(&mut self) -> Result<bool> {
        match self {
            Self::Lines { to, .. } => Keepable::end_row(to),
            Self::Samples(to) => Keepable::end_row(&mut **to),
        }
    }

    fn keep(&mut self, journal: &mut Journal) -> Result<()> {
        match self {
            Self::Lines { to, .. } => Keepable::keep(to, journal),
            Self::Samples(to) => Keepable::keep(&mut **to, journal),
        }
    }
}

/// Whether the data set itself is written, whose rows say nothing about changes.
pub fn is_data_set(path: Option<&Path>, shape: Option<&Shape>, rows: Rows) -> bool {
    format(path, shape, rows).is_some()
}

/// The format of the data set itself; `None` for JSON lines that say what happened.
fn format(path: Option<&Path>, shape: Option<&Shape>, rows: Rows) -> Option<Format> {
    let name = path?.to_string_lossy();
    let by_name = Format::of_name(&name);
    if by_name == Some(Format::Jsonl) && rows == Rows::Trails {
        return None;
    }
    let format = shape.and_then(|shape| shape.format_of(&name)).or(by_name);
    // A data set of JSON lines under another ending says what happened as well.
    format.filter(|format| by_name.is_some() || *format != Format::Jsonl || rows != Rows::Trails)
}

fn place(path: Option<&Path>) -> String {
    path.map_or_else(|| "standard output".into(), |path| path.display().to_string())
}
