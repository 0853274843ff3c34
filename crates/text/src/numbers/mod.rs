//! Numbers as people write them: `3.5`, `1,200`, `-7`, `2nd`, `twenty-one`, `Two hundred and fifth`.
//!
//! [`parse`] reads one and keeps how it was written, so that [`Number::write`] can put another value in its place in
//! the same dress; [`find`] finds them in running text.

mod digits;
mod words;

use std::ops::Range;

pub use words::{cardinal, ordinal};

/// A number and the way it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// The digits without a point: 350 for `3.50`, and the scale is 2.
    pub units: i64,
    /// How many of these digits stand behind the decimal point.
    pub scale: u8,
    /// How it was written.
    pub style: Style,
}

/// How a number is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Style {
    /// `1,200.50`, `007`, `2nd`
    Digits {
        /// Commas between groups of three.
        grouped: bool,
        /// `st`, `nd`, `rd`, `th` behind it.
        ordinal: bool,
        /// The least number of digits before the point: 3 for `007`, otherwise 1, and 0 for `.5`.
        width: u8,
        /// A plus sign before it.
        plus: bool,
    },
    /// `two hundred and five`, `Twenty-First`
    Words {
        /// `fifth` rather than `five`.
        ordinal: bool,
        /// `and` before the tens and ones: `two hundred and five`.
        and: bool,
        /// How the first word is cased; the other words are lower, unless all are upper.
        case: crate::casing::Case,
        /// `a hundred` rather than `one hundred`.
        article: bool,
    },
}

/// The number that is the whole of `text`, or nothing if `text` is anything else (`10:30`, `1990s`, `IV`, `ten men`).
pub fn parse(text: &str) -> Option<Number> {
    digits::parse(text).or_else(|| words::parse(text))
}

/// The numbers in a text with their byte ranges, from left to right, each as long as it can be.
///
/// A number that is part of a larger sign is left out: `10:30`, `3/4`, `192.168.0.1`, `B2B`, `1990s`, `24-hour`.
pub fn find(text: &str) -> Vec<(Range<usize>, Number)> {
    let mut found = digits::find(text);
    found.extend(words::find(text));
    found.sort_by_key(|(range, _)| range.start);
    found
}

impl Number {
    /// Whether this is a bare whole number of four digits in the range of years that texts speak of.
    pub fn looks_like_year(&self) -> bool {
        let bare = matches!(self.style, Style::Digits { grouped: false, ordinal: false, plus: false, .. });
        bare && self.scale == 0 && (1500..2100).contains(&self.units)
    }

    /// Whether it is written as an ordinal.
    pub fn is_ordinal(&self) -> bool {
        matches!(self.style, Style::Digits { ordinal: true, .. } | Style::Words { ordinal: true, .. })
    }

    /// Other digits written the same way and at the same scale: `write(1750)` on `3,200` gives `1,750`, on `2.50` gives
    /// `17.50`.
    pub fn write(&self, units: i64) -> String {
        match self.style {
            Style::Digits { grouped, ordinal, width, plus } => {
                digits::write(units, self.scale, grouped, ordinal, width, plus)
            }
            Style::Words { ordinal, and, case, article } => words::write(units, ordinal, and, case, article),
        }
    }
}

#[cfg(test)]
mod tests;
