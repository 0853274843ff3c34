//! Cuts a sequence of tokens into sentences.
//!
//! Blank lines, short lines and line breaks of HTML always end a sentence. Between other tokens a small classifier
//! decides, from the words around the gap; it knows ends without punctuation (`Thanks, Vince`) too.

mod features;

use std::ops::Range;

pub use features::Boundaries;

use crate::perceptron::Weights;
use crate::tokens::Token;
use crate::weights;

/// The sentences of `text` as ranges of `tokens`, which must be its tokens. Every token is in exactly one.
pub fn sentences(text: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    split(text, tokens, weights::sentences())
}

pub fn split(text: &str, tokens: &[Token], weights: &Weights) -> Vec<Range<usize>> {
    let mut boundaries = Boundaries::new(text, tokens);
    let mut found = Vec::new();
    let mut features = Vec::new();
    let mut scores = [0; 2];
    let mut start = 0;
    for last in 0..tokens.len() {
        let ends = match boundaries.fixed(last) {
            Some(ends) => ends,
            None => {
                boundaries.features(last, &mut features);
                weights.score(&features, &mut scores);
                scores[1] > scores[0]
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
