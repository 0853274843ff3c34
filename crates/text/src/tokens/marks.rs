//! Tokens that start with a sign: punctuation, emoticons, handles, tags of HTML, and words with a leading apostrophe.

use super::apostrophes::{is_clitic, keeps_leading_apostrophe};
use super::chars::{is_apostrophe, is_joined_to_previous};
use super::{Scanner, TokenKind, patterns};

impl Scanner<'_> {
    pub(super) fn mark(&mut self, first: char) {
        let start = self.at;
        let after = start + first.len_utf8();
        let rest = &self.text[start..];
        let loose = self.char_before(start).is_none_or(|c| !c.is_alphanumeric());
        if let Some(length) = patterns::emoticon_length(rest)
            && (self.space_at(start + length) || loose && first != '(')
        {
            return self.emit(start + length, TokenKind::Emoticon);
        }
        let markup = match first {
            '<' => patterns::markup_length(rest),
            '&' | '#' => entity_length(rest.as_bytes()),
            _ => None,
        };
        if let Some(length) = markup {
            return self.emit(start + length, TokenKind::Markup);
        }
        match first {
            '@' | '#' if loose && self.char_at(after).is_some_and(|c| c.is_alphabetic() || c == '_') => {
                return self.emit(self.run_end(after), TokenKind::Handle);
            }
            '.' | '+' if loose && self.digit_at(after) && self.short_run(after).is_some() => {
                return self.emit(self.run_end(after), TokenKind::Number);
            }
            _ => {}
        }
        if is_apostrophe(first)
            && let Some(end) = self.apostrophe_word(after)
        {
            return self.emit(end, TokenKind::Word);
        }
        let mut end = after;
        while let Some(next) = self.char_at(end).filter(|next| runs_on(first, *next)) {
            end += next.len_utf8();
        }
        if matches!(first, '\'' | '`' | '’') && self.char_at(after) == Some(first) {
            end = after + first.len_utf8();
        }
        while let Some(next) = self.char_at(end).filter(|next| is_joined_to_previous(*next)) {
            end += next.len_utf8();
        }
        self.emit(end, TokenKind::Mark);
    }

    /// The end of a word with an apostrophe before it, such as `'s`, `'em` or `'90s`.
    fn apostrophe_word(&self, after: usize) -> Option<usize> {
        let rest = self.short_run(after)?;
        let decade = rest.len() <= 3
            && self.digit_at(after)
            && self.digit_at(after + 1)
            && rest.trim_end_matches('s').len() == 2;
        (is_clitic(rest) || keeps_leading_apostrophe(rest) || decade).then_some(after + rest.len())
    }
}

/// Whether `next` goes on a token of signs that began with `first`: `...`, `?!`, `----`.
fn runs_on(first: char, next: char) -> bool {
    match first {
        '.' | '!' | '?' | '…' => matches!(next, '.' | '!' | '?' | '…'),
        '-' | '*' | '=' | '~' | '+' | '<' | '>' | '#' | '^' | '|' | '$' | '\\' | '–' | '—' => next == first,
        _ => false,
    }
}

/// The length of the HTML entity that `text` starts with: `&amp;`, `&#39;`, and `#39;`, which is what some corpora (AG News)
/// have left of it.
fn entity_length(text: &[u8]) -> Option<usize> {
    const LONGEST: usize = 9;
    let end = text.iter().take(LONGEST).position(|byte| *byte == b';')?;
    let known = match &text[..end] {
        [b'&', b'#', number @ ..] => !number.is_empty() && number.iter().all(u8::is_ascii_alphanumeric),
        [b'&', name @ ..] => !name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric),
        [b'#', number @ ..] => number.len() > 1 && number.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    known.then_some(end + 1)
}
