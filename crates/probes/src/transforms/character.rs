//! Transformations that change letters within words.

use std::ops::Range;

fissure_core::shelf!(Transform: keyboard, ocr, typos);

/// The word with the bytes of `range` replaced.
fn rewrite(word: &str, range: Range<usize>, with: &str) -> String {
    let mut new = String::with_capacity(word.len() + with.len());
    new.push_str(&word[..range.start]);
    new.push_str(with);
    new.push_str(&word[range.end..]);
    new
}
