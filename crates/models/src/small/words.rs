//! How the small models cut a text into words.
//!
//! [`WordCut::Latin`]: a word is a match of `[a-z0-9]+(?:'[a-z]+)*|[!?.,;:]` in the text with ASCII capitals made small;
//! `<br />` separates words like a space. [`WordCut::Han`] reads these as well, and every Han character, kana, full-width
//! letter or digit run and full-width mark besides. Ranges point into the text as the user wrote it.

use std::ops::Range;

use fissure_core::{Language, is_word_character};

/// How a model cuts texts; `words` in its `config.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WordCut {
    /// ASCII letters and digits between anything else.
    #[default]
    Latin,
    /// The same, and single Han characters, kana and full-width marks.
    Han,
}

impl WordCut {
    /// How texts should be cut: by characters if more of them are Chinese or Japanese than not.
    pub fn for_texts<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let (mut all, mut by_character) = (0, 0);
        for text in texts {
            all += 1;
            by_character += usize::from(matches!(Language::of(text), Language::Chinese | Language::Japanese));
        }
        if by_character * 2 > all { Self::Han } else { Self::Latin }
    }

    /// Its name in a `config.json`, which says nothing for Latin.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Latin => None,
            Self::Han => Some("han"),
        }
    }

    /// The byte ranges of the words of a text, found as they are asked for.
    pub fn words(self, text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut latin = words(text);
        let mut han = (self == Self::Han).then(|| han_words(text));
        std::iter::from_fn(move || han.as_mut().map_or_else(|| latin.next(), Iterator::next))
    }
}

/// The words of a text that is read by characters.
fn han_words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    // What is outside ASCII stands between the words that the other cut finds.
    let mut latin = words(text).peekable();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            if latin.peek().is_some_and(|word| word.start <= at) {
                let word = latin.next()?;
                at = word.end;
                return Some(word);
            }
            let letter = text[at..].chars().next()?;
            let start = at;
            at += letter.len_utf8();
            if is_word_character(letter) || is_wide_mark(letter) {
                return Some(start..at);
            }
            if !letter.is_ascii() && letter.is_alphanumeric() {
                let is_run = |next: &char| !next.is_ascii() && next.is_alphanumeric() && !is_word_character(*next);
                at += text[at..].chars().take_while(is_run).map(char::len_utf8).sum::<usize>();
                return Some(start..at);
            }
        }
    })
}

/// The marks of Chinese texts that `!?.,;:` are in Latin ones, and those without a counterpart.
fn is_wide_mark(letter: char) -> bool {
    const MARKS: &str = "\u{3002}\u{ff0c}\u{ff01}\u{ff1f}\u{ff1b}\u{ff1a}\u{3001}\u{2026}\u{2014}\u{201c}\u{201d}\u{300a}\u{300b}\u{ff08}\u{ff09}\u{ff5e}";
    !letter.is_ascii() && MARKS.contains(letter)
}

/// The byte ranges of the words of a text, found as they are asked for.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at;
            match bytes.get(at)? {
                b'<' if bytes[at..].starts_with(BREAK) => at += BREAK.len(),
                b'!' | b'?' | b'.' | b',' | b';' | b':' => {
                    at += 1;
                    return Some(start..at);
                }
                byte if byte.is_ascii_alphanumeric() => {
                    at += run(&bytes[at..], u8::is_ascii_alphanumeric);
                    while bytes.get(at) == Some(&b'\'') {
                        match run(&bytes[at + 1..], u8::is_ascii_alphabetic) {
                            0 => break,
                            letters => at += 1 + letters,
                        }
                    }
                    return Some(start..at);
                }
                // No byte of a character outside ASCII is taken for one inside it.
                _ => at += 1,
            }
        }
    })
}

const BREAK: &[u8] = b"<br />";

/// How many bytes from the start are of a kind.
fn run(bytes: &[u8], kind: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| kind(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        words(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn words_by_hand() {
        assert_eq!(
            cut("I don't -- well, rock'n'roll's 2nd!"),
            ["I", "don't", "well", ",", "rock'n'roll's", "2nd", "!"]
        );
        assert_eq!(cut("good<br /><br />bad<BR />x<br/>"), ["good", "bad", "BR", "x", "br"]);
        assert_eq!(cut("a'1 b' 'c' d'e3"), ["a", "1", "b", "c", "d'e", "3"]);
        assert_eq!(
            cut("na\u{ef}ve \u{130}stanbul \u{1f468}\u{200d}\u{1f469} \u{5d0}.\u{5d1}"),
            ["na", "ve", "stanbul", "."]
        );
        assert_eq!(cut("U.S.A...?"), ["U", ".", "S", ".", "A", ".", ".", ".", "?"]);
        assert!(cut("").is_empty() && cut(" <br /> \n").is_empty());
    }

    fn cut_han(text: &str) -> Vec<&str> {
        WordCut::Han.words(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn han_characters_by_hand() {
        assert_eq!(
            cut_han("我用iPhone6拍，\u{20bb7}野家3.5分！<br />don't"),
            ["我", "用", "iPhone6", "拍", "，", "\u{20bb7}", "野", "家", "3", ".", "5", "分", "！", "don't"]
        );
        assert_eq!(cut_han("ＡＢ１２あ 映画…… «x»"), ["ＡＢ１２", "あ", "映", "画", "…", "…", "x"]);
        assert_eq!(cut_han("naïve, ok"), ["na", "ï", "ve", ",", "ok"]);
        assert!(cut_han("").is_empty() && cut_han(" \u{3000}\n").is_empty());
    }

    #[test]
    fn texts_choose_their_cut() {
        assert_eq!(WordCut::for_texts(["很好看", "不好", "so good"].into_iter()), WordCut::Han);
        assert_eq!(WordCut::for_texts(["很好看", "so good"].into_iter()), WordCut::Latin);
        assert_eq!(WordCut::for_texts([].into_iter()), WordCut::Latin);
    }

    proptest! {
        #[test]
        fn han_words_lie_in_order_inside_the_text(text in ".{0,40}|[a-c0-1' 很好，。\u{20bb7}é]{0,60}") {
            let mut end = 0;
            for range in WordCut::Han.words(&text) {
                prop_assert!(end <= range.start && range.start < range.end);
                prop_assert!(text.get(range.clone()).is_some());
                end = range.end;
            }
            // A text that is all ASCII is cut alike.
            if text.is_ascii() {
                prop_assert!(WordCut::Han.words(&text).eq(WordCut::Latin.words(&text)));
            }
        }

        #[test]
        fn words_lie_in_order_inside_the_text(text in ".{0,40}|[a-cA-C0-1' .<>br/]{0,60}") {
            let mut end = 0;
            for range in words(&text) {
                prop_assert!(end <= range.start && range.start < range.end);
                end = range.end;
                let word = &text[range];
                prop_assert!(word.is_ascii() && !word.starts_with('\'') && !word.ends_with('\''));
            }
        }
    }
}
