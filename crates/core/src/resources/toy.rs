//! Resources simple enough to predict by eye, for the examples on cards and for the laws: no model, no file.

use std::sync::Arc;

use crate::{
    Donors, Guess, Importance, MaskedLm, Resources, Sample, Similarity, Skip, Span, Spelling, Translator, example,
};

impl Resources {
    /// What examples on cards are run with: longer words count more; hidden words are guessed from a fixed list; a
    /// translation says the words in reverse order; texts are alike by the words they share; donors are a few labelled
    /// sentences; classes are spelled in words.
    pub fn toy() -> Self {
        Self {
            importance: Some(Arc::new(ByLength)),
            masked_lm: Some(Arc::new(FixedWords)),
            translator: Some(Arc::new(Backwards)),
            label_translator: Some(Arc::new(Backwards)),
            similarity: Some(Arc::new(SharedWords)),
            neighbours: None,
            donors: Some(Arc::new(donors())),
            spelling: Some(Arc::new(Spelling::words())),
        }
    }
}

/// Sentences with labels of every kind that parts take from donors.
fn donors() -> Donors {
    let sentences = [
        "The [service|aspect:negative >opinion=1] was [slow|opinion #1].",
        "[Anna|token:B-PER] [lives|token:O] [in|token:O] [Graz|token:B-LOC] [.|token:O]",
        "Two dogs sleep on a sofa.",
        "[Carl|entity:PER] went to [Trinidad and Tobago|entity:LOC].",
    ];
    let sample = |(at, notation): (usize, &&str)| {
        let read = example::read(notation).ok()?;
        Some(Sample { id: format!("donor{at}"), ..read })
    };
    Donors::of(sentences.iter().enumerate().filter_map(sample))
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

impl MaskedLm for FixedWords {
    fn guess(&self, _: &str, hidden: &[Span], count: usize) -> Result<Vec<Vec<Guess>>, Skip> {
        let guesses = ["good", "new", "people", "time", "made", "small", "quickly", "world"];
        let one: Vec<Guess> = guesses
            .into_iter()
            .take(count)
            .enumerate()
            .map(|(rank, word)| (word.to_owned(), 0.5_f32.powi(rank as i32 + 1)))
            .collect();
        Ok(vec![one; hidden.len()])
    }

    fn guess_pieces(&self, text: &str, hidden: &[Span], count: usize) -> Result<Vec<Vec<Vec<Guess>>>, Skip> {
        let guesses = ["电", "影", "学", "生", "美", "丽", "喜", "欢", "经", "常"];
        let ranked = guesses.into_iter().take(count).enumerate();
        let one: Vec<Guess> = ranked.map(|(rank, piece)| (piece.to_owned(), 0.5_f32.powi(rank as i32 + 1))).collect();
        Ok(hidden.iter().map(|span| vec![one.clone(); span.of(text).chars().count()]).collect())
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

impl Similarity for SharedWords {
    fn cosine(&self, one: &str, other: &str) -> Result<f64, Skip> {
        let (one, other): (Vec<&str>, Vec<&str>) =
            (one.split_whitespace().collect(), other.split_whitespace().collect());
        let shared = one.iter().filter(|word| other.contains(word)).count();
        let longest = one.len().max(other.len());
        Ok(if longest == 0 { 1.0 } else { shared as f64 / longest as f64 })
    }
}
