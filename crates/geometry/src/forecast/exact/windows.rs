//! A text of a model that takes the highest of its windows: those that touch a change say what it does.

use std::cell::RefCell;
use std::collections::HashMap;

use fissure_models::{Embedded, Saved, Windows};

use super::Change;
use crate::words::Word;

/// The row of padding, which a text without enough words for the widest window is filled up with.
const PAD: u32 = 0;

/// A change, as the model reads it: the first word, the word behind the last, and the new ones.
type Read = (usize, usize, Vec<u32>);

#[derive(Debug)]
pub(crate) struct WindowsText<'a> {
    windows: &'a Windows<'a>,
    saved: Saved,
    /// Where each word is among the rows that are read.
    at: Vec<usize>,
    /// How many rows are read at least and at most.
    fewest: usize,
    most: usize,
    /// Slips of many kinds make the same unknown word of a word: its effect is worked out once.
    known: RefCell<HashMap<Read, Vec<f64>>>,
}

impl<'a> WindowsText<'a> {
    pub fn new(windows: &'a Windows<'a>, point: &Embedded, words: &[Word]) -> Self {
        let ids: Vec<u32> = point.pieces.iter().map(|piece| piece.id).collect();
        let at: Vec<usize> = words.iter().filter_map(|word| word.pieces.first().copied()).collect();
        Self {
            windows,
            saved: windows.save(&ids),
            at,
            fewest: windows.filters().map(|filters| filters.span).max().unwrap_or(0),
            most: windows.most(),
            known: RefCell::default(),
        }
    }

    pub fn logits(&self, changes: &[Change<'_>]) -> Vec<f64> {
        let [change] = changes else { return self.read(changes) };
        let new = change.new.iter().flat_map(|word| word.ids.iter().copied()).collect();
        let read = (change.old.start, change.old.end, new);
        if let Some(known) = self.known.borrow().get(&read) {
            return known.clone();
        }
        let found = self.read(changes);
        self.known.borrow_mut().insert(read, found.clone());
        found
    }

    fn read(&self, changes: &[Change<'_>]) -> Vec<f64> {
        let rows = self.saved.ids();
        let end = self.at.last().map_or(0, |last| last + 1);
        // Where a word is, or would be behind the last.
        let place = |word: usize| self.at.get(word).copied().unwrap_or(end);
        let mut ids: Vec<u32> = Vec::with_capacity(rows.len() + 8);
        let mut next = 0;
        for change in changes {
            let first = if change.old.is_empty() && change.field == 0 && change.old.start > 0 {
                // Behind the word before, so that a new last word of a text does not land in its pair.
                place(change.old.start - 1) + 1
            } else {
                place(change.old.start)
            };
            ids.extend(&rows[next..first.max(next)]);
            ids.extend(change.new.iter().flat_map(|word| &word.ids));
            next = first.max(next);
            if let Some(last) = change.old.clone().next_back() {
                next = place(last) + 1;
            }
        }
        ids.extend(&rows[next..end.max(next)]);
        ids.truncate(self.most);
        ids.resize(ids.len().max(self.fewest), PAD);
        self.windows.logits(&self.saved, &ids).into_iter().map(f64::from).collect()
    }
}
