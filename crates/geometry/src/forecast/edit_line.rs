//! The straight line through a text for edits of any kind: what the words that they put in, take out or exchange do to each
//! margin, to first order.
//!
//! An edit is widened to the white space around it, and the words that the model reads there before and after are compared.
//! As many after as before: each moves to its new row. More or fewer: for a bag of words the effect on the mean is exact in
//! the numerator, for a cnn the windows that touch the edit say the effect exactly, from sums that are kept; for other models the words move as one, to the mean of the new rows, and words that are deleted move to the mean of
//! the text. A word that is inserted where there was none has no slope to move along: its effect is taken as 0, and the
//! calibration, which sees what it did, makes a calibrated margin of the forecast.

use std::ops::Range;
use std::sync::Arc;

use fissure_core::Edit;
use fissure_models::{Embedded, Input, Matrix, Saved, Windows};

use super::readings::{ReadWord, Reading, Readings};
use super::surrogate::{Line, mean_of_rows, places_of};
use crate::Result;
use crate::survey::Survey;
use crate::vectors::dot;
use crate::words::{Word, words_of};

/// One text made linear.
#[derive(Debug)]
pub(crate) struct EditLine<'a> {
    input: Input<'a>,
    words: Vec<Word>,
    ids: Vec<Vec<u32>>,
    rivals: Vec<Line>,
    places: Matrix,
    centre: Vec<f32>,
    /// The number of features, if the model is their mean.
    averaged: Option<usize>,
    /// The windows of the text, if the model takes the highest of them.
    peaks: Option<Peaks<'a>>,
    /// Words from this byte on are not read, field by field.
    unread: [usize; 2],
}

/// A text of a model that takes the highest of its windows.
#[derive(Debug)]
struct Peaks<'a> {
    windows: &'a Windows<'a>,
    saved: Saved,
    /// The model reads at most as many words as the text has.
    is_cut: bool,
    predicted: usize,
    /// The class of each rival.
    rivals: Vec<usize>,
}

/// What an edit does to the words of a text: these become those.
#[derive(Debug, Clone, PartialEq)]
struct Region {
    words: Range<usize>,
    new: String,
}

impl<'a> EditLine<'a> {
    /// `is_bag` and `windows` say what kind of model it is.
    pub fn new(
        input: Input<'a>,
        point: &Embedded,
        survey: &Survey,
        is_bag: bool,
        windows: Option<&'a Windows<'a>>,
    ) -> Self {
        let words = words_of(point);
        let ids: Vec<Vec<u32>> = words.iter().map(|word| word.ids(point)).collect();
        let end = |field: u8| {
            let last = words.iter().filter(|word| word.field == field).map(|word| word.range.end).max();
            if point.truncated { last.unwrap_or(0) } else { usize::MAX }
        };
        Self {
            input,
            peaks: windows.map(|windows| Peaks {
                windows,
                saved: windows.save(&ids.concat()),
                is_cut: point.truncated,
                predicted: survey.confidence.predicted,
                rivals: survey.rivals.iter().map(|rival| rival.class).collect(),
            }),
            ids,
            rivals: Line::all(survey, point, &words),
            places: places_of(point, &words),
            centre: mean_of_rows(&point.rows),
            averaged: is_bag.then(|| point.rows.count()),
            unread: [end(0), end(1)],
            words,
        }
    }

    /// The margin to each rival now.
    pub fn margins(&self) -> impl Iterator<Item = f64> {
        self.rivals.iter().map(|line| line.margin)
    }

    /// For each list of edits the shift of every margin.
    pub fn shifts(&self, lists: &[&[Edit]], readings: &Readings<'_>) -> Result<Vec<Vec<f64>>> {
        let regions: Vec<Vec<Region>> = lists.iter().map(|edits| self.regions(edits)).collect();
        let texts: Vec<&str> = regions.iter().flatten().map(|region| region.new.as_str()).collect();
        let mut read = readings.of(&texts)?.into_iter();
        let shift = |regions: &Vec<Region>| {
            let mut sum = vec![0.0; self.rivals.len()];
            for (region, reading) in regions.iter().zip(read.by_ref().take(regions.len())) {
                self.add(region, &reading, &mut sum);
            }
            sum
        };
        Ok(regions.iter().map(shift).collect())
    }

