//! The cut into words for texts that are all ASCII: the same, with 64 bytes looked at together.

use crate::Span;

/// Which bytes of a text are letters or digits.
#[derive(Debug, Clone)]
pub(super) struct Letters<'a> {
    bytes: &'a [u8],
    /// Where the 64 bytes of `block` start.
    start: usize,
    /// One bit a byte, the lowest for the first.
    block: u64,
}

impl<'a> Letters<'a> {
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, start: 0, block: block_at(bytes, 0) }
    }

    /// The first word from `at` on.
    #[inline]
    pub fn word_from(&mut self, at: usize) -> Option<Span> {
        let start = self.letter_from(at)?;
        let mut end = self.end_from(start);
        while let [b'\'', next, ..] = &self.bytes[end..]
            && next.is_ascii_alphanumeric()
        {
            end = self.end_from(end + 1);
        }
        Some(Span::new(start, end))
    }

    #[inline]
    fn letter_from(&mut self, mut at: usize) -> Option<usize> {
        while at < self.bytes.len() {
            match self.bits_from(at) {
                0 => at = (at | 63) + 1,
                bits => return Some(at + bits.trailing_zeros() as usize),
            }
        }
        None
    }

    /// Where the letters from `at` on end.
    #[inline]
    fn end_from(&mut self, mut at: usize) -> usize {
        while at < self.bytes.len() {
            let run = self.bits_from(at).trailing_ones() as usize;
            let left = 64 - at % 64;
            at += run;
            if run < left {
                break;
            }
        }
        at
    }

    /// A bit for each byte from `at` to the end of its block, the lowest for `at`.
    #[inline]
    fn bits_from(&mut self, at: usize) -> u64 {
        if at - at % 64 != self.start {
            self.start = at - at % 64;
            self.block = block_at(self.bytes, self.start);
        }
        self.block >> (at % 64)
    }
}

/// A bit for each of the 64 bytes from `start` on that is a letter or a digit; none past the end.
fn block_at(bytes: &[u8], start: usize) -> u64 {
    let rest = &bytes[start.min(bytes.len())..];
    let mut padded = [0; 64];
    let block = rest.first_chunk().unwrap_or_else(|| {
        padded[..rest.len()].copy_from_slice(rest);
        &padded
    });
    let (eights, _) = block.as_chunks();
    eights.iter().rev().fold(0, |bits, eight| bits << 8 | letters_of(u64::from_le_bytes(*eight)))
}

/// A bit for each of eight ASCII bytes that is a letter or a digit.
fn letters_of(eight: u64) -> u64 {
    // ASCII leaves the top bit of a byte free, so a sum that carries into it compares eight bytes at once.
    let all = |byte: u8| u64::from_le_bytes([byte; 8]);
    let between = |bytes: u64, low: u8, high: u8| (bytes + all(0x80 - low)) & !(bytes + all(0x7f - high));
    let tops = (between(eight | all(0x20), b'a', b'z') | between(eight, b'0', b'9')) & all(0x80);
    // The top bits, one in eight, gathered into the top byte.
    (tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}
