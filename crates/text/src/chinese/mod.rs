//! Chinese: words with their parts of speech, sentences, readings, numbers, the two scripts, names, and words that are
//! confused or mean the same.
//!
//! The tables are part of the program unless it is built without the feature `chinese`.

mod chars;
pub mod dictionary;
pub mod names;
pub mod numbers;
pub(crate) mod path;
pub mod places;
pub mod readings;
pub mod script;
pub(crate) mod segment;
mod sentences;
pub mod shapes;
pub mod short_forms;
pub mod synonyms;
mod table;
pub(crate) mod tags;

pub(crate) use chars::plain;
pub use chars::{all_han, is_han};
pub use sentences::sentences;

use std::ops::Range;

use crate::Upos;

/// Whether the tables are part of the program.
pub const INCLUDED: bool = cfg!(feature = "chinese");

/// Why something that needs them cannot be run.
pub const MISSING: &str = "needs tables of Chinese, which this build leaves out; build with the feature `chinese`";

/// A word of a Chinese text, or a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The bytes that it covers.
    pub span: Range<usize>,
    pub upos: Upos,
}

impl Word {
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.span.clone()).unwrap_or("")
    }
}

/// The words of a text. Everything but white space is in exactly one.
///
/// ```
/// # if fissure_text::chinese::INCLUDED {
/// let text = "我们明天去北京开会。";
/// let words: Vec<&str> = fissure_text::chinese::words(text).iter().map(|word| word.text(text)).collect();
/// assert_eq!(words, ["我们", "明天", "去", "北京", "开会", "。"]);
/// # }
/// ```
pub fn words(text: &str) -> Vec<Word> {
    tagged(text, &segment::cut(text))
}

/// The words of a text at these places, with their parts of speech.
pub(crate) fn tagged(text: &str, spans: &[Range<usize>]) -> Vec<Word> {
    let mut words = Vec::with_capacity(spans.len());
    let mut written: Vec<&str> = Vec::new();
    // Sentence by sentence, as the tagger learned it.
    let ends = |span: &Range<usize>| text[span.clone()].chars().next_back().is_some_and(chars::ends_sentence);
    for sentence in spans.split_inclusive(ends) {
        written.clear();
        written.extend(sentence.iter().map(|span| &text[span.clone()]));
        let tags = tags::tag(&written);
        words.extend(sentence.iter().zip(tags).map(|(span, upos)| Word { span: span.clone(), upos }));
    }
    words
}

/// The parts of speech of words that were cut by someone else: the tokens of a data set.
pub fn tag(words: &[&str]) -> Vec<Upos> {
    tags::tag(words)
}

/// Where the words of a text are: as [`words`], without parts of speech.
pub fn cut(text: &str) -> Vec<Range<usize>> {
    segment::cut(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_cover_everything_but_white_space(text in "[我们不高兴去北京一二三龍𠮷あa1，。！ 😀\n”.]{0,60}") {
            let mut last = 0;
            for word in words(&text) {
                prop_assert!(text[last..word.span.start].chars().all(char::is_whitespace));
                prop_assert!(word.span.start < word.span.end && text.is_char_boundary(word.span.end));
                prop_assert!(!word.text(&text).contains(char::is_whitespace));
                last = word.span.end;
            }
            prop_assert!(text[last..].chars().all(char::is_whitespace));
        }
    }
}
