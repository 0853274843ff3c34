//! What the sentence splitter sees of the gap after a token.

use crate::perceptron::{Hash, mix};
use crate::tokens::{Token, TokenKind};
use crate::word_features::WordFeatures;

/// Walks over the gaps between tokens from left to right.
#[derive(Debug)]
pub struct Boundaries<'t> {
    text: &'t str,
    tokens: &'t [Token],
    looks: &'t [WordFeatures],
    /// The first token of the current sentence.
    start: usize,
    open_brackets: u32,
    open_quote: bool,
    /// The first token of the next paragraph.
    paragraph_end: usize,
}

/// A line shorter than this ends its sentence: such lines are verses, headings and lists, not wrapped prose.
const WRAPPED_LINE: usize = 50;

impl<'t> Boundaries<'t> {
    /// `tokens` must be the tokens of `text`, and `looks` their looks.
    pub fn new(text: &'t str, tokens: &'t [Token], looks: &'t [WordFeatures]) -> Self {
        let mut boundaries =
            Self { text, tokens, looks, start: 0, open_brackets: 0, open_quote: false, paragraph_end: 0 };
        boundaries.enter(0);
        boundaries
    }

    /// The answer for the gap after token `at`, if it does not need the classifier.
    pub fn fixed(&self, at: usize) -> Option<bool> {
        let (Some(token), Some(next)) = (self.tokens.get(at), self.tokens.get(at + 1)) else { return Some(true) };
        let gap = &self.text[token.span.end..next.span.start];
        if is_line_tag(token, self.text) {
            return Some(!is_line_tag(next, self.text));
        }
        if gap.is_empty() && token.kind != TokenKind::Mark {
            return Some(false);
        }
        // Between two lower-case words with a space between them no sentence ends, or it cannot be known.
        if gap == " " && self.is_small(token) && self.is_small(next) {
            return Some(false);
        }
        let breaks = gap.bytes().filter(|byte| *byte == b'\n').count();
        (breaks > 1 || breaks == 1 && self.line_is_short(token.span.end)).then_some(true)
    }

    fn is_small(&self, token: &Token) -> bool {
        self.text.as_bytes()[token.span.clone()].iter().all(u8::is_ascii_lowercase)
    }

    fn line_is_short(&self, end: usize) -> bool {
        !self.text.as_bytes()[..end].iter().rev().take(WRAPPED_LINE).all(|byte| *byte != b'\n') || end < WRAPPED_LINE
    }

    /// Collects the features of the gap after token `at`.
    pub fn features(&self, at: usize) -> [Hash; 32] {
        let look = |offset: isize| {
            at.checked_add_signed(offset).and_then(|at| self.looks.get(at)).unwrap_or(&WordFeatures::EDGE)
        };
        let [before, last, next, second, third] = [-1, 0, 1, 2, 3].map(look);
        let first = self.looks.get(self.start).unwrap_or(&WordFeatures::EDGE);
        let token = &self.tokens[at];
        let gap = self.tokens.get(at + 1).map_or(0, |next| next.span.start - token.span.end);
        let gap = Hash(gap.min(2) as u32);
        let length = Hash(bucket(at + 1 - self.start));
        let left = Hash(bucket(self.paragraph_end.saturating_sub(at + 1)));
        let open = Hash(self.open_brackets.min(1) * 2 + u32::from(self.open_quote));
        let none = Hash::default();
        let shapes = mix(0, last.pattern, next.pattern);
        [
            mix(1, none, none),
            mix(2, last.lower, none),
            mix(3, next.lower, none),
            mix(4, next.form, none),
            mix(5, last.lower, next.lower),
            mix(6, last.lower, next.pattern),
            mix(7, last.pattern, next.form),
            mix(8, shapes, none),
            mix(9, before.lower, last.lower),
            mix(10, before.pattern, shapes),
            mix(11, next.lower, second.lower),
            mix(12, next.pattern, second.pattern),
            mix(13, shapes, second.pattern),
            mix(14, gap, last.form),
            mix(15, gap, shapes),
            mix(16, length, shapes),
            mix(17, length, last.lower),
            mix(18, length, next.form),
            mix(19, left, shapes),
            mix(20, left, last.lower),
            mix(21, open, last.lower),
            mix(22, open, shapes),
            mix(23, first.lower, shapes),
            mix(24, first.lower, last.lower),
            mix(25, last.pattern, none),
            mix(26, next.pattern, none),
            mix(27, left, none),
            mix(28, mix(0, before.lower, last.lower), next.pattern),
            mix(29, mix(0, next.lower, second.lower), last.pattern),
            mix(30, mix(0, second.pattern, third.pattern), shapes),
            mix(31, mix(0, length, left), shapes),
            mix(32, last.suffixes[1], next.pattern),
        ]
    }

    /// Goes on to the gap after the next token.
    pub fn advance(&mut self, at: usize, ended: bool) {
        if ended {
            self.start = at + 1;
            self.open_brackets = 0;
            self.open_quote = false;
        }
        self.enter(at + 1);
    }

    fn enter(&mut self, at: usize) {
        if at >= self.paragraph_end {
            self.paragraph_end = self.next_paragraph(at);
        }
        match self.tokens.get(at).map(|token| token.text(self.text)) {
            Some("(" | "[") => self.open_brackets += 1,
            Some(")" | "]") => self.open_brackets = self.open_brackets.saturating_sub(1),
            Some("\"") => self.open_quote = !self.open_quote,
            Some("“" | "``") => self.open_quote = true,
            Some("”" | "''") => self.open_quote = false,
            _ => {}
        }
    }

    /// The first token after `at` that stands after a blank line.
    fn next_paragraph(&self, at: usize) -> usize {
        let after_blank = |pair: &[Token]| {
            self.text[pair[0].span.end..pair[1].span.start].bytes().filter(|byte| *byte == b'\n').count() > 1
        };
        let rest = self.tokens.get(at..).unwrap_or_default();
        rest.windows(2).position(after_blank).map_or(self.tokens.len(), |found| at + found + 1)
    }
}

fn is_line_tag(token: &Token, text: &str) -> bool {
    token.kind == TokenKind::Markup
        && ["br", "p", "li", "tr", "div", "h1", "h2", "h3"].iter().any(|name| {
            let inside = token.text(text).trim_start_matches(['<', '/']);
            let (head, rest) = inside.split_at_checked(name.len()).unwrap_or_default();
            head.eq_ignore_ascii_case(name) && rest.starts_with([' ', '/', '>'])
        })
}

/// Lengths in steps that grow.
fn bucket(length: usize) -> u32 {
    match length {
        0..=4 => length as u32,
        5..=6 => 5,
        7..=9 => 6,
        10..=14 => 7,
        15..=24 => 8,
        25..=39 => 9,
        _ => 10,
    }
}
