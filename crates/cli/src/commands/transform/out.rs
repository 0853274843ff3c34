//! Where the result goes: JSON lines that say what happened, or the data set itself in a format of the user's.

use std::io::Write as _;
use std::path::Path;

use fissure_data::{Existing, Format, Journal, LineEnd, Output, Task, Writer};

use super::line::Made;
use crate::commands::resume::Keepable;
use crate::{Error, Result};

pub enum Out {
    Lines { to: Output, place: String },
    Samples(Box<Writer>),
}

impl Out {
    /// By the ending of the file: JSON lines unless it says otherwise.
    pub fn create(path: Option<&Path>, task: &'static Task, existing: Existing) -> Result<Self> {
        let to = path.unwrap_or(Path::new("-"));
        Ok(match format(path) {
            None => Self::Lines { to: Output::create(to, existing)?, place: place(path) },
            Some(format) => Self::Samples(Box::new(Writer::create(to, Some(format), task, existing)?)),
        })
    }

    /// Goes on with a file that was stopped. `None` where nothing was kept.
    pub fn resume(path: &Path, task: &'static Task) -> Result<Option<(Self, Journal)>> {
        Ok(match format(Some(path)) {
            None => {
                let found = Output::resume(path)?;
                found.map(|(to, journal)| (Self::Lines { to, place: place(Some(path)) }, journal))
            }
            Some(format) => {
                let found = Writer::resume(path, Some(format), task)?;
                found.map(|(to, journal)| (Self::Samples(Box::new(to)), journal))
            }
        })
    }

    /// Ends the lines of a data set as the data did that was read.
    pub fn end_lines(&mut self, with: LineEnd) {
        if let Self::Samples(to) = self {
            to.end_lines(with);
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

/// The format of the data set itself; `None` for JSON lines.
fn format(path: Option<&Path>) -> Option<Format> {
    Format::of_name(&path?.to_string_lossy()).filter(|format| *format != Format::Jsonl)
}

fn place(path: Option<&Path>) -> String {
    path.map_or_else(|| "standard output".into(), |path| path.display().to_string())
}
