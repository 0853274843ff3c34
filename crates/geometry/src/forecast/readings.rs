//! What a model reads in new words: looked up once, however many texts they are put into.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use fissure_models::{Input, WhiteBox};

use crate::Result;
use crate::vocabulary::mean_row;
use crate::words::words_of;

/// Numbers that are kept at most; beyond that everything is looked up again.
const MOST: usize = 8 << 20;

/// Words as the model reads them, each with the mean of the rows of its pieces.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub words: Vec<ReadWord>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadWord {
    /// As it is written, in lower case.
    pub text: String,
    pub ids: Vec<u32>,
    pub row: Vec<f32>,
}

/// The readings of one model.
#[derive(Debug)]
pub(crate) struct Readings<'a> {
    model: &'a dyn WhiteBox,
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    readings: HashMap<String, Arc<Reading>>,
    numbers: usize,
}

impl<'a> Readings<'a> {
    pub fn new(model: &'a dyn WhiteBox) -> Self {
        Self { model, known: RwLock::default() }
    }

    /// The reading of each text, in order. No text is answered: rows are looked up.
    pub fn of(&self, texts: &[&str]) -> Result<Vec<Arc<Reading>>> {
        let mut found: Vec<Option<Arc<Reading>>> = {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            texts.iter().map(|text| known.readings.get(*text).cloned()).collect()
        };
        // Edits put words after spaces, and some vocabularies tell a word there from one at the start of a text.
        let missing: Vec<usize> = (0..texts.len()).filter(|at| found[*at].is_none()).collect();
        if !missing.is_empty() {
            let spaced: Vec<String> = missing.iter().map(|at| format!(" {}", texts[*at])).collect();
            let inputs: Vec<Input<'_>> = spaced.iter().map(|text| Input::from(text.as_str())).collect();
            let points = self.model.embed(&inputs)?;
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            if known.numbers > MOST {
                *known = Known::default();
            }
            for ((at, point), input) in missing.into_iter().zip(points).zip(&inputs) {
                let word = |word: &crate::Word| ReadWord {
                    text: word.text(input).to_ascii_lowercase(),
                    ids: word.ids(&point),
                    row: mean_row(&point, word),
                };
                let reading = Arc::new(Reading { words: words_of(&point).iter().map(word).collect() });
                known.numbers += reading.words.iter().map(|word| word.row.len()).sum::<usize>();
                known.readings.insert(texts[at].to_owned(), Arc::clone(&reading));
                found[at] = Some(reading);
            }
        }
        Ok(found.into_iter().flatten().collect())
    }
}
