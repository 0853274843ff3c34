//! What the taggers see of a word: hashes of its form, its ends, its pattern of letters, and of words that are used alike.

use crate::clusters;
use crate::perceptron::{Hash, SEED, extend, mix};

/// The view of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WordFeatures {
    /// The word as written.
    pub form: Hash,
    /// In lower case.
    pub lower: Hash,
    /// The last one to four characters, in lower case; shorter words count whole.
    pub suffixes: [Hash; 4],
    /// The first one to three.
    pub prefixes: [Hash; 3],
    /// The pattern of capitals, lower-case letters, digits and signs, each run once: `Xx` for `Paris`, `d.d` for `3.5`.
    pub pattern: Hash,
    /// The fine and the coarse group of words that are used alike; zero for words that are in none.
    pub clusters: [Hash; 2],
    pub capital: bool,
    /// Whether it has neither a capital nor a digit.
    pub small: bool,
}

impl WordFeatures {
    /// Beyond the first or the last word of a sentence.
    pub const EDGE: Self = {
        let edge = Hash(0x00ed_0000);
        Self {
            form: edge,
            lower: edge,
            suffixes: [edge; 4],
            prefixes: [edge; 3],
            pattern: edge,
            clusters: [edge; 2],
            capital: false,
            small: true,
        }
    };

    pub fn of(word: &str) -> Self {
        // Bytes of the word in lower case, with one place too many for what comes before them.
        let mut buffer = [0_u8; LONGEST];
        let owned;
        let lower: &[u8] = if word.is_ascii() && word.len() <= LONGEST {
            let buffer = &mut buffer[..word.len()];
            buffer.copy_from_slice(word.as_bytes());
            buffer.make_ascii_lowercase();
            buffer
        } else {
            owned = word.to_lowercase();
            owned.as_bytes()
        };
        let mut look = Self {
            form: word.bytes().fold(Hash(SEED), extend),
            pattern: pattern(word),
            capital: word.chars().next().is_some_and(char::is_uppercase),
            small: !word.chars().any(|c| c.is_uppercase() || c.is_numeric()),
            ..Self::default()
        };
        let mut hash = Hash(SEED);
        let mut characters = 0;
        for (at, byte) in lower.iter().enumerate() {
            hash = extend(hash, *byte);
            if is_last_byte_of_char(lower, at) && characters < look.prefixes.len() {
                look.prefixes[characters..].fill(hash);
                characters += 1;
            }
        }
        look.lower = hash;
        hash = Hash(SEED);
        characters = 0;
        for byte in lower.iter().rev() {
            hash = extend(hash, *byte);
            // Going backwards, a character is complete at its first byte.
            if !is_inner_byte(*byte) {
                look.suffixes[characters..].fill(hash);
                characters += 1;
                if characters == look.suffixes.len() {
                    break;
                }
            }
        }
        look.clusters = clusters::of(look.lower);
        look
    }
}

const LONGEST: usize = 64;

fn is_inner_byte(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn is_last_byte_of_char(text: &[u8], at: usize) -> bool {
    text.get(at + 1).is_none_or(|next| !is_inner_byte(*next))
}

fn pattern(word: &str) -> Hash {
    let mut hash = Hash(SEED);
    let mut last = 0;
    for c in word.chars() {
        let kind = if c.is_ascii_lowercase() {
            b'x'
        } else if c.is_ascii_uppercase() {
            b'X'
        } else if c.is_ascii_digit() {
            b'd'
        } else if c.is_ascii() {
            c as u8
        } else if c.is_lowercase() {
            b'x'
        } else if c.is_uppercase() {
            b'X'
        } else if c.is_numeric() {
            b'd'
        } else {
            1
        };
        if kind != last {
            hash = extend(hash, kind);
            last = kind;
        }
    }
    // One capital and a word in capitals look different.
    let long = word.len() > 1 && last == b'X';
    mix(0, hash, Hash(u32::from(long)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_of_words_agree_where_the_words_do() {
        let (paris, parse) = (WordFeatures::of("Paris"), WordFeatures::of("parse"));
        assert_eq!(paris.prefixes, parse.prefixes);
        assert_ne!(paris.suffixes[0], parse.suffixes[0]);
        assert_ne!(paris.pattern, parse.pattern);
        assert_eq!(paris.pattern, WordFeatures::of("Élan").pattern);
        assert_ne!(WordFeatures::of("A").pattern, WordFeatures::of("AB").pattern);
        assert_eq!(WordFeatures::of("PARIS").lower, paris.lower);
        assert_eq!(WordFeatures::of("ÉLAN").lower, WordFeatures::of("élan").lower);
        assert_eq!(WordFeatures::of("xé").suffixes[0], WordFeatures::of("É").suffixes[3]);
        assert_eq!(WordFeatures::of("").form, Hash(SEED));
    }

    #[test]
    fn long_words_look_like_short_ones() {
        let long = "Ab".repeat(1000);
        assert_eq!(WordFeatures::of(&long).lower, WordFeatures::of(&long.to_lowercase()).form);
        assert_eq!(WordFeatures::of(&long).prefixes, WordFeatures::of("aba").prefixes);
    }
}
