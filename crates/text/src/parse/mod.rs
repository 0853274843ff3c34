//! A dependency parse: the head of every word and its relation to it, found word by word in linear time.
//!
//! The parser keeps a stack of words that still lack a head, and reads the rest from left to right. A small network
//! chooses each move (the arc-hybrid system of Kuhlmann, Gómez-Rodríguez and Satta, 2011). Every sentence gets exactly
//! one root, and every other word exactly one head. `docs/toolbox.md` has how often they are right.

mod format;
pub mod network;
mod products;
mod state;
#[cfg(test)]
mod tests;

pub use format::Draft;
pub use network::{Keys, Network};
pub use state::{Children, Move, State};

use crate::tags::{Relation, Tag};
use crate::word_features::WordFeatures;
use network::{ACTIONS, Reading, Seen};
#[cfg(target_arch = "x86_64")]
use products::Avx2;
use products::{Plain, Products};

/// How a word depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dependency {
    /// The place of the head; `None` for the root of the sentence.
    pub head: Option<usize>,
    pub relation: Relation,
}

/// Longer sentences (lists, text without full stops) are parsed in pieces of this many words, so that memory stays small.
const LONGEST: usize = 1000;

/// Parses one sentence; heads are places in it.
pub fn parse(looks: &[WordFeatures], tags: &[Tag], network: &Network) -> Vec<Dependency> {
    let mut parsed: Vec<Dependency> = Vec::with_capacity(looks.len());
    let mut root = None;
    for (looks, tags) in looks.chunks(LONGEST).zip(tags.chunks(LONGEST)) {
        let start = parsed.len();
        for (at, word) in piece(looks, tags, network).into_iter().enumerate() {
            parsed.push(match (word.head, root) {
                (Some(head), _) => Dependency { head: Some(start + head), ..word },
                // The roots of later pieces depend on that of the first: a sentence has one.
                (None, Some(root)) => Dependency { head: Some(root), relation: Relation::Parataxis },
                (None, None) => {
                    root = Some(start + at);
                    word
                }
            });
        }
    }
    parsed
}

fn piece(looks: &[WordFeatures], tags: &[Tag], network: &Network) -> Vec<Dependency> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, which is all that the function asks for.
        return unsafe { piece_avx2(looks, tags, network) };
    }
    piece_with::<Plain>(looks, tags, network)
}

/// The same with wider registers. No number changes: sums of integers are exact, and AVX2 alone has no product and sum of
/// floating-point numbers in one step, which would round once instead of twice. A test compares the two, bit for bit.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn piece_avx2(looks: &[WordFeatures], tags: &[Tag], network: &Network) -> Vec<Dependency> {
    piece_with::<Avx2>(looks, tags, network)
}

#[inline(always)]
fn piece_with<P: Products>(looks: &[WordFeatures], tags: &[Tag], network: &Network) -> Vec<Dependency> {
    let reading = Reading::new::<P>(network, looks, tags);
    let mut state = State::new(looks.len());
    while !state.done() {
        let hidden = reading.hidden(network, &Seen::new(&state));
        let step = match best_action(&network.actions(&hidden), state.allowed()) {
            0 => Move::Shift,
            1 if state.next == state.root() => Move::Left(Relation::Root),
            side => {
                let relation = best_relation(&network.labels::<P>(&hidden, side - 1));
                if side == 1 { Move::Left(relation) } else { Move::Right(relation) }
            }
        };
        state.apply(step);
    }
    state.finish()
}

/// The first of the best actions among those that are allowed.
pub fn best_action<N: PartialOrd>(scores: &[N; ACTIONS], allowed: [bool; ACTIONS]) -> usize {
    let mut best = None;
    for (at, score) in scores.iter().enumerate().filter(|(at, _)| allowed[*at]) {
        if best.is_none_or(|best: usize| *score > scores[best]) {
            best = Some(at);
        }
    }
    best.expect("some move is always allowed while words lack a head")
}

/// The first of the best relations; only the word that has no head is the root.
pub fn best_relation<N: PartialOrd>(scores: &[N; network::RELATIONS]) -> Relation {
    let mut best = Relation::ALL[0];
    for (relation, score) in Relation::ALL.iter().zip(scores).filter(|(relation, _)| **relation != Relation::Root) {
        if *score > scores[best as usize] {
            best = *relation;
        }
    }
    best
}
