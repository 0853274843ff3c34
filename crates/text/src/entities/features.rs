//! What the entity tagger sees of a word: itself, two words to either side, their tags, and the marks before it.
//!
//! What it sees of the word itself comes first, because that can be worked out once and remembered.

use super::Mark;
use crate::perceptron::{Hash, mix};
use crate::tags::Tag;
use crate::word_features::WordFeatures;

/// Collects all features of the word at `at`; `before` are the marks of the words before it.
pub fn collect(looks: &[WordFeatures], tags: &[Tag], before: &[Mark], at: usize, found: &mut Vec<Hash>) {
    found.clear();
    found.extend(own(&looks[at], tags[at], at == 0));
    found.extend(around(looks, |at| tags.get(at).copied(), before, at));
}

/// What the word shows by itself and by its tag, and whether it is the first of its sentence.
pub fn own(word: &WordFeatures, tag: Tag, first: bool) -> [Hash; 10] {
    let none = Hash::default();
    let (this_tag, first) = (tag.hash(), Hash(u32::from(first)));
    [
        mix(201, none, none),
        mix(202, word.form, none),
        mix(203, word.lower, this_tag),
        mix(204, word.suffixes[2], word.pattern),
        mix(205, word.suffixes[3], none),
        mix(206, word.prefixes[2], word.pattern),
        mix(207, word.pattern, first),
        mix(208, this_tag, word.pattern),
        mix(226, word.clusters[0], word.pattern),
        mix(227, word.clusters[1], word.pattern),
    ]
}

/// What stands around the word at `at`, and how the word goes with it.
pub fn around(looks: &[WordFeatures], tag_of: impl Fn(usize) -> Option<Tag>, before: &[Mark], at: usize) -> [Hash; 30] {
    let place = |offset: isize| at.checked_add_signed(offset);
    let look = |offset: isize| place(offset).and_then(|at| looks.get(at)).unwrap_or(&WordFeatures::EDGE);
    let tag = |offset: isize| place(offset).and_then(&tag_of).map_or(Hash::default(), Tag::hash);
    let mark = |back: usize| before.len().checked_sub(back).map_or(Hash(9), |at| Hash(u32::from(before[at].code())));
    let (word, previous, next) = (look(0), look(-1), look(1));
    let (second_previous, second_next) = (look(-2), look(2));
    let (this_tag, previous_tag, next_tag) = (tag(0), tag(-1), tag(1));
    let [last, second_last] = [mark(1), mark(2)];
    let none = Hash::default();
    let pair = |a: Hash, b: Hash| mix(0, a, b);
    [
        mix(209, last, none),
        mix(210, second_last, last),
        mix(211, last, word.lower),
        mix(212, last, this_tag),
        mix(213, last, pair(word.pattern, previous.lower)),
        mix(214, previous.lower, none),
        mix(215, previous.lower, word.lower),
        mix(216, previous.lower, word.pattern),
        mix(217, second_previous.lower, word.pattern),
        mix(218, next.lower, none),
        mix(219, word.lower, next.lower),
        mix(220, next.lower, word.pattern),
        mix(221, second_next.lower, word.pattern),
        mix(222, pair(previous.pattern, word.pattern), next.pattern),
        mix(223, pair(previous_tag, this_tag), next_tag),
        mix(224, previous_tag, word.pattern),
        mix(225, next_tag, word.pattern),
        mix(228, last, word.clusters[0]),
        mix(229, previous.clusters[0], word.clusters[0]),
        mix(230, word.clusters[0], next.clusters[0]),
        mix(231, previous.clusters[0], word.pattern),
        mix(232, next.clusters[0], word.pattern),
        mix(233, pair(previous.clusters[1], word.clusters[1]), next.clusters[1]),
        mix(234, pair(second_previous.lower, previous.lower), word.pattern),
        mix(235, pair(next.lower, second_next.lower), word.pattern),
        mix(236, second_next.clusters[1], word.clusters[0]),
        mix(237, second_previous.clusters[1], word.clusters[0]),
        mix(238, last, next.clusters[0]),
        mix(239, pair(last, word.clusters[1]), next.pattern),
        mix(240, last, pair(word.form, next.pattern)),
    ]
}
