//! Words as byte ranges of a text: the simple cut that every language with spaces shares.

mod ascii;

use unicode_segmentation::UnicodeSegmentation;

use crate::Span;
use ascii::Letters;

/// A word where it stands in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    pub text: &'a str,
    pub span: Span,
}

impl<'a> Word<'a> {
    /// The number of letters a reader sees: grapheme clusters, so `é` is one however it is encoded.
    #[inline]
    pub fn letter_count(self) -> usize {
        if self.text.is_ascii() { self.text.len() } else { self.letters().count() }
    }

    /// Letter number `at`, counted from 0.
    pub fn letter(self, at: usize) -> Option<&'a str> {
        if self.text.is_ascii() { self.text.get(at..at + 1) } else { self.letters().nth(at).map(|(_, letter)| letter) }
    }

    /// The letters with the byte at which each starts in the word.
    pub fn letters(self) -> impl Iterator<Item = (usize, &'a str)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let letter = grapheme_at(self.text, at)?;
            at += letter.len();
            Some((at - letter.len(), letter))
        })
    }

    /// Whether every letter is a letter: no digit, no apostrophe.
    #[inline]
    pub fn is_alphabetic(self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_alphabetic())
            || (!self.text.is_ascii() && self.letters().all(|(_, letter)| letter.starts_with(char::is_alphabetic)))
    }
}

/// The words of a text: runs of letters and digits with their combining marks, an apostrophe between two letters
/// included (`don't`). What stands between is left alone.
#[derive(Debug, Clone)]
pub struct Words<'a> {
    text: &'a str,
    at: usize,
    /// For a text that is all ASCII, which of its bytes are letters or digits.
    ascii: Option<Letters<'a>>,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, ascii: text.is_ascii().then(|| Letters::of(text.as_bytes())) }
    }

    /// The bytes of the grapheme at `at`, and whether it belongs in a word.
    fn grapheme(&self, at: usize) -> Option<(usize, Part)> {
        let grapheme = grapheme_at(self.text, at)?;
        Some((grapheme.len(), Part::of(grapheme)))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    #[inline]
    fn next(&mut self) -> Option<Word<'a>> {
        if let Some(letters) = &mut self.ascii {
            let span = letters.word_from(self.at)?;
            self.at = span.end;
            return Some(Word { text: &self.text[span.range()], span });
        }
        let start = loop {
            let (length, part) = self.grapheme(self.at)?;
            if part == Part::Letter {
                break self.at;
            }
            self.at += length;
        };
        let mut end = start;
        while let Some((length, part)) = self.grapheme(end) {
            match part {
                Part::Letter => end += length,
                Part::Apostrophe if matches!(self.grapheme(end + length), Some((_, Part::Letter))) => end += length,
                _ => break,
            }
        }
        self.at = end;
        Some(Word { text: &self.text[start..end], span: Span::new(start, end) })
    }
}

/// The grapheme cluster that starts at byte `at`; `None` at the end.
fn grapheme_at(text: &str, at: usize) -> Option<&str> {
    let byte = *text.as_bytes().get(at)?;
    // Two ASCII bytes in a row: nothing can combine with the first, so the slow rules need not be asked.
    if byte.is_ascii() && byte != b'\r' && text.as_bytes().get(at + 1).is_none_or(u8::is_ascii) {
        return text.get(at..at + 1);
    }
    text.get(at..)?.graphemes(true).next()
}

/// What a grapheme is to a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Letter,
    Apostrophe,
    Between,
}

impl Part {
    fn of(grapheme: &str) -> Self {
        match grapheme.chars().next() {
            Some(first) if first.is_alphanumeric() => Self::Letter,
            Some('\'' | '\u{2019}') => Self::Apostrophe,
            _ => Self::Between,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Words::new(text).map(|word| word.text).collect()
    }

    #[test]
    fn words_keep_apostrophes_and_marks() {
        assert_eq!(words("Don't stop -- it’s 'fine', 2nd time!"), ["Don't", "stop", "it’s", "fine", "2nd", "time"]);
        assert_eq!(words("e\u{301}tude naïve"), ["e\u{301}tude", "naïve"]);
        assert_eq!(words("👩‍👩‍👧 family שלום"), ["family", "שלום"]);
        assert_eq!(words(""), [""; 0]);
        assert_eq!(words("'' ' ''"), [""; 0]);
    }

    #[test]
    fn letters_are_what_a_reader_sees() {
        let word = Words::new("e\u{301}tude").next().unwrap();
        assert_eq!(word.letter_count(), 5);
        assert_eq!(word.letter(0), Some("e\u{301}"));
        assert_eq!(word.letter(5), None);
        assert!(word.is_alphabetic());
        assert!(!Words::new("don't").next().unwrap().is_alphabetic());
    }

    proptest! {
        #[test]
        fn words_lie_in_the_text_in_order(text in "\\PC{0,40}") {
            let mut last = 0;
            for word in Words::new(&text) {
                prop_assert!(word.span.start >= last && !word.span.is_empty());
                prop_assert_eq!(word.span.of(&text), word.text);
                last = word.span.end;
            }
        }

        /// What stands after a text (an emoji, say) does not change how the text itself is cut.
        #[test]
        fn the_ascii_path_cuts_like_the_other(text in "([a-zA-Z0-9' .,-]|[\\x00-\\x7f]){0,200}") {
            let longer = format!("{text} 👩‍👧");
            prop_assert_eq!(words(&text), words(&longer));
        }
    }
}
