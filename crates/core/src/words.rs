//! Words as byte ranges of a text: the simple cut that needs no table. Languages with spaces are cut at them; a Han
//! character or a kana is a word by itself.

mod ascii;

use unicode_segmentation::UnicodeSegmentation;

use crate::Span;
use crate::language::is_word_character;
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

    /// Whether it is a word because it is one character: a Han character or a kana.
    #[inline]
    pub fn is_character(self) -> bool {
        self.text.chars().next().is_some_and(is_word_character)
    }

    /// Whether every letter is a letter: no digit, no apostrophe.
    #[inline]
    pub fn is_alphabetic(self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_alphabetic())
            || (!self.text.is_ascii() && self.letters().all(|(_, letter)| letter.starts_with(char::is_alphabetic)))
    }
}

/// The words of a text: runs of letters and digits with their combining marks, an apostrophe between two letters
/// included (`don't`), and single Han characters and kana. What stands between is left alone.
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
            match part {
                Part::Letter => break self.at,
                Part::Word => {
                    let span = Span::new(self.at, self.at + length);
                    self.at = span.end;
                    return Some(Word { text: &self.text[span.range()], span });
                }
                Part::Apostrophe | Part::Between => self.at += length,
            }
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
    if let Some(character) = han_at(text.as_bytes(), at) {
        return text.get(character);
    }
    text.get(at..)?.graphemes(true).next()
}

/// The bytes of a Han character of the basic plane behind which nothing can combine with it: most characters of a Chinese
/// text are cut here, without asking the slow rules.
fn han_at(bytes: &[u8], at: usize) -> Option<std::ops::Range<usize>> {
    let (0xe4..=0xe9, next) = (bytes.get(at)?, bytes.get(at + 3)) else { return None };
    // U+4000 to U+9FFF again, ASCII, or the full-width marks U+FF00 to U+FF3F.
    let is_apart = match next {
        None | Some(0x00..=0x7f | 0xe4..=0xe9) => true,
        Some(0xef) => bytes.get(at + 4) == Some(&0xbc),
        _ => false,
    };
    is_apart.then_some(at..at + 3)
}

/// What a grapheme is to a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Letter,
    /// A word by itself.
    Word,
    Apostrophe,
    Between,
}

impl Part {
    fn of(grapheme: &str) -> Self {
        match grapheme.chars().next() {
            Some(first) if is_word_character(first) => Self::Word,
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
    fn a_han_character_is_a_word() {
        assert_eq!(
            words("我用iPhone拍了3.5张，很OK！"),
            ["我", "用", "iPhone", "拍", "了", "3", "5", "张", "很", "OK"]
        );
        assert_eq!(words("𠮷野家，〇八年"), ["𠮷", "野", "家", "〇", "八", "年"]);
        assert_eq!(words("映画だ。ＡＢ"), ["映", "画", "だ", "ＡＢ"]);
        // A variation selector and a combining mark belong to the character before them; an apostrophe joins letters only.
        assert_eq!(words("葛\u{e0100}城か\u{3099}'s"), ["葛\u{e0100}", "城", "か\u{3099}", "s"]);
        assert_eq!(words("don't电影's"), ["don't", "电", "影", "s"]);
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
