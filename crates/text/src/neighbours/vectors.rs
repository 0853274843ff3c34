//! Word vectors from a text file: GloVe, word2vec or fastText.

use crate::lexicon::Words;
use std::io::BufRead;

/// Why a file of vectors cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VectorsError {
    /// The file cannot be read.
    #[error("line {line}: the vectors cannot be read: {source}")]
    Read {
        /// Counted from 1.
        line: usize,
        /// What happened.
        source: std::io::Error,
    },
    /// A value is not a number.
    #[error(
        "line {line}: {value:?} is not a finite number; a line is a word and its numbers, with single spaces between them"
    )]
    Value {
        /// Counted from 1.
        line: usize,
        /// What stands there.
        value: String,
    },
    /// A line is too short.
    #[error("line {line}: {word:?} has {found} numbers, and the lines before have {wanted}; is the file cut off?")]
    Width {
        /// Counted from 1.
        line: usize,
        /// The beginning of the line.
        word: String,
        /// How many numbers there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// There is no vector.
    #[error("the file has no vectors; a line is a word and its numbers, with single spaces between them")]
    Empty,
    /// The vectors do not fit 32-bit offsets.
    #[error("the file has too many words ({0}); keep the most frequent ones")]
    TooMany(usize),
}

/// Word vectors, all of length 1 (or 0, if the file has only zeros).
pub struct Vectors {
    words: Words,
    width: usize,
    rows: Vec<f32>,
}

impl Vectors {
    /// Reads vectors as text: a word and its numbers to a line, after an optional line with their count and width (as
    /// word2vec and fastText write it). Words may contain spaces. Of a word that comes twice, the first is kept.
    pub fn read(mut reader: impl BufRead) -> Result<Vectors, VectorsError> {
        let (mut text, mut ends, mut rows) = (String::new(), Vec::new(), Vec::new());
        let (mut buffer, mut line, mut width) = (Vec::new(), 0, None);
        loop {
            line += 1;
            buffer.clear();
            let read = reader.read_until(b'\n', &mut buffer).map_err(|source| VectorsError::Read { line, source })?;
            if read == 0 {
                break;
            }
            let content = std::str::from_utf8(&buffer)
                .map_err(|error| VectorsError::Read { line, source: std::io::Error::other(error) })?;
            let content = content.trim_end();
            if content.is_empty() {
                continue;
            }
            if let (1, Some(declared)) = (line, header(content)) {
                width = Some(declared);
                continue;
            }
            let width = *width.get_or_insert_with(|| width_of(content));
            let word = row(content, width, line, &mut rows)?;
            text.push_str(word);
            ends.push(u32::try_from(text.len()).map_err(|_| VectorsError::TooMany(ends.len()))?);
        }
        let width = width.filter(|width| *width > 0 && !ends.is_empty()).ok_or(VectorsError::Empty)?;
        let count = ends.len();
        let words = Words::new(text, ends).ok_or(VectorsError::TooMany(count))?;
        rows.chunks_exact_mut(width).for_each(normalise);
        Ok(Vectors { words, width, rows })
    }

