//! A text of a model that is the mean of its features: words, and the bigrams among them that it knows.
//!
//! Sums over the features of the first n words are kept for every n, so that a changed text costs as much as its new words.

use std::ops::Range;

use fissure_models::{Bag, Embedded, Input};

use super::Change;
use crate::words::Word;

#[derive(Debug)]
pub(crate) struct BagText<'a> {
    bag: &'a Bag<'a>,
    /// The text and its pair in lower case, and the bytes of the words there. Words behind the last that is read are among
    /// them: they move up when others go.
    lower: [String; 2],
    words: Vec<(usize, Range<usize>)>,
    /// For each n, what the features of the first n words add up to. A bigram counts with its second word.
    sums: Vec<Sum>,
    /// Features that are no words: the mark between a text and its pair.
    marks: Sum,
    /// How many words are read at most.
    most: usize,
}

/// Features, and the sum of their logits.
#[derive(Debug, Clone, PartialEq)]
struct Sum {
    logits: Vec<f64>,
    features: usize,
}

/// A text that is put together from new words and stretches of the original.
struct Assembly<'t> {
    text: &'t BagText<'t>,
    sum: Sum,
    words: usize,
    /// The last word so far, and the field it is in.
    last: String,
    field: Option<usize>,
    /// The word of the original that would come next if nothing were changed; `None` behind a new word.
    follows: Option<usize>,
    /// Room for a bigram.
    both: String,
}

impl<'a> BagText<'a> {
    pub fn new(bag: &'a Bag<'a>, input: Input<'_>, point: &Embedded, read: &[Word]) -> Self {
        let lower = [input.text, input.pair.unwrap_or_default()].map(str::to_ascii_lowercase);
        // The two texts of a pair give way to each other when they are cut, which is not followed here: what is read stays.
        let words: Vec<(usize, Range<usize>)> = match input.pair {
            None => bag.words(&lower[0]).map(|range| (0, range)).collect(),
            Some(_) => read.iter().map(|word| (usize::from(word.field), word.range.clone())).collect(),
        };
        let mut marks = Sum::none(bag.classes());
        let is_mark = |id: u32, has_source: bool| !has_source && id != bag.padding();
        let ids = point.pieces.iter().filter(|piece| is_mark(piece.id, piece.source.is_some()));
        ids.for_each(|piece| marks.add(bag.logits(piece.id)));
        let most = if input.pair.is_none() { bag.most() } else { usize::MAX };
        let mut text = Self { bag, lower, words, sums: Vec::new(), marks, most };
        text.sums = text.running_sums();
        text
    }

    fn running_sums(&self) -> Vec<Sum> {
        let mut whole = Assembly { sum: Sum::none(self.bag.classes()), ..Assembly::new(self) };
        let mut sums = vec![whole.sum.clone()];
        for at in 0..self.words.len() {
            whole.add_word(self.words[at].0, self.word(at));
            sums.push(whole.sum.clone());
        }
        sums
    }

    fn word(&self, at: usize) -> &str {
        let (field, range) = &self.words[at];
        &self.lower[*field][range.clone()]
    }

    pub fn logits(&self, changes: &[Change<'_>]) -> Vec<f64> {
        let mut changed = Assembly::new(self);
        let mut next = 0;
        for change in changes {
            changed.add_stretch(next..change.old.start);
            change.new.iter().for_each(|word| changed.add_new(change.field, &word.text));
            next = change.old.end;
        }
        changed.add_stretch(next..self.words.len());
        changed.mean()
    }
}

impl<'t> Assembly<'t> {
    fn new(text: &'t BagText<'t>) -> Self {
        Self {
            text,
            sum: text.marks.clone(),
            words: 0,
            last: String::new(),
            field: None,
            follows: Some(0),
            both: String::new(),
        }
    }

    /// Adds words of the original, as many as are still read.
    fn add_stretch(&mut self, words: Range<usize>) {
        let mut start = words.start;
        let end = words.end.min(start.saturating_add(self.text.most.saturating_sub(self.words)));
        if start >= end {
            return;
        }
        if self.follows != Some(start) {
            self.add_word(self.text.words[start].0, self.text.word(start));
            start += 1;
        }
        if start < end {
            self.sum.add_between(&self.text.sums[start], &self.text.sums[end]);
            self.words += end - start;
            self.field = Some(self.text.words[end - 1].0);
            self.last.clear();
            self.last.push_str(self.text.word(end - 1));
        }
        self.follows = Some(end);
    }

    /// Adds a new word, if it is still read.
    fn add_new(&mut self, field: usize, word: &str) {
        if self.words < self.text.most {
            self.add_word(field, word);
            self.follows = None;
        }
    }

    fn add_word(&mut self, field: usize, word: &str) {
        let bag = self.text.bag;
        self.sum.add(bag.logits(bag.word(word)));
        if self.field == Some(field) {
            self.both.clear();
            self.both.extend([self.last.as_str(), " ", word]);
            if let Some(bigram) = bag.bigram(&self.both) {
                self.sum.add(bag.logits(bigram));
            }
        }
        self.words += 1;
        self.field = Some(field);
        self.last.clear();
        self.last.push_str(word);
    }

    /// The mean over the features, with padding if there are too few words.
    fn mean(mut self) -> Vec<f64> {
        let (bag, mut words) = (self.text.bag, self.words + self.text.marks.features);
        while words < bag.fewest() {
            self.sum.add(bag.logits(bag.padding()));
            words += 1;
        }
        let features = self.sum.features.max(1) as f64;
        self.sum.logits.iter().map(|sum| sum / features).collect()
    }
}

impl Sum {
    fn none(classes: usize) -> Self {
        Self { logits: vec![0.0; classes], features: 0 }
    }

    fn add(&mut self, logits: &[f32]) {
        self.logits.iter_mut().zip(logits).for_each(|(sum, value)| *sum += f64::from(*value));
        self.features += 1;
    }

    /// Adds what came between two running sums.
    fn add_between(&mut self, from: &Self, to: &Self) {
        let between = from.logits.iter().zip(&to.logits);
        self.logits.iter_mut().zip(between).for_each(|(sum, (from, to))| *sum += to - from);
        self.features += to.features - from.features;
    }
}