    fn regions(&self, edits: &[Edit]) -> Vec<Region> {
        let mut regions: Vec<(usize, Range<usize>, String)> = Vec::new();
        for edit in edits {
            let Some(text) = self.text(edit.field) else { continue };
            let (start, end) = (edit.span.start, edit.span.end);
            let is_space = |c: char| c.is_whitespace();
            let from =
                text.get(..start).map_or(0, |before| before.rfind(is_space).map_or(0, |at| at + width_at(before, at)));
            let to = text.get(end..).map_or(text.len(), |after| after.find(is_space).map_or(text.len(), |at| end + at));
            let (Some(before), Some(after)) = (text.get(from..start), text.get(end..to)) else { continue };
            match regions.last_mut() {
                // Two edits of one run of letters: the second continues what the first made of it.
                Some((field, range, new)) if *field == edit.field && from < range.end => {
                    let kept = text.get(start..range.end).map_or(0, str::len);
                    new.truncate(new.len().saturating_sub(kept));
                    new.push_str(&edit.with);
                    new.push_str(after);
                    range.end = to.max(range.end);
                }
                _ => regions.push((edit.field, from..to, format!("{before}{}{after}", edit.with))),
            }
        }
        let region = |(field, range, new): (usize, Range<usize>, String)| {
            (range.start < self.unread[field]).then(|| Region { words: self.inside(field, &range), new })
        };
        regions.into_iter().filter_map(region).collect()
    }

    fn text(&self, field: usize) -> Option<&'a str> {
        match field {
            0 => Some(self.input.text),
            1 => self.input.pair,
            _ => None,
        }
    }

    /// The words within these bytes.
    fn inside(&self, field: usize, range: &Range<usize>) -> Range<usize> {
        let of = |word: &Word| (usize::from(word.field), word.range.end) <= (field, range.start);
        let first = self.words.partition_point(of);
        let inside = |word: &&Word| usize::from(word.field) == field && word.range.start < range.end;
        first..first + self.words[first..].iter().take_while(inside).count()
    }

    /// Adds what happens in a region to the shift of each margin.
    fn add(&self, region: &Region, reading: &Arc<Reading>, sum: &mut [f64]) {
        let (mut old, mut new) = (region.words.clone(), &reading.words[..]);
        // What the model reads alike before and after has not moved.
        while let (Some(first), [next, rest @ ..]) = (old.clone().next(), new) {
            if self.ids[first] != next.ids {
                break;
            }
            (old.start, new) = (first + 1, rest);
        }
        while let (Some(last), [rest @ .., next]) = (old.clone().next_back(), new) {
            if self.ids[last] != next.ids {
                break;
            }
            (old.end, new) = (last, rest);
        }
        if let Some(peaks) = self.peaks.as_ref().filter(|_| old.len() != new.len()) {
            let before = self.ids[..old.start].iter().chain(new.iter().map(|word| &word.ids));
            let ids: Vec<u32> = before.chain(&self.ids[old.end..]).flatten().copied().collect();
            let margins = peaks.margins(&ids);
            for ((line, after), sum) in self.rivals.iter().zip(margins).zip(sum) {
                *sum += after - line.margin;
            }
            return;
        }
        for (line, sum) in self.rivals.iter().zip(sum) {
            *sum += self.moved(line, old.clone(), new);
        }
    }

    /// The shift of a margin when the words `old` become the words `new`.
    fn moved(&self, line: &Line, old: Range<usize>, new: &[ReadWord]) -> f64 {
        let vanishing: f64 = line.vanishing[old.clone()].iter().sum();
        let leaves = |at: usize| dot(line.slopes.row(at), self.places.row(at));
        if old.len() == new.len() {
            let each = old.zip(new).map(|(at, word)| dot(line.slopes.row(at), &word.row) - leaves(at));
            return each.sum::<f64>() + vanishing;
        }
        if let Some(count) = self.averaged {
            // Below a mean all slopes are the same; a row that comes moves the mean as if it had been there at the mean before.
            if line.slopes.count() == 0 {
                return 0.0;
            }
            let slope = line.slopes.row(0);
            let centre = dot(slope, &self.centre);
            let come: f64 = new.iter().map(|word| dot(slope, &word.row) - centre).sum();
            let gone: f64 = old.clone().map(|at| dot(slope, self.places.row(at)) - centre).sum();
            let after = (count + new.len()).saturating_sub(old.len()).max(1);
            return (come - gone) * count as f64 / after as f64 + vanishing;
        }
        if old.is_empty() {
            return 0.0;
        }
        let target = if new.is_empty() { self.centre.clone() } else { mean_of(new.iter().map(|word| &word.row[..])) };
        let here = mean_of(old.clone().map(|at| self.places.row(at)));
        old.map(|at| dot(line.slopes.row(at), &target) - dot(line.slopes.row(at), &here)).sum::<f64>() + vanishing
    }
}

impl Peaks<'_> {
    /// The margin to each rival if the model reads these words.
    fn margins(&self, ids: &[u32]) -> impl Iterator<Item = f64> {
        let most = if self.is_cut { self.saved.ids().len() } else { ids.len() };
        let logits = self.windows.logits(&self.saved, &ids[..ids.len().min(most)]);
        self.rivals.iter().map(move |rival| f64::from(logits[self.predicted]) - f64::from(logits[*rival]))
    }
}

