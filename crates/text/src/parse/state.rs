//! The states that the parser goes through, and its moves.

use super::Dependency;
use crate::tags::Relation;

/// A step of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// The next word goes onto the stack.
    Shift,
    /// The word on top of the stack depends on the next word, or is the root if no word is left.
    Left(Relation),
    /// The word on top of the stack depends on the one below it.
    Right(Relation),
}

/// The words around the current place. Words are numbered from 0; the number after the last word is the root.
#[derive(Debug, Clone)]
pub struct State {
    length: usize,
    /// Words that still lack a head, the latest last.
    pub stack: Vec<usize>,
    /// The next word, or the root.
    pub next: usize,
    heads: Vec<usize>,
    relations: Vec<Relation>,
    pub children: Vec<Children>,
}

/// The dependents that a word has so far: the outermost two on each side, and how many.
#[derive(Debug, Clone, Copy, Default)]
pub struct Children {
    pub left: [Option<u32>; 2],
    pub right: [Option<u32>; 2],
    pub left_count: u32,
    pub right_count: u32,
}

impl State {
    pub fn new(length: usize) -> Self {
        Self {
            length,
            stack: Vec::new(),
            next: 0,
            heads: vec![usize::MAX; length],
            relations: vec![Relation::Dep; length],
            children: vec![Children::default(); length + 1],
        }
    }

    /// The number that stands for the root.
    pub fn root(&self) -> usize {
        self.length
    }

    pub fn done(&self) -> bool {
        self.next == self.length && self.stack.is_empty()
    }

    /// The word on the stack that is `depth` below the top.
    pub fn below(&self, depth: usize) -> Option<usize> {
        self.stack.len().checked_sub(depth + 1).map(|at| self.stack[at])
    }

    pub fn relation(&self, word: usize) -> Option<Relation> {
        self.relations.get(word).copied().filter(|_| self.heads[word] != usize::MAX)
    }

    pub fn allows(&self, step: Move) -> bool {
        let at_root = self.next == self.length;
        match step {
            Move::Shift => !at_root,
            // Only the last word that lacks a head can be the root: there is one.
            Move::Left(relation) => {
                (relation == Relation::Root) == at_root
                    && if at_root { self.stack.len() == 1 } else { !self.stack.is_empty() }
            }
            Move::Right(relation) => relation != Relation::Root && self.stack.len() > 1,
        }
    }

    /// Whether the next word may be shifted, the top of the stack may depend on the next word (or be the root), and it may
    /// depend on the word below it.
    pub fn allowed(&self) -> [bool; 3] {
        let left = Move::Left(if self.next == self.length { Relation::Root } else { Relation::Dep });
        [Move::Shift, left, Move::Right(Relation::Dep)].map(|step| self.allows(step))
    }

    /// A move that is always allowed while the parse is not done.
    #[cfg(test)]
    fn fallback(&self) -> Move {
        if self.next < self.length {
            Move::Shift
        } else if self.stack.len() == 1 {
            Move::Left(Relation::Root)
        } else {
            Move::Right(Relation::Dep)
        }
    }

    /// Makes a move, which must be allowed.
    pub fn apply(&mut self, step: Move) {
        match step {
            Move::Shift => {
                self.stack.push(self.next);
                self.next += 1;
            }
            Move::Left(relation) => {
                if let Some(word) = self.stack.pop() {
                    self.attach(word, self.next, relation);
                }
            }
            Move::Right(relation) => {
                if let (Some(word), Some(head)) = (self.stack.pop(), self.stack.last()) {
                    self.attach(word, *head, relation);
                }
            }
        }
    }

    fn attach(&mut self, word: usize, head: usize, relation: Relation) {
        self.heads[word] = head;
        self.relations[word] = relation;
        let children = &mut self.children[head];
        let (side, count) = if word < head {
            (&mut children.left, &mut children.left_count)
        } else {
            (&mut children.right, &mut children.right_count)
        };
        *side = [Some(word as u32), side[0]];
        *count += 1;
    }

    /// The parse, once done.
    pub fn finish(self) -> Vec<Dependency> {
        let length = self.length;
        let dependency = |(head, relation)| Dependency { head: Some(head).filter(|head| *head < length), relation };
        self.heads.into_iter().zip(self.relations).map(dependency).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_build_a_tree_by_hand() {
        // dogs chase cats
        let mut state = State::new(3);
        let moves = [
            Move::Shift,
            Move::Left(Relation::Nsubj),
            Move::Shift,
            Move::Shift,
            Move::Right(Relation::Obj),
            Move::Left(Relation::Root),
        ];
        for step in moves {
            assert!(state.allows(step), "{step:?}");
            state.apply(step);
        }
        assert!(state.done());
        let heads: Vec<_> = state.finish().iter().map(|word| (word.head, word.relation)).collect();
        assert_eq!(heads, [(Some(1), Relation::Nsubj), (None, Relation::Root), (Some(1), Relation::Obj)]);
    }

    #[test]
    fn the_fallback_always_ends() {
        for length in 0..5 {
            let mut state = State::new(length);
            while !state.done() {
                assert!(state.allows(state.fallback()));
                state.apply(state.fallback());
            }
            assert_eq!(state.finish().iter().filter(|word| word.head.is_none()).count(), length.min(1));
        }
    }
}
