//! Models that answer a changed text from what is known of the original: a mean of features, and the highest of windows.
//!
//! For these an edit is priced exactly, the words and bigrams that come and go and the text that moves past the end of what is
//! read included, for a small part of the work of an answer. No text is asked.

mod bag;
mod windows;

use std::ops::Range;

use fissure_models::{Bag, Embedded, Input, WhiteBox, Windows};

use self::bag::BagText;
use self::windows::WindowsText;
use super::readings::ReadWord;
use crate::words::Word;

/// A model of such a kind.
#[derive(Debug)]
pub(crate) enum ExactModel<'m> {
    Bag(Bag<'m>),
    Windows(Windows<'m>),
}

/// One text of such a model.
#[derive(Debug)]
pub(crate) enum ExactText<'a> {
    Bag(BagText<'a>),
    Windows(WindowsText<'a>),
}

/// These words of a text become those.
#[derive(Debug, Clone)]
pub(crate) struct Change<'r> {
    /// The text that they are in: 0, or 1 for its pair.
    pub field: usize,
    pub old: Range<usize>,
    pub new: &'r [ReadWord],
}

impl<'m> ExactModel<'m> {
    /// `None` if changed texts of the model must be asked.
    pub fn of(model: &'m dyn WhiteBox) -> Option<Self> {
        let windows = || model.windows().map(Self::Windows);
        model.bag().map(Self::Bag).or_else(windows)
    }

    pub fn text(&self, input: Input<'_>, point: &Embedded, words: &[Word]) -> ExactText<'_> {
        match self {
            Self::Bag(bag) => ExactText::Bag(BagText::new(bag, input, point, words)),
            Self::Windows(windows) => ExactText::Windows(WindowsText::new(windows, point, words)),
        }
    }
}

impl ExactText<'_> {
    /// The logits after the changes, which are in order and do not overlap.
    pub fn logits(&self, changes: &[Change<'_>]) -> Vec<f64> {
        match self {
            Self::Bag(text) => text.logits(changes),
            Self::Windows(text) => text.logits(changes),
        }
    }
}

#[cfg(test)]
mod tests;