/// The bytes of the character at `at`.
fn width_at(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

fn mean_of<'r>(rows: impl Iterator<Item = &'r [f32]>) -> Vec<f32> {
    let mut sum: Vec<f32> = Vec::new();
    let mut count = 0;
    for row in rows {
        if sum.is_empty() {
            sum = vec![0.0; row.len()];
        }
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        count += 1;
    }
    sum.iter_mut().for_each(|value| *value /= count.max(1) as f32);
    sum
}

#[cfg(test)]
mod tests {
    use fissure_models::WhiteBox as _;
    use fissure_models::train::{Architecture, Example, TrainOptions, train};

    use super::*;
    use crate::testing::Linear;
    use crate::{Space, survey};

    /// The rows of a, b, c, ... are 0, 1, 2, ...; the margin is twice their sum.
    fn model() -> Linear {
        Linear::new(1, vec![1.0, -1.0], vec![0.0, 0.0]).with_words((0..26).map(|k| vec![k as f32]).collect())
    }

    fn shift(text: &str, edits: &[Edit]) -> f64 {
        let model = model();
        let input = Input::from(text);
        let point = model.embed(&[input]).unwrap().remove(0);
        let survey = survey(&model, std::slice::from_ref(&point), Space::Tokens).unwrap().remove(0);
        let line = EditLine::new(input, &point, &survey, false, None);
        line.shifts(&[edits], &Readings::new(&model)).unwrap()[0][0]
    }

    #[test]
    fn words_that_are_exchanged_move_the_margin_by_their_rows() {
        // b (1) becomes d (3).
        assert_eq!(shift("a b c", &[Edit::replace(2..3, "d")]), 4.0);
        // Two edits of one run of letters: b c becomes d e, with a sign between that the model does not read.
        assert_eq!(shift("a b-c", &[Edit::replace(2..3, "d"), Edit::replace(4..5, "e")]), 8.0);
        assert_eq!(shift("a b c", &[Edit::replace(0..1, "c"), Edit::replace(4..5, "a")]), 0.0);
        // Nothing that the model reads.
        assert_eq!(shift("a b, c", &[Edit::replace(3..4, ";")]), 0.0);
    }

    #[test]
    fn words_that_come_and_go() {
        // b becomes d and f, together at their mean 4.
        assert_eq!(shift("a b c", &[Edit::replace(2..3, "d f")]), 6.0);
        // c goes: it moves to the mean of the text, (0 + 1 + 2) / 3.
        assert!((shift("a b c", &[Edit::delete(3..5)]) + 2.0).abs() < 1e-6);
        // Where there was no word there is no slope.
        assert_eq!(shift("a c", &[Edit::insert(2, "z ")]), 0.0);
    }

    #[test]
    fn what_comes_into_a_cnn_moves_the_margin_as_the_model_does() {
        let words = ["good", "bad", "film", "plot", "fine", "dull"];
        let text = |seed: usize| -> String {
            let word = |at: usize| words[(seed * 7 + at * at * 3 + at * seed) % words.len()];
            (0..9).map(word).collect::<Vec<_>>().join(" ")
        };
        let example = |seed: usize| Example { text: text(seed), pair: None, label: seed % 2, source: None };
        let examples: Vec<Example> = (0..40).map(example).collect();
        let options = TrainOptions { epochs: 2, validation: 0.0, ..TrainOptions::new(Architecture::Cnn) };
        let model = train(&examples, &["no", "yes"].map(str::to_owned), &options, &mut |_| {}).unwrap().model;
        let windows = model.windows().unwrap();
        let margin = |text: &str, predicted: usize| {
            let logits = model.logits_at(&model.embed(&[Input::from(text)]).unwrap()).unwrap().remove(0);
            f64::from(logits[predicted]) - f64::from(logits[1 - predicted])
        };
        for seed in 0..10 {
            let text = text(seed);
            let input = Input::from(text.as_str());
            let point = model.embed(&[input]).unwrap().remove(0);
            let survey = survey(&*model, std::slice::from_ref(&point), Space::Tokens).unwrap().remove(0);
            let line = EditLine::new(input, &point, &survey, false, Some(&windows));
            let space = text.find(' ').unwrap();
            let edits = [
                Edit::insert(space, " bad dull"),
                Edit::delete(0..space + 1),
                Edit::insert(text.len(), " plot fine film"),
            ];
            for edit in edits {
                let changed = format!("{}{}{}", &text[..edit.span.start], edit.with, &text[edit.span.end..]);
                let predicted = survey.confidence.predicted;
                let shift = line.shifts(&[std::slice::from_ref(&edit)], &Readings::new(&*model)).unwrap()[0][0];
                let truth = margin(&changed, predicted) - margin(&text, predicted);
                assert!((shift - truth).abs() < 1e-4, "{text} > {changed}: {shift} and {truth}");
            }
        }
    }
}
