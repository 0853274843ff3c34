//! A masked language model on this machine, as parts ask it.

use std::ops::Range;
use std::path::Path;

use fissure_core::{Guess, MaskedLm, Skip, Span};

use crate::encoder::WordGuesser;
use crate::{Error, Result};

/// Guesses hidden words with a fill-mask checkpoint (`...ForMaskedLM`).
#[derive(Debug)]
pub struct LocalMaskedLm {
    model: WordGuesser,
}

impl LocalMaskedLm {
    pub fn open(directory: &Path) -> Result<Self> {
        Ok(Self { model: WordGuesser::open(directory)? })
    }
}

impl MaskedLm for LocalMaskedLm {
    fn guess(&self, text: &str, hidden: &[Span], count: usize) -> std::result::Result<Vec<Vec<Guess>>, Skip> {
        let guesses = self.model.guess(&places(text, hidden), count).map_err(|error| skip(&error))?;
        Ok(guesses.into_iter().map(whole).collect())
    }

    fn guess_pieces(
        &self,
        text: &str,
        hidden: &[Span],
        count: usize,
    ) -> std::result::Result<Vec<Vec<Vec<Guess>>>, Skip> {
        let guesses = self.model.guess_pieces(&places(text, hidden), count).map_err(|error| skip(&error))?;
        Ok(guesses.into_iter().map(|place| place.into_iter().map(whole).collect()).collect())
    }
}

fn places<'t>(text: &'t str, hidden: &[Span]) -> Vec<(&'t str, Range<usize>)> {
    hidden.iter().map(|span| (text, span.start..span.end)).collect()
}

fn skip(error: &Error) -> Skip {
    Skip(error.to_string().into())
}

/// The model gives logarithms, and marks pieces of words in the way of its tokenizer.
fn whole(guesses: Vec<(String, f32)>) -> Vec<Guess> {
    guesses.into_iter().map(|(piece, log)| (plain(&piece), log.exp())).collect()
}

/// A piece as a part can judge it: `▁house` and `Ġhouse` are the word `house`, `##ing` stays a piece.
fn plain(piece: &str) -> String {
    piece.trim_start_matches(['\u{2581}', '\u{120}']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lose_the_mark_of_their_tokenizer() {
        assert_eq!([plain("\u{2581}house"), plain("\u{120}house"), plain("##ing")], ["house", "house", "##ing"]);
    }
}
