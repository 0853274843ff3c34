//! Cuts a text into tokens, the way the Universal and Penn treebanks of English do: `do|n't`, `dog|'s`, `well|-|known`,
//! `$|5`, but `U.S.`, `e-mail`, `3.5`, `:-)` and links in one piece.
//!
//! One pass from left to right with bounded look-ahead, so the time is linear whatever the text. Runs that hold other
//! scripts, emoji or combining marks are cut at the word boundaries of Unicode (UAX 29).

mod apostrophes;
mod chars;
mod marks;
mod patterns;
mod words;

use std::ops::Range;

use chars::is_space;

/// A token: a word, a number, a mark of punctuation, or another unit of writing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Token {
    /// The bytes it covers in the text.
    pub span: Range<usize>,
    pub kind: TokenKind,
}

impl Token {
    /// The token as written, where `text` is the text it was cut from.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.span.clone()]
    }
}

/// What a token is made of, judged by its letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    Word,
    /// Digits, perhaps with signs between them: `3.5`, `1,200`, `7:30`, `11/28/2000`, `713-853-3989`.
    Number,
    /// An address in the web: `https://...`, `www.site.org`, `site.com/page`.
    Link,
    Email,
    /// `@name` or `#topic`.
    Handle,
    Emoticon,
    /// A tag of HTML, such as `<br />`.
    Markup,
    /// Punctuation and other signs.
    Mark,
}

/// Cuts `text` into tokens. They come in order, do not overlap, and cover every character that is not white space.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner { text, bytes: text.as_bytes(), at: 0, next_at_sign: None, found: Vec::new() };
    // English has about one token for five bytes.
    scanner.found.reserve(text.len() / 5);
    scanner.run();
    scanner.found
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The first `@` at or after the place where it was last looked for; the length of the text if there is none.
    next_at_sign: Option<usize>,
    found: Vec<Token>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        while let Some(first) = self.char_at(self.at) {
            if is_space(first) {
                self.at += first.len_utf8();
            } else if chars::is_wordy(first) {
                self.word();
            } else {
                self.mark(first);
            }
        }
    }

    /// Ends the current token at `end`, and moves on.
    fn emit(&mut self, end: usize, kind: TokenKind) {
        debug_assert!(end > self.at && self.text.is_char_boundary(end));
        self.found.push(Token { span: self.at..end, kind });
        self.at = end;
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn char_at(&self, at: usize) -> Option<char> {
        match self.byte(at)? {
            byte if byte.is_ascii() => Some(char::from(byte)),
            _ => self.text.get(at..)?.chars().next(),
        }
    }

    fn char_before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    /// Whether a wordy character stands at `at`.
    fn wordy_at(&self, at: usize) -> bool {
        self.char_at(at).is_some_and(chars::is_wordy)
    }

    /// Whether the text ends at `at`, or goes on with white space.
    fn space_at(&self, at: usize) -> bool {
        self.char_at(at).is_none_or(is_space)
    }

    fn digit_at(&self, at: usize) -> bool {
        self.byte(at).is_some_and(|byte| byte.is_ascii_digit())
    }

    /// The end of the run of wordy characters that starts at `at`.
    fn run_end(&self, mut at: usize) -> usize {
        while self.byte(at).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            at += 1;
        }
        while let Some(next) = self.char_at(at) {
            if !chars::is_wordy(next) {
                break;
            }
            at += next.len_utf8();
        }
        at
    }

    /// Like [`Self::run_end`], but looks no further than a few characters: for comparison with short words, so that a
    /// run of megabytes is not walked again and again.
    fn short_run(&self, at: usize) -> Option<&str> {
        const LONGEST: usize = 12;
        let mut end = at;
        while let Some(next) = self.char_at(end) {
            if !chars::is_wordy(next) {
                return self.text.get(at..end);
            }
            end += next.len_utf8();
            if end - at > LONGEST {
                return None;
            }
        }
        self.text.get(at..end)
    }
}

#[cfg(test)]
mod tests;
