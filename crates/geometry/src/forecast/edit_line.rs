//! The straight line through a text for edits of any kind: what the words that they put in, take out or exchange do to each
//! margin, to first order.
//!
//! An edit is widened to the white space around it, and the words that the model reads there before and after are compared.
//! A model that answers changed texts from what is known of the original ([`ExactText`]) says what they do. For other models as
//! many words after as before each move to their new row; if there are more or fewer, the words move as one, to the mean of the
//! new rows, and words that are deleted move to the mean of the text. A word that is inserted between words has no slope to
//! move along: its effect is taken as 0, and the calibration, which sees what it did, makes a calibrated margin of the forecast.
//!
//! In a model with attention a row of the table says little: what a word does is what others find when they attend to it, and a
//! slip leaves nothing to find. So a change has two prices, along the slopes and by the absence of the old words; the
//! [calibration](super::blend) learns how much of each a part pays.

use std::ops::Range;
use std::sync::Arc;

use fissure_core::Edit;
use fissure_models::{Embedded, Input, Matrix};

use super::blend::Price;
use super::exact::{Change, ExactModel, ExactText};
use super::readings::{ReadWord, Reading, Readings};
use super::surrogate::{Line, mean_of_rows, places_of};
use crate::Result;
use crate::survey::Decision;
use crate::vectors::dot;
use crate::words::{Word, words_of};

/// One text made linear.
#[derive(Debug)]
pub(crate) struct EditLine<'a> {
    input: Input<'a>,
    words: Vec<Word>,
    ids: Vec<Vec<u32>>,
    /// The margin to each rival now.
    margins: Vec<f64>,
    prices: Prices<'a>,
    /// Words from this byte on are not read, field by field.
    unread: [usize; 2],
}

/// What says how far a change moves a margin.
#[derive(Debug)]
enum Prices<'a> {
    Exact(Exact<'a>),
    Slopes(Slopes),
}

/// A straight line.
#[derive(Debug)]
struct Slopes {
    rivals: Vec<Line>,
    places: Matrix,
    centre: Vec<f32>,
}

/// A text that needs no slopes.
#[derive(Debug)]
struct Exact<'a> {
    text: ExactText<'a>,
    predicted: usize,
    /// The class of each rival, and the margin to it now.
    rivals: Vec<(usize, f64)>,
}

/// How several changed stretches of a text are priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pricing {
    /// All of them at once, as the model would read them.
    Together,
    /// The sum of what each does by itself: what a law can say, whose places are drawn one by one.
    Apart,
}

/// What an edit does to the words of a text: these become those.
#[derive(Debug, Clone, PartialEq)]
struct Region {
    field: usize,
    words: Range<usize>,
    new: String,
}

impl<'a> EditLine<'a> {
    /// `exact` is the model, if it is one that answers changed texts from what is known of the original.
    pub fn new(input: Input<'a>, point: &Embedded, decision: &Decision, exact: Option<&'a ExactModel<'a>>) -> Self {
        let Decision { confidence, rivals } = decision;
        let words = words_of(point);
        let end = |field: u8| {
            let last = words.iter().filter(|word| word.field == field).map(|word| word.range.end).max();
            if point.truncated { last.unwrap_or(0) } else { usize::MAX }
        };
        Self {
            input,
            prices: match exact {
                Some(model) => Prices::Exact(Exact::new(model.text(input, point, &words), decision)),
                None => Prices::Slopes(Slopes {
                    rivals: Line::all(confidence, rivals, point, &words),
                    places: places_of(point, &words),
                    centre: mean_of_rows(&point.rows),
                }),
            },
            ids: words.iter().map(|word| word.ids(point)).collect(),
            margins: rivals.iter().map(|rival| confidence.margin_to(rival.class)).collect(),
            unread: [end(0), end(1)],
            words,
        }
    }

    /// The margin to each rival now.
    pub fn margins(&self) -> impl Iterator<Item = f64> {
        self.margins.iter().copied()
    }

    /// For each list of edits the price of every margin. [`Pricing::Apart`] adds up what each stretch of changed words does by
    /// itself; a straight line knows no difference.
    pub fn prices(&self, lists: &[&[Edit]], by: Pricing, readings: &Readings<'_>) -> Result<Vec<Vec<Price>>> {
        let regions: Vec<Vec<Region>> = lists.iter().map(|edits| self.regions(edits)).collect();
        let texts: Vec<&str> = regions.iter().flatten().map(|region| region.new.as_str()).collect();
        let read = readings.of(&texts)?;
        let mut rest = &read[..];
        let shift = |regions: &Vec<Region>| {
            let (now, later) = rest.split_at(regions.len());
            rest = later;
            let changes: Vec<Change<'_>> =
                regions.iter().zip(now).filter_map(|(region, reading)| self.change(region, reading)).collect();
            match (&self.prices, by) {
                (Prices::Exact(exact), Pricing::Together) => exact.price(&changes),
                (Prices::Exact(exact), Pricing::Apart) => self.sum(changes.chunks(1).map(|change| exact.price(change))),
                (Prices::Slopes(slopes), _) => self.sum(changes.iter().map(|change| slopes.price(change))),
            }
        };
        Ok(regions.iter().map(shift).collect())
    }

    fn sum(&self, prices: impl Iterator<Item = Vec<Price>>) -> Vec<Price> {
        let mut sum = vec![Price::default(); self.margins.len()];
        prices.for_each(|one| sum.iter_mut().zip(one).for_each(|(sum, price)| sum.add(price)));
        sum
    }

