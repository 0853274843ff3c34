//! What the tagger sees of a word: itself, two words to either side, and the two tags before it.
//!
//! What it sees of the word itself comes first, because that can be worked out once and remembered.

use super::Tag;
use crate::perceptron::{Hash, mix};
use crate::word_features::WordFeatures;

/// Collects all features of the word at `at`; `before` are the tags of the words before it.
pub fn collect(sentence: &[WordFeatures], before: &[Tag], at: usize, found: &mut Vec<Hash>) {
    found.clear();
    found.extend(own(&sentence[at], at == 0));
    found.extend(around(sentence, before, at));
}

/// What the word shows by itself, and whether it is the first of its sentence.
pub fn own(word: &WordFeatures, first: bool) -> [Hash; 13] {
    let none = Hash::default();
    let first = Hash(u32::from(first));
    [
        mix(1, none, none),
        mix(2, word.form, first),
        mix(3, word.lower, none),
        mix(4, word.suffixes[0], word.pattern),
        mix(5, word.suffixes[1], none),
        mix(6, word.suffixes[2], none),
        mix(7, word.suffixes[3], none),
        mix(8, word.prefixes[0], none),
        mix(9, word.prefixes[1], none),
        mix(10, word.prefixes[2], none),
        mix(11, word.pattern, first),
        mix(28, word.clusters[0], none),
        mix(33, word.clusters[1], word.pattern),
    ]
}

/// What stands around the word at `at`, and how the word goes with it.
pub fn around(sentence: &[WordFeatures], before: &[Tag], at: usize) -> [Hash; 23] {
    let look =
        |offset: isize| at.checked_add_signed(offset).and_then(|at| sentence.get(at)).unwrap_or(&WordFeatures::EDGE);
    let tag = |back: usize| before.len().checked_sub(back).map_or(Hash::default(), |at| before[at].hash());
    let (word, previous, next) = (look(0), look(-1), look(1));
    let (second_previous, second_next) = (look(-2), look(2));
    let [last, second_last] = [tag(1), tag(2)];
    let none = Hash::default();
    [
        mix(12, last, none),
        mix(13, second_last, last),
        mix(14, last, word.lower),
        mix(15, previous.lower, none),
        mix(16, previous.lower, word.lower),
        mix(17, second_previous.lower, none),
        mix(18, next.lower, none),
        mix(19, word.lower, next.lower),
        mix(20, second_next.lower, none),
        mix(21, previous.suffixes[2], none),
        mix(22, next.suffixes[2], none),
        mix(23, previous.pattern, word.pattern),
        mix(24, word.pattern, next.pattern),
        mix(25, previous.lower, next.lower),
        mix(26, last, word.suffixes[2]),
        mix(27, next.suffixes[1], word.suffixes[1]),
        mix(29, last, word.clusters[0]),
        mix(30, last, next.clusters[0]),
        mix(31, word.clusters[0], next.clusters[0]),
        mix(32, previous.clusters[0], word.clusters[0]),
        mix(34, word.lower, next.clusters[1]),
        mix(35, mix(0, second_last, last), word.lower),
        mix(36, word.suffixes[2], next.clusters[0]),
    ]
}
