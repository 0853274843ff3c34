//! Where the result goes: JSON lines that say what happened, or the data set itself in a format of the user's.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use fissure_data::{Format, Layout, Output, Writer};

use super::line::Made;
use crate::{Error, Result};

pub enum Out {
    Lines { to: Output, place: String },
    Samples(Writer),
}

impl Out {
    /// By the ending of the file: JSON lines unless it says otherwise.
    pub fn create(path: Option<&Path>, layout: &'static Layout) -> Result<Self> {
        let place = path.map_or_else(|| "standard output".into(), |path| path.display().to_string());
        match path.and_then(|path| Format::of_name(&path.to_string_lossy())) {
            None | Some(Format::Jsonl) => {
                let path = path.map_or_else(|| PathBuf::from("-"), Path::to_owned);
                Ok(Self::Lines { to: Output::create(&path).map_err(Error::writing(&place))?, place })
            }
            Some(format) => Ok(Self::Samples(Writer::create(Path::new(&place), Some(format), layout)?)),
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
            Self::Lines { to, place } => to.finish().map_err(Error::writing(place)),
            Self::Samples(to) => Ok(to.finish()?),
        }
    }
}
