//! What the tests share: where the real files are, and reading and writing in memory.

use std::io::Cursor;
use std::path::PathBuf;

use crate::entry::Shelf;
use fissure_core::Sample;
use fissure_data::{Columns, Error, Format, ReadOptions, Samples, Writer};

/// A real file, or `None`, loudly, where the folder of shared data is absent.
pub fn shared(file: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is not here, so nothing was checked against it", path.display());
    None
}

pub fn options(task: &str, columns: &str) -> ReadOptions {
    let mut options = ReadOptions::new(fissure_tasks::find(task).unwrap());
    if !columns.is_empty() {
        options.columns = Columns::parse(columns).unwrap();
    }
    options
}

pub fn read_file(path: &PathBuf, options: ReadOptions) -> Vec<Sample> {
    Samples::open([path], options).unwrap().collect::<Result<_, _>>().unwrap()
}

pub fn try_read(name: &str, bytes: impl Into<Vec<u8>>, options: ReadOptions) -> Result<Vec<Sample>, Error> {
    Samples::of_bytes(name, Cursor::new(bytes.into()), options)?.collect()
}

pub fn read(name: &str, bytes: impl Into<Vec<u8>>, options: ReadOptions) -> Vec<Sample> {
    try_read(name, bytes, options).unwrap()
}

/// The samples in a format, in memory.
pub fn written(samples: &[Sample], format: Format, task: &str) -> Vec<u8> {
    let shelf = Shelf::default();
    let mut writer = Writer::of(shelf.clone(), format, fissure_tasks::find(task).unwrap());
    for sample in samples {
        writer.write(sample).unwrap();
    }
    writer.finish().unwrap();
    let bytes = shelf.0.lock().unwrap();
    bytes.clone()
}
