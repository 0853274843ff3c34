//! Transformations that change letters within words.

use std::ops::Range;

use fissure_text::{inflection, neighbours};

use fissure_core::{Candidate, Entry, Transform, Word};

mod digit_to_char;
mod homophones;
mod keyboard;
mod nasal;
mod ocr;
mod script;
mod similar_shape;
pub(crate) mod typos;

/// Every part of this folder, in the order of lists.
pub static ALL: &[&Entry<dyn Transform>] = &[
    &digit_to_char::ENTRY,
    &homophones::ENTRY,
    &keyboard::ENTRY,
    &nasal::ENTRY,
    &ocr::ENTRY,
    &script::ENTRY,
    &similar_shape::ENTRY,
    &typos::ENTRY,
];

/// The word with the bytes of `range` replaced.
fn rewrite(word: &str, range: Range<usize>, with: &str) -> String {
    let mut new = String::with_capacity(word.len() + with.len());
    new.push_str(&word[..range.start]);
    new.push_str(with);
    new.push_str(&word[range.end..]);
    new
}

/// Whether a word is typed with letters, at least `least` of them: `1980's` and `2nd` are numbers.
fn is_typed(word: Word<'_>, least: usize) -> bool {
    let (mut has_letter, mut has_digit, mut is_ascii) = (false, false, true);
    // One pass without a branch: every word of a text is asked.
    for byte in word.text.bytes() {
        has_letter |= byte.is_ascii_alphabetic();
        has_digit |= byte.is_ascii_digit();
        is_ascii &= byte.is_ascii();
    }
    if is_ascii {
        return word.text.len() >= least && has_letter && !has_digit;
    }
    !has_digit && word.letter_count() >= least && word.text.contains(char::is_alphabetic)
}

/// The slips among `all` that could be drawn, in order.
fn slips(all: impl Iterator<Item = String>) -> Vec<Candidate> {
    all.filter(|new| is_slip(new)).map(Candidate::new).collect()
}

/// What `draw` makes of a word, unless it is an English word again, or a number: `fee` for `free` and `186` for `136` say
/// something else, and the slip would not show.
fn slip(mut draw: impl FnMut() -> Option<String>) -> Option<String> {
    // Few slips make a word; where several in a row do, the word is left alone.
    for _ in 0..TRIES {
        let new = draw()?;
        if is_slip(&new) {
            return Some(new);
        }
    }
    None
}

/// Whether readers would see that something slipped: it is no other English word, and no number.
fn is_slip(new: &str) -> bool {
    !is_word(new) && !new.bytes().all(|byte| byte.is_ascii_digit())
}

const TRIES: usize = 8;

fn is_word(word: &str) -> bool {
    // Forms of nouns, verbs and adjectives; what else there is (`thy`, `docs`) is among the frequent words.
    let known = |word: &str| inflection::readings(word).next().is_some() || neighbours::frequency_rank(word).is_some();
    if word.bytes().any(|byte| byte.is_ascii_uppercase()) { known(&word.to_ascii_lowercase()) } else { known(word) }
}
