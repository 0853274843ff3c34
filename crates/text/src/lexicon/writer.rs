//! Writes a table.

use super::MAGIC;
use std::io::Write;

/// A table as it is written; numbers are variable in length, so small ones are cheap.
pub struct Writer {
    bytes: Vec<u8>,
}

impl Default for Writer {
    fn default() -> Self {
        Writer { bytes: MAGIC.to_vec() }
    }
}

impl Writer {
    /// Seven bits to a byte, the lowest first.
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// A count, then that many numbers.
    pub fn numbers(&mut self, values: impl ExactSizeIterator<Item = u64>) {
        self.number(values.len() as u64);
        values.for_each(|value| self.number(value));
    }

    /// A number that may be below zero.
    pub fn signed(&mut self, value: i64) {
        self.number(((value << 1) ^ (value >> 63)) as u64);
    }

    /// A count, then the bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// A list of words. It must be sorted by bytes, without repetition: each word is stored as the length it shares with
    /// the word before and the bytes that differ.
    pub fn words<W: AsRef<str>>(&mut self, words: &[W]) {
        assert!(words.is_sorted_by(|one, other| one.as_ref() < other.as_ref()), "words must be sorted, each once");
        let (mut shared, mut lengths, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        let mut last: &[u8] = &[];
        for word in words {
            let word = word.as_ref().as_bytes();
            let same = word.iter().zip(last).take_while(|(one, other)| one == other).count();
            shared.push(same as u64);
            lengths.push((word.len() - same) as u64);
            rest.extend_from_slice(&word[same..]);
            last = word;
        }
        self.numbers(shared.into_iter());
        lengths.into_iter().for_each(|length| self.number(length));
        self.bytes(&rest);
    }

    /// The finished, compressed table.
    pub fn finish(self) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&self.bytes).and_then(|()| encoder.finish()).expect("writing to memory does not fail")
    }
}
