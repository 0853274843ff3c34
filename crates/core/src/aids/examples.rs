//! Help simple enough to foretell by eye, for the examples on cards and for the laws: no model, no file.

use std::sync::Arc;

use crate::{Aids, Guesser, Importance, Likeness, Sample, Skip, Span, Translator};

impl Aids {
    /// What examples on cards are run with: longer words count more; hidden words are guessed from a fixed list; a
    /// translation says the words in reverse order; texts are alike by the words they share.
    pub fn of_examples() -> Self {
        Self {
            importance: Some(Arc::new(ByLength)),
            guesser: Some(Arc::new(FixedWords)),
            translator: Some(Arc::new(Backwards)),
            phrases: Some(Arc::new(Backwards)),
            likeness: Some(Arc::new(SharedWords)),
            neighbours: None,
        }
    }
}

#[derive(Debug)]
struct ByLength;

impl Importance for ByLength {
    fn method(&self) -> &'static str {
        "word length"
    }

    fn of(&self, _: &Sample, _: usize, words: &[Span]) -> Result<Vec<f32>, Skip> {
        Ok(words.iter().map(|word| word.len() as f32).collect())
    }
}

#[derive(Debug)]
struct FixedWords;

impl Guesser for FixedWords {
    fn guess(&self, _: &str, hidden: &[Span], count: usize) -> Result<Vec<Vec<(String, f32)>>, Skip> {
        let guesses = ["good", "new", "people", "time", "made", "small", "quickly", "world"];
        let one: Vec<(String, f32)> = guesses
            .into_iter()
            .take(count)
            .enumerate()
            .map(|(rank, word)| (word.to_owned(), 0.5_f32.powi(rank as i32 + 1)))
            .collect();
        Ok(vec![one; hidden.len()])
    }
}

#[derive(Debug)]
struct Backwards;

impl Translator for Backwards {
    fn way(&self) -> String {
        "backwards".into()
    }

    fn translate(&self, text: &str, _: Option<&str>) -> Result<String, Skip> {
        Ok(text.split_whitespace().rev().collect::<Vec<_>>().join(" "))
    }
}

#[derive(Debug)]
struct SharedWords;

impl Likeness for SharedWords {
    fn cosine(&self, one: &str, other: &str) -> Result<f64, Skip> {
        let (one, other): (Vec<&str>, Vec<&str>) =
            (one.split_whitespace().collect(), other.split_whitespace().collect());
        let shared = one.iter().filter(|word| other.contains(word)).count();
        let longest = one.len().max(other.len());
        Ok(if longest == 0 { 1.0 } else { shared as f64 / longest as f64 })
    }
}
