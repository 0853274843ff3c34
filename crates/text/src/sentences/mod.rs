//! Cuts a sequence of tokens into sentences.
//!
//! Blank lines, short lines and line breaks of HTML always end a sentence. Between other tokens a small classifier
//! decides, from the words around the gap; it knows ends without punctuation (`Thanks, Vince`) too.

mod features;

use std::ops::Range;

pub use features::Boundaries;

use crate::perceptron::{Weights, best};
use crate::tokens::Token;
use crate::weights;
use crate::word_features::WordFeatures;

/// The sentences of `text` as ranges of `tokens`, which must be its tokens. Every token is in exactly one.
pub fn sentences(text: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    let looks: Vec<WordFeatures> = tokens.iter().map(|token| WordFeatures::of(token.text(text))).collect();
    split(text, tokens, &looks, weights::sentences())
}

pub fn split(text: &str, tokens: &[Token], looks: &[WordFeatures], weights: &Weights) -> Vec<Range<usize>> {
    let mut boundaries = Boundaries::new(text, tokens, looks);
    let mut found = Vec::new();
    let mut scores = [0; 256];
    let mut start = 0;
    for last in 0..tokens.len() {
        let ends = match boundaries.fixed(last) {
            Some(ends) => ends,
            None => {
                let scores = weights.score(&boundaries.features(last), &mut scores);
                best(scores) == 1
            }
        };
        boundaries.advance(last, ends);
        if ends {
            found.push(start..last + 1);
            start = last + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;

    /// The sentences of `text`, as written.
    fn cut(text: &str) -> Vec<&str> {
        let tokens = tokens(text);
        let bytes = |sentence: Range<usize>| tokens[sentence.start].span.start..tokens[sentence.end - 1].span.end;
        sentences(text, &tokens).into_iter().map(|sentence| &text[bytes(sentence)]).collect()
    }

    #[test]
    fn full_stops_end_sentences_unless_they_abbreviate() {
        assert_eq!(
            cut("Mr. Smith went to Washington. He met Dr. Jones there! Did they talk? Yes."),
            ["Mr. Smith went to Washington.", "He met Dr. Jones there!", "Did they talk?", "Yes."]
        );
        assert_eq!(cut("It costs $3.50 today."), ["It costs $3.50 today."]);
    }

    #[test]
    fn lines_end_sentences_unless_they_are_wrapped() {
        assert_eq!(cut("a heading\nand the text"), ["a heading", "and the text"]);
        assert_eq!(cut("the end\n\nthe start"), ["the end", "the start"]);
        assert_eq!(cut("good film<br /><br />bad sound"), ["good film<br /><br />", "bad sound"]);
        let wrapped = "This is a long line of prose that was broken by a mailer\nin the middle of its only sentence.";
        assert_eq!(cut(wrapped), [wrapped]);
    }
}
