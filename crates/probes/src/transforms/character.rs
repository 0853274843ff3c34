//! Transformations that change letters within words.

use std::ops::Range;

use fissure_text::{inflection, neighbours};

use fissure_core::{Candidate, Entry, Transform};

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
