//! The words of Chinese with their counts and what they mostly are, and the likeliest way to cut a text into them.

use std::sync::OnceLock;

use super::table::table;
use crate::lexicon::{LexiconError, Reader, Words};

/// The longest word that is looked up, in characters.
pub(super) const LONGEST: usize = 6;

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
}

/// What is known about a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
        Ok(Self { words, weights, tags, names, total })
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
        assert!(words().is_sorted());
    }
}
