//! What a Chinese word becomes by a slip: of the ear, of the eye, or of a hand that types pinyin. A slip never makes
//! another word of the dictionary.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use fissure_text::chinese::script::simplified_char;
use fissure_text::chinese::{dictionary, readings, shapes};

use super::chinese::Han;

/// A slip is to a character that is about as common; rarer ones are not offered first by an input method.
const MOST: usize = 5;

/// Characters of one that stand alone and are read alike, which people take for each other. Written for this project.
const ALONE: &[(&str, &[&str])] = &[
    ("的", &["地", "得"]),
    ("地", &["的"]),
    ("得", &["的"]),
    ("在", &["再"]),
    ("再", &["在"]),
    ("做", &["作"]),
    ("作", &["做"]),
    ("已", &["以"]),
    ("以", &["已"]),
    ("坐", &["座"]),
    ("像", &["象"]),
    ("象", &["像"]),
    ("吗", &["嘛"]),
    ("带", &["戴"]),
    ("戴", &["带"]),
];

/// Characters read alike, the tone included: `再` and `在`.
pub(crate) fn homophones(han: &Han, at: usize) -> Vec<String> {
    slips(han, at, true, |syllable| readings::characters_of(syllable).to_vec())
}

/// Characters that are typed alike: `fu wu` is `服务` and `富屋`.
pub(crate) fn typed_alike(han: &Han, at: usize) -> Vec<String> {
    slips(han, at, true, |syllable| readings::characters_typed(readings::toneless(syllable)).to_vec())
}

/// Characters whose reading has the other nasal: `朋友` and `盆友`.
pub(crate) fn nasals(han: &Han, at: usize) -> Vec<String> {
    let other = |syllable: &str| {
        readings::other_nasal(syllable).map_or_else(Vec::new, |other| readings::characters_of(&other).to_vec())
    };
    slips(han, at, false, other)
}

/// A way to mistype: a part, and the number of its settings that decide what a syllable becomes.
pub(crate) type Way = (&'static str, usize);

/// What every syllable becomes in every way.
type Slips = HashMap<(Way, &'static str), Arc<[char]>>;

/// Characters of the syllables that `spellings`, which depends on the `way` alone, makes of the letters of a syllable.
pub(crate) fn mistyped(han: &Han, at: usize, way: Way, spellings: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    /// There are some four hundred syllables, and to list all slips of one takes longer than all else about a word.
    static KNOWN: LazyLock<RwLock<Slips>> = LazyLock::new(RwLock::default);
    let typed = |syllable: &'static str| {
        let key = (way, readings::toneless(syllable));
        // A thread that stopped while it held the lock can have left nothing but whole lists.
        if let Some(known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.to_vec();
        }
        let made = spellings(key.1);
        let characters = made.iter().flat_map(|spelling| readings::characters_typed(spelling).iter().take(2).copied());
        let found: Arc<[char]> = characters.collect();
        KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&found));
        found.to_vec()
    };
    slips(han, at, false, typed)
}

/// Characters that look alike: `己经` for `已经`.
pub(crate) fn lookalikes(han: &Han, at: usize) -> Vec<String> {
    let word = han.word(at);
    if word.chars().count() < 2 || !dictionary::has(&word) {
        return Vec::new();
    }
    with_one_other(&word, |_, c| shapes::like(c).iter().take(3).copied().collect())
}

/// The word with one character replaced by one that its reading leads to.
fn slips(han: &Han, at: usize, alone: bool, characters: impl Fn(&'static str) -> Vec<char>) -> Vec<String> {
    let word = han.word(at);
    if word.chars().count() == 1 {
        let known = ALONE.iter().find(|(known, _)| alone && *known == word);
        return known.map_or_else(Vec::new, |(_, others)| others.iter().map(|other| (*other).to_owned()).collect());
    }
    // A word that the dictionary does not have may be cut wrongly, and its readings with it.
    let Some(read) = Some(&word).filter(|word| dictionary::has(word)).and_then(|word| readings::of_word(word)) else {
        return Vec::new();
    };
    with_one_other(&word, |place, c| {
        let others = read.get(place).map_or_else(Vec::new, |syllable| characters(syllable));
        others.into_iter().filter(|other| *other != c).take(MOST).collect()
    })
}

/// The word with one character replaced, in every way that makes no other word.
fn with_one_other(word: &str, others: impl Fn(usize, char) -> Vec<char>) -> Vec<String> {
    let mut made = Vec::new();
    for (place, (at, c)) in word.char_indices().enumerate() {
        for other in others(place, c) {
            let (before, rest) = word.split_at(at);
            let new = format!("{before}{other}{}", &rest[c.len_utf8()..]);
            if new != word && !dictionary::has(&new) && !made.contains(&new) {
                made.push(new);
            }
        }
    }
    made
}

/// Common characters that are read alike, the tone included, or look alike.
pub(crate) fn characters_like(c: char) -> Vec<char> {
    let simple = simplified_char(c);
    let read = match readings::of(simple) {
        [only] => readings::characters_of(only).iter().copied().filter(|other| *other != simple).take(MOST).collect(),
        _ => Vec::new(),
    };
    read.into_iter().chain(shapes::like(simple).iter().copied().take(2)).collect()
}
