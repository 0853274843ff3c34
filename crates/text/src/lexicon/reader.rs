//! Reads a table.

use super::{LexiconError, MAGIC, Words};
use std::io::Read;

/// An unpacked table, read from its start to its end.
pub struct Reader {
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    /// Unpacks what [`Writer::finish`](super::Writer::finish) gave.
    pub fn new(table: &[u8]) -> Result<Reader, LexiconError> {
        let mut bytes = Vec::new();
        flate2::read::ZlibDecoder::new(table)
            .read_to_end(&mut bytes)
            .map_err(|error| LexiconError::Compression(error.to_string()))?;
        if !bytes.starts_with(MAGIC) {
            bytes.truncate(MAGIC.len());
            return Err(LexiconError::Magic(bytes));
        }
        Ok(Reader { bytes, at: MAGIC.len() })
    }

    /// One number.
    #[inline]
    pub fn number(&mut self) -> Result<u64, LexiconError> {
        // Most numbers are small.
        if let Some(byte) = self.bytes.get(self.at).filter(|byte| **byte < 0x80) {
            self.at += 1;
            return Ok(u64::from(*byte));
        }
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or_else(|| self.damaged("it ends in a number"))?;
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.damaged("a number has more than 64 bits"))
    }

    /// One number of at most 32 bits.
    #[inline]
    pub fn number32(&mut self) -> Result<u32, LexiconError> {
        u32::try_from(self.number()?).map_err(|_| self.damaged("a number has more than 32 bits"))
    }

    /// A number below `limit`: an index into something that has `limit` items.
    pub fn index(&mut self, limit: usize) -> Result<u32, LexiconError> {
        let index = self.number32()?;
        if (index as usize) < limit { Ok(index) } else { Err(self.damaged("an index points past the end of its list")) }
    }

    /// A number that may be below zero.
    pub fn signed(&mut self) -> Result<i64, LexiconError> {
        self.number().map(|value| (value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The count of what follows; each item takes a byte at least, so a count beyond the end is damage.
    pub fn count(&mut self) -> Result<usize, LexiconError> {
        let count = self.number()?;
        let left = self.bytes.len() - self.at;
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= left)
            .ok_or_else(|| self.damaged("a list is longer than the table"))
    }

    /// A list of numbers.
    pub fn numbers(&mut self) -> Result<Vec<u32>, LexiconError> {
        let count = self.count()?;
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            numbers.push(self.number32()?);
        }
        Ok(numbers)
    }

    /// A run of bytes.
    pub fn bytes(&mut self) -> Result<&[u8], LexiconError> {
        let count = self.count()?;
        let start = self.at;
        self.at += count;
        Ok(&self.bytes[start..self.at])
    }

    /// A list of words.
    pub fn words(&mut self) -> Result<Words, LexiconError> {
        let shared = self.numbers()?;
        let lengths: Vec<u32> = shared.iter().map(|_| self.number32()).collect::<Result<_, _>>()?;
        let start = self.at;
        let rest = self.bytes()?;
        let (mut text, mut ends) = (Vec::with_capacity(rest.len() * 3), Vec::with_capacity(shared.len()));
        let (mut from, mut last) = (0, 0);
        let damaged = |what| LexiconError::Damaged { at: start, what };
        for (shared, length) in shared.into_iter().zip(lengths) {
            let (shared, length) = (shared as usize, length as usize);
            let end = text.len();
            let new = rest.get(from..from + length).ok_or_else(|| damaged("a word is longer than the list"))?;
            if shared > end - last {
                return Err(damaged("a word shares more with the word before than that word has"));
            }
            text.extend_from_within(last..last + shared);
            text.extend_from_slice(new);
            ends.push(u32::try_from(text.len()).map_err(|_| damaged("the words are too many"))?);
            (from, last) = (from + length, end);
        }
        let text = String::from_utf8(text).map_err(|_| damaged("the words are not UTF-8"))?;
        Words::new(text, ends).ok_or_else(|| damaged("a word ends within a character"))
    }

    /// The mistake of the table where the reader stands.
    pub fn damaged(&self, what: &'static str) -> LexiconError {
        LexiconError::Damaged { at: self.at, what }
    }

    /// Whether everything was read: what a loader asks last.
    pub fn finish(self) -> Result<(), LexiconError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.damaged("there is more than was asked for")) }
    }
}
