//! A masked language model on this machine, as parts ask it.

use std::path::Path;

use fissure_core::{MaskedLm, Skip, Span};

use crate::Result;
use crate::encoder::WordGuesser;

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
    fn guess(&self, text: &str, hidden: &[Span], count: usize) -> std::result::Result<Vec<Vec<(String, f32)>>, Skip> {
        let places: Vec<(&str, std::ops::Range<usize>)> =
            hidden.iter().map(|span| (text, span.start..span.end)).collect();
        let guesses = self.model.guess(&places, count).map_err(|error| Skip(error.to_string().into()))?;
        // The model gives logarithms, and marks pieces of words in the way of its tokenizer.
        let whole = |(piece, log): (String, f32)| (plain(&piece), log.exp());
        Ok(guesses.into_iter().map(|place| place.into_iter().map(whole).collect()).collect())
    }
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
