//! The straight line through a text: what replacing each word does to each margin, to first order.

use fissure_models::{Embedded, Gradient, Matrix};

use super::replaced_words::ReplacedWords;
use crate::survey::Survey;
use crate::vectors::{add_to, dot, quadratic};
use crate::vocabulary::{Vocabulary, mean_row};
use crate::words::{Word, words_of};
use crate::{Confidence, Draw, EditLaw, Rival};

/// One text made linear. A word of several pieces moves as one: its slope is the sum of theirs, its place the mean.
#[derive(Debug, Clone)]
pub struct Surrogate {
    /// For each rival its margin now, and its slope at every word.
    pub(super) rivals: Vec<Line>,
    /// Where the words are.
    pub(super) places: Matrix,
    /// Their entries in the vocabulary.
    pub(super) entries: Vec<Option<u32>>,
}

#[derive(Debug, Clone)]
pub(super) struct Line {
    pub margin: f64,
    pub slopes: Matrix,
    /// The shift by the features that vanish with each word. A row that leaves a mean moves that mean as if the row
    /// had moved to it.
    pub vanishing: Vec<f64>,
    /// The shift if no other word attends to a word; 0 for models without attention.
    pub absences: Vec<f64>,
}

/// A margin now, and the mean and variance of its first-order shift by an edit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    pub margin: f64,
    pub mean: f64,
    pub variance: f64,
}

/// The mean shift of a replaced word, its variance between words, and the mean variance within a word.
struct WordMoments {
    mean: f64,
    between: f64,
    within: f64,
}

impl Surrogate {
    pub fn new(survey: &Survey, point: &Embedded, vocabulary: &Vocabulary) -> Self {
        let words = words_of(point);
        Self {
            rivals: Line::all(&survey.confidence, &survey.rivals, point, &words),
            places: places_of(point, &words),
            entries: words.iter().map(|word| vocabulary.entry(point, word)).collect(),
        }
    }

    /// The shift of every margin under the law; empty for a text without words.
    pub fn shifts(&self, vocabulary: &Vocabulary, law: &EditLaw) -> Vec<Shift> {
        self.shifts_at(vocabulary, law.draw, &[*law]).pop().unwrap_or_default()
    }

    /// The same for several shares of words at once, from the same gradient: the whole curve of p_flip.
    pub fn shifts_at(&self, vocabulary: &Vocabulary, draw: Draw, laws: &[EditLaw]) -> Vec<Vec<Shift>> {
        let n = self.entries.len();
        if n == 0 {
            return vec![Vec::new(); laws.len()];
        }
        let moments: Vec<WordMoments> =
            self.rivals.iter().map(|line| self.word_moments(line, vocabulary, draw)).collect();
        let shift = |counts: &ReplacedWords, (line, word): (&Line, &WordMoments)| Shift {
            margin: line.margin,
            mean: counts.mean * word.mean,
            variance: counts.mean * word.within
                + counts.cross / (n.max(2) - 1) as f64 * word.between
                + counts.variance * word.mean * word.mean,
        };
        let under = |law: &EditLaw| {
            let counts = ReplacedWords::new(law, n);
            self.rivals.iter().zip(&moments).map(|pair| shift(&counts, pair)).collect()
        };
        laws.iter().map(under).collect()
    }

    fn word_moments(&self, line: &Line, vocabulary: &Vocabulary, draw: Draw) -> WordMoments {
        let n = self.entries.len();
        let (means, within): (Vec<f64>, Vec<f64>) = (0..n)
            .map(|at| match draw {
                Draw::Random => {
                    let moments = vocabulary.moments();
                    let slope = line.slopes.row(at);
                    let mean = dot(slope, &moments.mean) - dot(slope, self.places.row(at)) + line.vanishing[at];
                    (mean, quadratic(&moments.covariance, slope))
                }
                Draw::Neighbours => self.candidate_moments(line, vocabulary, at),
            })
            .unzip();
        let mean = means.iter().sum::<f64>() / n as f64;
        WordMoments {
            mean,
            between: means.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n as f64,
            within: within.iter().sum::<f64>() / n as f64,
        }
    }

    fn candidate_moments(&self, line: &Line, vocabulary: &Vocabulary, at: usize) -> (f64, f64) {
        let candidates = self.entries[at].map_or(&[][..], |entry| vocabulary.neighbours(entry));
        if candidates.is_empty() {
            return (0.0, 0.0);
        }
        let shifts: Vec<f64> = candidates.iter().map(|&entry| self.single(line, vocabulary, at, entry)).collect();
        let mean = shifts.iter().sum::<f64>() / shifts.len() as f64;
        (mean, shifts.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / shifts.len() as f64)
    }

    /// The shift of a margin when the word `at` becomes `entry`.
    fn single(&self, line: &Line, vocabulary: &Vocabulary, at: usize, entry: u32) -> f64 {
        let slope = line.slopes.row(at);
        dot(slope, vocabulary.row(entry)) - dot(slope, self.places.row(at)) + line.vanishing[at]
    }

    /// The margins after this very edit, to first order; one for each rival.
    pub fn margins_after(&self, vocabulary: &Vocabulary, changes: &[(usize, u32)]) -> Vec<f64> {
        let after = |line: &Line| {
            line.margin + changes.iter().map(|&(at, entry)| self.single(line, vocabulary, at, entry)).sum::<f64>()
        };
        self.rivals.iter().map(after).collect()
    }
}

impl Line {
    /// The line of every rival.
    pub fn all(confidence: &Confidence, rivals: &[Rival], point: &Embedded, words: &[Word]) -> Vec<Self> {
        let centre = mean_of_rows(&point.rows);
        let line = |rival: &Rival| {
            let slopes = words.iter().flat_map(|word| sum_of_rows(&rival.gradient, word)).collect();
            let leaves =
                |&at: &usize| dot(rival.gradient.row(at), &centre) - dot(rival.gradient.row(at), point.rows.row(at));
            Self {
                margin: confidence.margin_to(rival.class),
                slopes: Matrix { width: point.rows.width, values: slopes },
                vanishing: words.iter().map(|word| word.features.iter().map(leaves).sum()).collect(),
                absences: words.iter().map(|word| absence(&rival.gradient, word)).collect(),
            }
        };
        rivals.iter().map(line).collect()
    }
}

/// Where the words are.
pub(super) fn places_of(point: &Embedded, words: &[Word]) -> Matrix {
    Matrix { width: point.rows.width, values: words.iter().flat_map(|word| mean_row(point, word)).collect() }
}

fn sum_of_rows(gradient: &Gradient, word: &Word) -> Vec<f32> {
    let mut sum = vec![0.0; gradient.kept().width];
    word.pieces.iter().for_each(|&at| add_to(&mut sum, gradient.row(at)));
    sum
}

/// What is gained if nobody attends to the pieces of a word.
fn absence(gradient: &Gradient, word: &Word) -> f64 {
    word.pieces.iter().filter_map(|&at| gradient.absences().get(at)).map(|gained| f64::from(*gained)).sum()
}

pub(super) fn mean_of_rows(rows: &Matrix) -> Vec<f32> {
    let mut sum = vec![0.0; rows.width];
    (0..rows.count()).for_each(|at| add_to(&mut sum, rows.row(at)));
    sum.iter_mut().for_each(|value| *value /= rows.count().max(1) as f32);
    sum
}
