//! The words that can stand in for others, where they lie in embedding space, and who their neighbours are.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use fissure_models::{Embedded, Input, Matrix, WhiteBox};
use rayon::prelude::*;

use crate::vectors::{dot, norm};
use crate::words::{Word, words_of};
use crate::{Error, Result};

/// The number of neighbours a word has.
pub const NEAREST: usize = 10;
/// Words are embedded in batches of this many.
const BATCH: usize = 1024;

/// A list of words as the model sees them. A word of several pieces lies at the mean of its pieces.
#[derive(Debug)]
pub struct Vocabulary {
    texts: Vec<String>,
    rows: Matrix,
    by_pieces: BTreeMap<Vec<u32>, u32>,
    by_text: OnceLock<BTreeMap<String, u32>>,
    moments: OnceLock<Moments>,
    /// Filled as words are asked for: most texts use few of them.
    neighbours: Vec<OnceLock<Vec<u32>>>,
}

/// The mean and covariance of the embeddings: the law of a word drawn evenly.
#[derive(Debug)]
pub(crate) struct Moments {
    pub mean: Vec<f32>,
    /// Row by row.
    pub covariance: Vec<f32>,
}

impl Vocabulary {
    /// The model's own words.
    pub fn of(model: &dyn WhiteBox) -> Result<Self> {
        let words = model.words();
        Self::from_words(model, &words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The given words, without those that the model reads as none or as several. Of words that the model cannot tell
    /// apart the first stays.
    pub fn from_words(model: &dyn WhiteBox, words: &[&str]) -> Result<Self> {
        let mut texts = Vec::new();
        let mut by_pieces = BTreeMap::new();
        let mut rows = Matrix::default();
        for batch in words.chunks(BATCH) {
            // Some vocabularies tell a word after a space from one at the start of a text, and edits put words after
            // spaces.
            let spaced: Vec<String> = batch.iter().map(|word| format!(" {word}")).collect();
            let inputs: Vec<Input<'_>> = spaced.iter().map(|word| Input::from(word.as_str())).collect();
            for (text, point) in batch.iter().zip(model.embed(&inputs)?) {
                let found = words_of(&point);
                let [word] = found.as_slice() else { continue };
                if by_pieces.contains_key(&word.ids(&point)) || by_pieces.len() > u32::MAX as usize {
                    continue;
                }
                by_pieces.insert(word.ids(&point), by_pieces.len() as u32);
                texts.push((*text).to_owned());
                rows.width = point.rows.width;
                rows.values.extend(mean_row(&point, word));
            }
        }
        if texts.is_empty() {
            return Err(Error::NoWords);
        }
        let neighbours = texts.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { texts, rows, by_pieces, by_text: OnceLock::new(), moments: OnceLock::new(), neighbours })
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub fn text(&self, entry: u32) -> &str {
        &self.texts[entry as usize]
    }

    pub fn row(&self, entry: u32) -> &[f32] {
        self.rows.row(entry as usize)
    }

    /// The entry of a word by its spelling in the list.
    pub fn find(&self, word: &str) -> Option<u32> {
        let index = || self.texts.iter().enumerate().map(|(entry, text)| (text.clone(), entry as u32)).collect();
        self.by_text.get_or_init(index).get(word).copied()
    }

    /// The entry of a word in a text; `None` for one that is not in the list.
    pub fn entry(&self, point: &Embedded, word: &Word) -> Option<u32> {
        self.by_pieces.get(&word.ids(point)).copied()
    }

    /// The [`NEAREST`] other words by cosine, nearest first; ties in the order of the list.
    pub fn neighbours(&self, entry: u32) -> &[u32] {
        self.neighbours[entry as usize].get_or_init(|| self.nearest(entry))
    }

    fn nearest(&self, entry: u32) -> Vec<u32> {
        let row = self.row(entry);
        let cosine = |other: u32| {
            let length = norm(self.row(other));
            if length > 0.0 { dot(row, self.row(other)) / length } else { f64::NEG_INFINITY }
        };
        let mut scored: Vec<(f64, u32)> =
            (0..self.len() as u32).filter(|&other| other != entry).map(|other| (cosine(other), other)).collect();
        let before = |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if scored.len() > NEAREST {
            scored.select_nth_unstable_by(NEAREST, before);
            scored.truncate(NEAREST);
        }
        scored.sort_by(before);
        scored.into_iter().map(|(_, other)| other).collect()
    }

    pub(crate) fn moments(&self) -> &Moments {
        self.moments.get_or_init(|| {
            let (count, width) = (self.len(), self.rows.width);
            let column = |at: usize| self.rows.values.iter().skip(at).step_by(width);
            let mean: Vec<f64> = (0..width)
                .into_par_iter()
                .map(|at| column(at).map(|value| f64::from(*value)).sum::<f64>() / count as f64)
                .collect();
            let centred: Vec<Vec<f32>> = (0..width)
                .into_par_iter()
                .map(|at| column(at).map(|value| (f64::from(*value) - mean[at]) as f32).collect())
                .collect();
            let covariance = (0..width * width)
                .into_par_iter()
                .map(|at| (dot(&centred[at / width], &centred[at % width]) / count as f64) as f32)
                .collect();
            Moments { mean: mean.into_iter().map(|value| value as f32).collect(), covariance }
        })
    }
}

/// The mean of a word's rows.
pub(crate) fn mean_row(point: &Embedded, word: &Word) -> Vec<f32> {
    let mut mean = vec![0f64; point.rows.width];
    for &at in &word.pieces {
        mean.iter_mut().zip(point.rows.row(at)).for_each(|(sum, value)| *sum += f64::from(*value));
    }
    mean.into_iter().map(|sum| (sum / word.pieces.len() as f64) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;

    fn model() -> Linear {
        let table = vec![vec![1.0, 0.0], vec![2.0, 0.2], vec![0.0, 3.0], vec![-1.0, 0.0], vec![0.0, 0.0]];
        Linear::new(2, vec![1.0, 0.0, 0.0, 1.0], vec![0.0, 0.0]).with_words(table)
    }

    #[test]
    fn neighbours_by_cosine() {
        let vocabulary = Vocabulary::of(&model()).unwrap();
        let names: Vec<&str> = vocabulary.neighbours(0).iter().map(|&entry| vocabulary.text(entry)).collect();
        // b is 0.995, c is 0, d is -1; e has no direction and comes last.
        assert_eq!(names, ["b", "c", "d", "e"]);
    }

    #[test]
    fn moments_by_hand() {
        let vocabulary = Vocabulary::from_words(&model(), &["a", "c", "a", "two words", "!"]).unwrap();
        assert_eq!(vocabulary.len(), 2);
        // (1, 0) and (0, 3): mean (1/2, 3/2), deviations (1/2, -3/2) and (-1/2, 3/2).
        assert_eq!(vocabulary.moments().mean, [0.5, 1.5]);
        assert_eq!(vocabulary.moments().covariance, [0.25, -0.75, -0.75, 2.25]);
    }

    #[test]
    fn a_word_in_a_text_finds_its_entry() {
        let model = model();
        let vocabulary = Vocabulary::of(&model).unwrap();
        let point = model.embed(&["c x".into()]).unwrap().remove(0);
        let entries: Vec<_> = words_of(&point).iter().map(|word| vocabulary.entry(&point, word)).collect();
        assert_eq!(entries, [Some(2), None]);
        assert_eq!((vocabulary.find("d"), vocabulary.find("D")), (Some(3), None));
        assert!(matches!(Vocabulary::from_words(&model, &["!"]), Err(Error::NoWords)));
    }
}
