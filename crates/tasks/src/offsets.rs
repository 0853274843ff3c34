//! Between the characters that other tools count and the bytes that we count.

use fissure_core::Span;

/// The byte at which each character of a text starts.
#[derive(Debug)]
pub(crate) struct Offsets {
    /// Empty for ASCII, where characters are bytes.
    starts: Vec<usize>,
    length: usize,
}

impl Offsets {
    pub fn new(text: &str) -> Self {
        let starts = if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(at, _)| at).collect() };
        Self { starts, length: text.len() }
    }

    /// The byte at which character number `at` starts; the end of the text for the number of characters.
    pub fn byte(&self, at: usize) -> Option<usize> {
        match self.starts.get(at) {
            Some(byte) => Some(*byte),
            None if self.starts.is_empty() => (at <= self.length).then_some(at),
            None => (at == self.starts.len()).then_some(self.length),
        }
    }

    /// The number of characters before byte `at`.
    pub fn character(&self, at: usize) -> usize {
        if self.starts.is_empty() { at } else { self.starts.partition_point(|start| *start < at) }
    }

    /// The bytes of the characters from `start` up to `end`.
    pub fn span(&self, start: usize, end: usize) -> Option<Span> {
        let (start, end) = (self.byte(start)?, self.byte(end)?);
        (start <= end).then_some(Span::new(start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_bytes_agree_both_ways() {
        for text in ["", "plain", "naïve 👩‍👩‍👧 שלום"] {
            let offsets = Offsets::new(text);
            let count = text.chars().count();
            for (character, (byte, _)) in text.char_indices().enumerate() {
                assert_eq!((offsets.byte(character), offsets.character(byte)), (Some(byte), character));
            }
            assert_eq!((offsets.byte(count), offsets.byte(count + 1)), (Some(text.len()), None));
            assert_eq!(offsets.character(text.len()), count);
        }
    }
}
