//! Part-of-speech tags, universal and Penn, by one classifier that reads a sentence from left to right.
//!
//! Both tags of a word are one class, so they never contradict each other (`AUX` with `NN`). Of 100 words of the EWT test
//! part about 95 get the right universal tag, 94 the right Penn tag, and 94 both.

mod certain;
mod features;
mod sets;

pub use features::collect;
pub use sets::{Penn, Relation, Upos};

use std::cell::RefCell;

use crate::perceptron::{Hash, Weights, best};
use crate::score_cache::ScoreCache;
use crate::share_alike;
use crate::weights;
use crate::word_features::WordFeatures;

/// The part of speech of a word, in both tag sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    pub upos: Upos,
    pub penn: Penn,
}

impl Tag {
    /// A number for each tag.
    pub fn code(self) -> u16 {
        (self.upos as u16) << 8 | self.penn as u16
    }

    pub fn from_code(code: u16) -> Option<Self> {
        let [penn, upos] = code.to_le_bytes();
        Some(Self { upos: *Upos::ALL.get(usize::from(upos))?, penn: *Penn::ALL.get(usize::from(penn))? })
    }

    /// What other taggers see of it.
    pub fn hash(self) -> Hash {
        Hash(u32::from(self.code()) + 1)
    }
}

/// The tagger: weights, and what it remembers of words.
#[derive(Debug, Clone)]
pub struct Tagger<'w> {
    weights: &'w Weights,
    /// What each class stands for.
    tags: Vec<Tag>,
    memory: ScoreCache,
}

impl<'w> Tagger<'w> {
    pub fn new(weights: &'w Weights) -> Self {
        let tag = |code: &u16| Tag::from_code(*code).unwrap_or(Tag { upos: Upos::X, penn: Penn::Nn });
        Self { weights, tags: weights.labels.iter().map(tag).collect(), memory: ScoreCache::new(weights) }
    }

    /// The tags of the words of one sentence.
    pub fn tag(&mut self, sentence: &[WordFeatures]) -> Vec<Tag> {
        let mut found = Vec::with_capacity(sentence.len());
        self.extend(sentence, &mut found);
        found
    }

    /// Adds the tags of the words of a sentence to `found`.
    pub fn extend(&mut self, sentence: &[WordFeatures], found: &mut Vec<Tag>) {
        let start = found.len();
        for at in 0..sentence.len() {
            let tag = self.next(sentence, &found[start..], at);
            found.push(tag);
        }
    }

    /// The tag of the word at `at`; `before` are the tags of at least the two words before it.
    pub fn next(&mut self, sentence: &[WordFeatures], before: &[Tag], at: usize) -> Tag {
        let Self { weights, tags, memory } = self;
        let word = &sentence[at];
        certain(word).unwrap_or_else(|| {
            let (first, mut scores) = (at == 0, [0; 256]);
            memory.recall(weights, word, u32::from(first), || features::own(word, first), &mut scores);
            weights.add(&features::around(sentence, before, at), &mut scores);
            let class = best(&scores[..tags.len()]);
            tags.get(class).copied().unwrap_or(Tag { upos: Upos::X, penn: Penn::Nn })
        })
    }
}

/// The tag of a word that can have no other.
pub fn certain(word: &WordFeatures) -> Option<Tag> {
    certain::shipped().tag(word)
}

/// Does something with the tagger that is part of the program. Each thread has its own, for what it remembers.
pub fn with_shipped<T>(work: impl FnOnce(&mut Tagger<'static>) -> T) -> T {
    thread_local! {
        static TAGGER: RefCell<Tagger<'static>> = RefCell::new(Tagger::new(weights::tags()));
    }
    share_alike::used();
    TAGGER.with_borrow_mut(work)
}
