//! Casing that follows the word it replaces: `Happy` becomes `Glad`, `HAPPY` becomes `GLAD`.

use std::borrow::Cow;

/// How a word is cased, by its letters that have case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// No letter has case: `42`, `漢字`, the empty word.
    None,
    /// `word`
    Lower,
    /// `Word`, and also one capital alone, as in `A` or `I`.
    Title,
    /// `WORD`: two capitals or more, and nothing else.
    Upper,
    /// Anything else: `iPhone`, `McDonald`.
    Mixed,
}

impl Case {
    /// The casing of `word`.
    pub fn of(word: &str) -> Case {
        let (mut upper, mut lower, mut starts_upper) = (0, 0, false);
        for letter in word.chars() {
            if letter.is_uppercase() {
                starts_upper |= upper + lower == 0;
                upper += 1;
            } else if letter.is_lowercase() {
                lower += 1;
            }
        }
        match (upper, lower) {
            (0, 0) => Case::None,
            (0, _) => Case::Lower,
            (1, _) if starts_upper => Case::Title,
            (_, 0) => Case::Upper,
            _ => Case::Mixed,
        }
    }
}

/// `with`, cased like the word it replaces. A capital of its own (`Paris`, `iPhone`) is never taken from `with`.
///
/// ```
/// use fissure_text::casing::follow;
/// assert_eq!(follow("Happy", "glad"), "Glad");
/// assert_eq!(follow("HAPPY", "glad"), "GLAD");
/// assert_eq!(follow("london", "Paris"), "Paris");
/// ```
pub fn follow<'a>(replaced: &str, with: &'a str) -> Cow<'a, str> {
    match Case::of(replaced) {
        Case::Upper if Case::of(with) != Case::Upper => Cow::Owned(with.to_uppercase()),
        Case::Title if Case::of(with) == Case::Lower => title(with),
        _ => Cow::Borrowed(with),
    }
}

/// `word` with its first letter as a capital and the rest untouched.
pub fn title(word: &str) -> Cow<'_, str> {
    let Some((at, first)) = word.char_indices().find(|(_, letter)| letter.is_alphabetic()) else {
        return Cow::Borrowed(word);
    };
    if !first.is_lowercase() {
        return Cow::Borrowed(word);
    }
    let mut titled = String::with_capacity(word.len());
    titled.push_str(&word[..at]);
    titled.extend(first.to_uppercase());
    titled.push_str(&word[at + first.len_utf8()..]);
    Cow::Owned(titled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cases() {
        for (word, case) in [
            ("", Case::None),
            ("1,200", Case::None),
            ("漢字", Case::None),
            ("word", Case::Lower),
            ("o'clock", Case::Lower),
            ("Word", Case::Title),
            ("I", Case::Title),
            ("\u{201c}Word", Case::Title),
            ("WORD", Case::Upper),
            ("U.S.", Case::Upper),
            ("iPhone", Case::Mixed),
            ("McDonald", Case::Mixed),
        ] {
            assert_eq!(Case::of(word), case, "{word}");
        }
    }

    #[test]
    fn the_new_word_follows_the_old() {
        for (replaced, with, result) in [
            ("good", "bad", "bad"),
            ("Good", "bad", "Bad"),
            ("GOOD", "bad", "BAD"),
            ("A", "one", "One"),
            ("gOOd", "bad", "bad"),
            ("Good", "iPhone", "iPhone"),
            ("GOOD", "iPhone", "IPHONE"),
            ("good", "IBM", "IBM"),
            ("42", "bad", "bad"),
            ("Good", "'tis", "'Tis"),
            ("Good", "élan", "Élan"),
            ("Good", "", ""),
        ] {
            assert_eq!(follow(replaced, with), result, "{replaced} {with}");
        }
    }

    proptest! {
        #[test]
        fn only_case_changes(replaced in ".*", with in "[a-zA-Z'é-]*") {
            prop_assert_eq!(follow(&replaced, &with).to_lowercase(), with.to_lowercase());
        }
    }
}