    /// From words and their vectors one after the other, for instance from another file format.
    pub fn new<W: AsRef<str>>(words: &[W], width: usize, mut rows: Vec<f32>) -> Option<Vectors> {
        if width == 0 || rows.len() != words.len() * width || rows.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let (mut text, mut ends) = (String::new(), Vec::new());
        for word in words {
            text.push_str(word.as_ref());
            ends.push(u32::try_from(text.len()).ok()?);
        }
        rows.chunks_exact_mut(width).for_each(normalise);
        Some(Vectors { words: Words::new(text, ends)?, width, rows })
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many numbers a vector has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The word's vector, scaled to length 1.
    pub fn get(&self, word: &str) -> Option<&[f32]> {
        self.words.find(word).map(|id| self.row(id))
    }

    /// The cosine of the angle between two words' vectors.
    pub fn similarity(&self, one: &str, other: &str) -> Option<f32> {
        Some(dot(self.get(one)?, self.get(other)?))
    }

    /// The `count` words nearest to a word, itself left out, the nearest first; of equals the earlier in the file.
    pub fn nearest(&self, word: &str, count: usize) -> Vec<(&str, f32)> {
        let Some(id) = self.words.find(word) else { return Vec::new() };
        let mut near = self.nearest_of(&[id], count.saturating_add(1)).pop().unwrap_or_default();
        near.retain(|(other, _)| *other != id);
        near.truncate(count);
        near.into_iter().map(|(id, likeness)| (self.words.get(id), likeness)).collect()
    }

    /// For each of several words, by their places in the file, the nearest words, itself among them.
    ///
    /// All words are compared with a few rows at a time, so that the rows are read from memory once for all words.
    pub fn nearest_of(&self, words: &[u32], count: usize) -> Vec<Vec<(u32, f32)>> {
        const BLOCK: usize = 256;
        let mut best: Vec<Vec<(u32, f32)>> = vec![Vec::new(); words.len()];
        for (block, rows) in self.rows.chunks(BLOCK * self.width).enumerate() {
            for (word, best) in words.iter().zip(&mut best) {
                let vector = self.row(*word);
                for (at, row) in rows.chunks_exact(self.width).enumerate() {
                    let likeness = dot(vector, row);
                    if best.len() < count || best.last().is_some_and(|(_, worst)| likeness > *worst) {
                        let place = best.partition_point(|(_, other)| *other >= likeness);
                        best.insert(place, ((block * BLOCK + at) as u32, likeness));
                        best.truncate(count);
                    }
                }
            }
        }
        best
    }

    fn row(&self, id: u32) -> &[f32] {
        let start = id as usize * self.width;
        self.rows.get(start..start + self.width).unwrap_or(&[])
    }
}

/// `count width`, two whole numbers and nothing else.
fn header(line: &str) -> Option<usize> {
    let (count, width) = line.split_once(' ')?;
    count.parse::<u64>().ok()?;
    width.parse().ok()
}

/// The numbers at the end of the first line, its word left out; if it ends in none, all that could have been numbers.
fn width_of(line: &str) -> usize {
    let fields = line.split(' ').count() - 1;
    match line.rsplit(' ').take(fields).take_while(|value| value.parse::<f32>().is_ok()).count() {
        0 => fields,
        numbers => numbers,
    }
}

/// Puts the numbers of a line at the end of `rows` and gives its word, which may have spaces in it.
fn row<'a>(line: &'a str, width: usize, number: usize, rows: &mut Vec<f32>) -> Result<&'a str, VectorsError> {
    let start = rows.len();
    let mut rest = line;
    for found in 0..width {
        let Some((before, value)) = rest.rsplit_once(' ') else {
            return Err(VectorsError::Width { line: number, word: rest.to_owned(), found, wanted: width });
        };
        let parsed = value.parse::<f32>().ok().filter(|value| value.is_finite());
        rows.push(parsed.ok_or_else(|| VectorsError::Value { line: number, value: value.to_owned() })?);
        rest = before;
    }
    rows[start..].reverse();
    Ok(rest)
}

fn normalise(row: &mut [f32]) {
    // In double precision and by the largest value first: squares of large numbers overflow.
    let largest = row.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    if largest > 0.0 {
        let sum: f64 = row.iter().map(|value| f64::from(value / largest).powi(2)).sum();
        let length = sum.sqrt();
        row.iter_mut().for_each(|value| *value = (f64::from(*value / largest) / length) as f32);
    }
}

/// Eight sums side by side: the compiler makes vector instructions of them, and the order of addition is fixed.
#[inline]
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (ones, others) = (one.chunks_exact(8), other.chunks_exact(8));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (one, other) in ones.zip(others) {
        for lane in 0..8 {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}
