//! The shelf: the file in which the basket is saved. It is what an export is, so that every other
//! command reads it too.

use std::io;
use std::path::{Path, PathBuf};

use fissure_core::Sample;
use fissure_data::{Columns, Existing, Format, ReadOptions, Samples, draft};
use serde_json::Value;

use super::{Basket, COLUMN, Kept, MOST, written};
use crate::session::{Session, Setup};
use crate::{Error, Result};

/// Where the basket is kept.
#[derive(Debug, Clone)]
pub struct Shelf {
    pub file: PathBuf,
    /// Which column is what, as in the data: what is written has their shape.
    pub columns: Columns,
}

impl Shelf {
    /// Its name without the folders, which a page should not show.
    pub fn name(&self) -> String {
        self.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    fn format(&self) -> Format {
        Format::of_name(&self.file.to_string_lossy()).unwrap_or(Format::Jsonl)
    }
}

impl Basket {
    /// What lies on the shelf; an empty basket if there is none, or nothing on it yet.
    pub fn open(setup: &Setup) -> Result<Self> {
        let Some(shelf) = &setup.shelf else { return Ok(Self::default()) };
        if !shelf.file.exists() {
            // Reported now, not after an hour's work.
            save(&shelf.file, &[])?;
            return Ok(Self::default());
        }
        if std::fs::metadata(&shelf.file).is_ok_and(|found| found.len() == 0) {
            return Ok(Self::default());
        }
        let options = ReadOptions {
            unlabelled: true,
            columns: shelf.columns.clone(),
            format: Some(shelf.format()),
            ..ReadOptions::new(setup.task)
        };
        let samples = Samples::open([&shelf.file], options)?.batch(MOST)?;
        let kept = samples.into_iter().enumerate().map(|(at, sample)| {
            let number = at + 1;
            remembered(setup, number, sample).ok_or_else(|| Error::NoBasket { file: shelf.file.clone(), row: number })
        });
        Ok(Self { kept: kept.collect::<Result<_>>()?, unsaved: 0 })
    }
}

impl Session {
    /// Puts the basket as it is now on the shelf, if there is one.
    pub fn shelve(&self, basket: &mut Basket) -> Result<()> {
        let Some(shelf) = &self.setup.shelf else { return Ok(()) };
        save(&shelf.file, &written(self.setup.task, &basket.kept, shelf.format())?)?;
        basket.unsaved = 0;
        Ok(())
    }
}

/// An example as it was kept another time; `None` if nothing says so.
fn remembered(setup: &Setup, number: usize, mut sample: Sample) -> Option<Kept> {
    let (_, story) = sample.extra.iter_mut().find(|(name, _)| **name == *COLUMN)?;
    // In a table it is JSON in a cell.
    if let Value::String(text) = story {
        *story = serde_json::from_str(text).ok()?;
    }
    let text = |name: &str| story.get(name).and_then(Value::as_str).map(str::to_owned);
    let (from, was, is) = (text("from")?, text("answer_before")?, text("answer_after")?);
    let changed = story.get("edits").and_then(Value::as_array).is_some_and(|edits| !edits.is_empty());
    let example = setup.samples.iter().position(|sample| sample.id == from);
    Some(Kept { number, example, flipped: was != is, was, is, changed, sample })
}

/// After a power cut there is the old file or the new one.
fn save(file: &Path, bytes: &[u8]) -> Result<()> {
    draft::write(file, bytes, Existing::Replace).map_err(|error| {
        let source = match error {
            fissure_data::Error::Write { why, .. } => why,
            _ => io::Error::other("another process is writing it"),
        };
        Error::Shelf { file: file.to_owned(), source }
    })
}
