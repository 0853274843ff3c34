//! A fixed list of words, each with a number, found by hashing.

/// Words in one string; the number of a word is its place in the list.
#[derive(Debug, Clone, Default)]
pub struct Words {
    text: String,
    /// Where each word ends in `text`.
    ends: Vec<u32>,
    /// An open-addressed hash table of word numbers, at most half full, each with a part of the hash of its word: a word
    /// that is not in the list is found out without a look at any other.
    slots: Vec<(u32, u32)>,
}

const EMPTY: u32 = u32::MAX;

impl Words {
    /// Nothing if an end is no character boundary, is past the text, or is before the end of the word before.
    pub(crate) fn new(text: String, ends: Vec<u32>) -> Option<Words> {
        let sound = ends.is_sorted() && ends.iter().all(|end| text.is_char_boundary(*end as usize));
        if !sound || ends.len() >= EMPTY as usize / 2 {
            return None;
        }
        let size = (ends.len() * 2).next_power_of_two();
        let mut words = Words { text, ends, slots: vec![(EMPTY, 0); size] };
        for id in 0..words.ends.len() as u32 {
            let (slot, mark) = words.slot(words.get(id));
            if words.slots[slot].0 == EMPTY {
                words.slots[slot] = (id, mark);
            }
        }
        Some(words)
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The word of that number; the empty word if there is none.
    #[inline]
    pub fn get(&self, id: u32) -> &str {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends.get(id - 1).copied().unwrap_or(0) };
        match self.ends.get(id) {
            Some(end) => &self.text[start as usize..*end as usize],
            None => "",
        }
    }

    /// The number of a word.
    #[inline]
    pub fn find(&self, word: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let (id, _) = self.slots[self.slot(word).0];
        (id != EMPTY).then_some(id)
    }

    /// All words, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| self.get(id))
    }

    /// The slot that holds `word`, or the empty one where it would go; and the part of its hash that is kept there.
    #[inline]
    fn slot(&self, word: &str) -> (usize, u32) {
        let mask = self.slots.len() - 1;
        let hash = hash(word.as_bytes());
        let mark = (hash >> 32) as u32;
        let mut slot = hash as usize & mask;
        loop {
            let (id, other) = self.slots[slot];
            if id == EMPTY || (other == mark && self.get(id) == word) {
                return (slot, mark);
            }
            slot = (slot + 1) & mask;
        }
    }
}

/// Eight bytes at a time, multiplied and folded; the same on every machine.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let product = u128::from(hash ^ eight(chunk)) * u128::from(ODD);
        hash = (product as u64) ^ (product >> 64) as u64;
    }
    hash ^ (hash >> 29)
}

/// Up to eight bytes as one number, the first the lowest, zeros if there are none.
///
/// The bytes of a word end anywhere, and to copy so few of them costs more than all that is done with them: so they are
/// read as two halves that may overlap, which a number does not mind.
#[inline]
fn eight(bytes: &[u8]) -> u64 {
    let length = bytes.len().min(8);
    if let (Some(first), Some(last)) = (bytes[..length].first_chunk(), bytes[..length].last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) | u64::from(last) << (8 * (length - 4));
    }
    let Some(last) = length.checked_sub(1) else { return 0 };
    let at = |place: usize| u64::from(bytes[place]) << (8 * place);
    at(0) | at(length / 2) | at(last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_byte_is_the_lowest(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
            let expected = bytes.iter().take(8).rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
            prop_assert_eq!(eight(&bytes), expected);
        }
    }
}
