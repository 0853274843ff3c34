//! Named entities: persons, places and organisations, by a classifier that reads a sentence from left to right.
//!
//! It learned from the UNER tags of the EWT dev part, and from many sentences that spaCy's small English model had tagged.
//! On the UNER EWT test part it finds names with an F1 of 65 (that model: 56.6; one trained on the dev part alone:
//! 52). About one name in three is missed or gets the wrong kind or bounds: a part that swaps names should expect that.

mod features;

use std::cell::RefCell;
use std::ops::Range;

pub use features::collect;

use crate::perceptron::Weights;
use crate::score_cache::ScoreCache;
use crate::share_alike;
use crate::tag_enum::tag_enum;
use crate::tags::Tag;
use crate::weights;
use crate::word_features::WordFeatures;

tag_enum! {
    /// What kind of thing a name names.
    EntityKind {
        Person = "PER",
        Place = "LOC",
        Organisation = "ORG",
    }
}

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Entity {
    /// The tokens it is made of.
    pub tokens: Range<usize>,
    pub kind: EntityKind,
}

/// How a word stands to an entity: outside all, the first of one, or a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mark {
    #[default]
    Outside,
    Begin(EntityKind),
    Inside(EntityKind),
}

impl Mark {
    /// All marks, in the order of their codes.
    pub fn all() -> impl Iterator<Item = Self> {
        let kinds = || EntityKind::ALL.iter().copied();
        [Self::Outside].into_iter().chain(kinds().map(Self::Begin)).chain(kinds().map(Self::Inside))
    }

    pub fn code(self) -> u16 {
        match self {
            Self::Outside => 0,
            Self::Begin(kind) => 1 + kind as u16,
            Self::Inside(kind) => 1 + EntityKind::ALL.len() as u16 + kind as u16,
        }
    }

    /// Whether this mark may stand after `previous`: only an entity that has begun can go on.
    pub fn may_follow(self, previous: Self) -> bool {
        match self {
            Self::Inside(kind) => previous == Self::Begin(kind) || previous == Self::Inside(kind),
            _ => true,
        }
    }
}

/// Finds entities: weights, and what it remembers of words.
#[derive(Debug, Clone)]
pub struct Finder<'w> {
    weights: &'w Weights,
    /// What each class stands for.
    marks: Vec<Mark>,
    memory: ScoreCache,
}

impl<'w> Finder<'w> {
    pub fn new(weights: &'w Weights) -> Self {
        let all: Vec<Mark> = Mark::all().collect();
        let mark = |label: &u16| all.get(usize::from(*label)).copied().unwrap_or_default();
        Self { weights, marks: weights.labels.iter().map(mark).collect(), memory: ScoreCache::new(weights) }
    }

    /// The entities of one sentence, whose words have the tags that `tag` returns; their tokens are places in it.
    ///
    /// A word without a capital and without a digit begins no name, and most texts are mostly such words: they are passed
    /// over, and their tags are not needed.
    pub fn find(&mut self, looks: &[WordFeatures], tag: impl Fn(usize) -> Option<Tag>) -> Vec<Entity> {
        let Self { weights, marks, memory } = self;
        let mut scores = [0; 256];
        let mut found: Vec<Mark> = Vec::with_capacity(looks.len());
        for (at, look) in looks.iter().enumerate() {
            let previous = found.last().copied().unwrap_or_default();
            let known = if previous == Mark::Outside && look.small { None } else { tag(at) };
            let Some(known) = known else {
                found.push(Mark::Outside);
                continue;
            };
            let (tag_code, first) = (known.code(), at == 0);
            let state = u32::from(tag_code) << 1 | u32::from(first);
            memory.recall(weights, look, state, || features::own(look, known, first), &mut scores);
            weights.add(&features::around(looks, |at| looks.get(at).and_then(|_| tag(at)), &found, at), &mut scores);
            let allowed = marks.iter().zip(&scores).filter(|(mark, _)| mark.may_follow(previous));
            let best = allowed.reduce(|best, next| if next.1 > best.1 { next } else { best });
            found.push(best.map_or(Mark::Outside, |(mark, _)| *mark));
        }
        spans(&found)
    }
}

/// Does something with the finder that is part of the program. Each thread has its own, for what it remembers.
pub fn with_shipped<T>(work: impl FnOnce(&mut Finder<'static>) -> T) -> T {
    thread_local! {
        static FINDER: RefCell<Finder<'static>> = RefCell::new(Finder::new(weights::entities()));
    }
    share_alike::used();
    FINDER.with_borrow_mut(work)
}

/// The entities in a sequence of marks.
pub fn spans(marks: &[Mark]) -> Vec<Entity> {
    let mut found: Vec<Entity> = Vec::new();
    let mut previous = Mark::Outside;
    for (at, mark) in marks.iter().enumerate() {
        match mark {
            Mark::Inside(_) if mark.may_follow(previous) => {
                if let Some(last) = found.last_mut() {
                    last.tokens.end = at + 1;
                }
            }
            Mark::Begin(kind) | Mark::Inside(kind) => found.push(Entity { tokens: at..at + 1, kind: *kind }),
            Mark::Outside => {}
        }
        previous = *mark;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_spans() {
        use EntityKind::{Organisation, Person, Place};
        use Mark::{Begin, Inside, Outside};
        let marks = [Begin(Person), Inside(Person), Begin(Person), Outside, Inside(Place), Inside(Organisation)];
        let found: Vec<_> = spans(&marks).into_iter().map(|entity| (entity.tokens, entity.kind)).collect();
        assert_eq!(found, [(0..2, Person), (2..3, Person), (4..5, Place), (5..6, Organisation)]);
        assert!(Mark::all().zip(0..).all(|(mark, code)| mark.code() == code));
        assert!(!Inside(Place).may_follow(Begin(Person)));
    }
}
