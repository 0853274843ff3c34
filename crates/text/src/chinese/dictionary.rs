//! The words of Chinese with their counts and what they mostly are, and the likeliest way to cut a text into them.

use std::sync::OnceLock;

use super::table::table;
use crate::lexicon::{LexiconError, Reader, Words};
use crate::perceptron::{Hash, mix};

/// The longest word that is looked up, in characters.
pub(super) const LONGEST: usize = 6;

/// The basic block of Chinese characters.
const FIRST: usize = 0x4e00;
const BLOCK: usize = 0x5200;

/// The place of a character in the basic block; beyond its end for others.
#[inline]
fn place(c: char) -> usize {
    (c as usize).wrapping_sub(FIRST)
}

/// How many bits the hash of two characters has.
const PAIR_BITS: u32 = 18;

#[inline]
fn pair(one: char, other: char) -> usize {
    mix(0, Hash(one as u32), Hash(other as u32)).bucket(PAIR_BITS)
}

/// A list of words. `cargo xtask lexicons` makes it.
#[derive(Debug, Default)]
pub struct Dictionary {
    words: Words,
    /// For each word, ten times the natural logarithm of its count.
    weights: Vec<u8>,
    /// For each word, the number of its tag.
    tags: Vec<u8>,
    /// The tags, as the source of the list has them: `n`, `nr`, `v`.
    names: Vec<Box<str>>,
    /// As `weights`, of all words together.
    total: i32,
    /// For the characters of the basic block, what is known about them as words; a tag of 0 if nothing.
    singles: Vec<Known>,
    /// For each hash of two characters, the length of the longest word that begins with them, or with two others of the same
    /// hash. Most stretches begin no long word, and a look-up in the list itself mostly waits for memory.
    longest: Vec<u8>,
}

/// What is known about a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Known {
    pub weight: u8,
    /// At least 1.
    pub tag: u8,
}

impl Dictionary {
    fn read(table: &[u8]) -> Result<Self, LexiconError> {
        let mut reader = Reader::new(table)?;
        let names = reader.words()?.iter().map(Box::from).collect();
        let total = reader.number32()? as i32;
        let words = reader.words()?;
        let weights = reader.bytes()?.to_vec();
        let tags = reader.bytes()?.to_vec();
        if weights.len() != words.len() || tags.len() != words.len() {
            return Err(reader.damaged("the counts are not as many as the words"));
        }
        reader.finish()?;
        let (singles, longest) = (vec![Known::default(); BLOCK], vec![1; 1 << PAIR_BITS]);
        let mut dictionary = Self { words, weights, tags, names, total, singles, longest };
        for at in 0..dictionary.words.len() {
            let known = Known { weight: dictionary.weights[at], tag: dictionary.tags[at] + 1 };
            let mut characters = dictionary.words.get(at as u32).chars();
            match (characters.next(), characters.next()) {
                (Some(only), None) => {
                    dictionary.singles.get_mut(place(only)).into_iter().for_each(|place| *place = known);
                }
                (Some(one), Some(other)) => {
                    let longest = &mut dictionary.longest[pair(one, other)];
                    *longest = (*longest).max((2 + characters.count()).min(LONGEST) as u8);
                }
                (None, _) => {}
            }
        }
        Ok(dictionary)
    }

    /// What is known about a character as a word.
    #[inline]
    pub(super) fn single(&self, c: char) -> Option<Known> {
        match self.singles.get(place(c)) {
            Some(known) => Some(*known).filter(|known| known.tag > 0),
            None => self.find(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// A length, in characters, that no word exceeds that begins with these two.
    #[inline]
    pub(super) fn longest(&self, one: char, other: char) -> usize {
        self.longest.get(pair(one, other)).map_or(1, |longest| usize::from(*longest))
    }

    #[inline]
    pub(super) fn find(&self, word: &str) -> Option<Known> {
        let at = self.words.find(word)? as usize;
        Some(Known { weight: self.weights[at], tag: self.tags[at] + 1 })
    }

    /// What a word costs that is in the list with this weight.
    pub(super) fn cost(&self, weight: u8) -> i32 {
        self.total - i32::from(weight)
    }

    pub(super) fn tag_name(&self, tag: u8) -> &str {
        tag.checked_sub(1).and_then(|tag| self.names.get(usize::from(tag))).map_or("", |name| name)
    }
}

/// The list that is part of the program.
pub(crate) fn shipped() -> &'static Dictionary {
    static LOADED: OnceLock<Dictionary> = OnceLock::new();
    LOADED.get_or_init(|| Dictionary::read(table!("chinese_words.bin")).unwrap_or_default())
}

/// Whether the list has this word, in simplified characters.
pub fn has(word: &str) -> bool {
    shipped().words.find(word).is_some()
}

/// About how often the word was met in the texts that the list was counted in; 0 if it is not in the list.
pub fn count(word: &str) -> u32 {
    shipped().find(word).map_or(0, |known| (f64::from(known.weight) / 10.0).exp().round() as u32)
}

/// What the word mostly is: `n` a noun, `v` a verb, `a` an adjective, `d` an adverb, `nr` a person, `ns` a place, and so
/// on; empty for words that are not in the list.
pub fn tag(word: &str) -> &'static str {
    let dictionary = shipped();
    dictionary.find(word).map_or("", |known| dictionary.tag_name(known.tag))
}

/// All words, in the order of their characters.
pub fn words() -> impl Iterator<Item = &'static str> {
    shipped().words.iter()
}

#[cfg(all(test, feature = "chinese"))]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_with_counts_and_tags() {
        assert!(has("中国") && has("高兴") && !has("不是词"));
        assert!(count("的") > count("高兴") && count("高兴") > 100);
        assert_eq!((tag("漂亮"), tag("讨论"), tag("北京"), tag("𠮷")), ("a", "v", "ns", ""));
        assert!(words().count() > 100_000);
        let dictionary = shipped();
        for word in words() {
            let characters: Vec<char> = word.chars().collect();
            match characters[..] {
                [only] => assert_eq!(dictionary.single(only), dictionary.find(word), "{word}"),
                [one, other, ..] => {
                    assert!(dictionary.longest(one, other) >= characters.len().min(LONGEST), "{word}");
                }
                [] => {}
            }
        }
        assert_eq!((dictionary.single('𠮷'), dictionary.single('龘')), (None, None));
        // The other way: most pairs begin nothing.
        assert!(dictionary.longest.iter().filter(|longest| **longest == 1).count() > dictionary.longest.len() / 2);
        assert!(words().is_sorted());
    }
}