    fn regions(&self, edits: &[Edit]) -> Vec<Region> {
        let mut regions: Vec<(usize, Range<usize>, String)> = Vec::new();
        for edit in edits {
            let Some(text) = self.text(edit.field) else { continue };
            let (start, end) = (edit.span.start, edit.span.end);
            let is_space = |c: char| c.is_whitespace();
            let from =
                text.get(..start).map_or(0, |before| before.rfind(is_space).map_or(0, |at| at + width_at(before, at)));
            let to = end_of_run(text, end);
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
            (range.start < self.unread[field]).then(|| Region { field, words: self.inside(field, &range), new })
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

    /// The words of a region that are not read alike before and after; `None` if all are.
    fn change<'r>(&self, region: &Region, reading: &'r Arc<Reading>) -> Option<Change<'r>> {
        let (mut old, mut new) = (region.words.clone(), &reading.words[..]);
        while let (Some(first), [next, rest @ ..]) = (old.clone().next(), new) {
            if !self.is_read_alike(first, next) {
                break;
            }
            (old.start, new) = (first + 1, rest);
        }
        while let (Some(last), [rest @ .., next]) = (old.clone().next_back(), new) {
            if !self.is_read_alike(last, next) {
                break;
            }
            (old.end, new) = (last, rest);
        }
        (!old.is_empty() || !new.is_empty()).then_some(Change { field: region.field, old, new })
    }

    /// Unknown words are alike, except to a bag of features: an unknown word can be part of a known bigram.
    fn is_read_alike(&self, word: usize, new: &ReadWord) -> bool {
        match &self.prices {
            Prices::Exact(Exact { text: ExactText::Bag(_), .. }) => {
                self.words[word].text(&self.input).eq_ignore_ascii_case(&new.text)
            }
            _ => self.ids[word] == new.ids,
        }
    }
}

impl Slopes {
    /// The price of a change for each margin.
    fn price(&self, change: &Change<'_>) -> Vec<Price> {
        let price = |line: &Line| Price {
            moved: self.moved(line, change.old.clone(), change.new),
            absent: line.absences[change.old.clone()].iter().sum(),
        };
        self.rivals.iter().map(price).collect()
    }

    /// The shift of a margin when the words `old` become the words `new`.
    fn moved(&self, line: &Line, old: Range<usize>, new: &[ReadWord]) -> f64 {
        let vanishing: f64 = line.vanishing[old.clone()].iter().sum();
        let leaves = |at: usize| dot(line.slopes.row(at), self.places.row(at));
        if old.len() == new.len() {
            let each = old.zip(new).map(|(at, word)| dot(line.slopes.row(at), &word.row) - leaves(at));
            return each.sum::<f64>() + vanishing;
        }
        if old.is_empty() {
            return 0.0;
        }
        let target = if new.is_empty() { self.centre.clone() } else { mean_of(new.iter().map(|word| &word.row[..])) };
        let here = mean_of(old.clone().map(|at| self.places.row(at)));
        old.map(|at| dot(line.slopes.row(at), &target) - dot(line.slopes.row(at), &here)).sum::<f64>() + vanishing
    }
}

impl<'a> Exact<'a> {
    fn new(text: ExactText<'a>, decision: &Decision) -> Self {
        let (logits, predicted) = (text.logits(&[]), decision.confidence.predicted);
        let rival = |rival: &crate::Rival| (rival.class, logits[predicted] - logits[rival.class]);
        Self { text, predicted, rivals: decision.rivals.iter().map(rival).collect() }
    }

    /// The price of the changes for each margin.
    fn price(&self, changes: &[Change<'_>]) -> Vec<Price> {
        if changes.is_empty() {
            return vec![Price::default(); self.rivals.len()];
        }
        let logits = self.text.logits(changes);
        let moved = |(rival, now): &(usize, f64)| logits[self.predicted] - logits[*rival] - now;
        self.rivals.iter().map(|rival| Price { moved: moved(rival), absent: 0.0 }).collect()
    }
}

/// Where the white space behind a byte begins. A `<br />`, which has a space inside, is not divided: its first half alone would
/// be read as a word.
fn end_of_run(text: &str, from: usize) -> usize {
    let space = |from: usize| text.get(from..).and_then(|rest| rest.find(char::is_whitespace)).map(|at| from + at);
    let mut end = space(from);
    while let Some(at) = end.filter(|at| text[..*at].ends_with("<br") && text[*at..].starts_with(" />")) {
        end = space(at + " />".len());
    }
    end.unwrap_or(text.len())
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

    use super::*;
    use crate::Confidence;
    use crate::survey::decide;
    use crate::testing::Linear;

    /// The rows of a, b, c, ... are 0, 1, 2, ...; the margin is twice their sum.
    fn model() -> Linear {
        Linear::new(1, vec![1.0, -1.0], vec![0.0, 0.0]).with_words((0..26).map(|k| vec![k as f32]).collect())
    }

    fn shift(text: &str, edits: &[Edit]) -> f64 {
        let model = model();
        let input = Input::from(text);
        let point = model.embed(&[input]).unwrap().remove(0);
        let decision = decide(&model, std::slice::from_ref(&point), &Confidence::rivals).unwrap().remove(0);
        let line = EditLine::new(input, &point, &decision, None);
        line.prices(&[edits], Pricing::Together, &Readings::new(&model)).unwrap()[0][0].moved
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
}
