//! Trains the parser, with a dynamic oracle: it also learns the best way on from states that it should not have come to
//! (Goldberg and Nivre, 2013).

use super::tags::looks;
use super::trainer::{Shuffler, Trainer};
use super::treebank::{GoldWord, Treebank};
use crate::parse::{Move, State, collect};
use crate::perceptron::Weights;
use crate::tags::{Relation, Tag};
use crate::word_features::WordFeatures;

const BITS: u32 = 21;
const EPOCHS: usize = 12;
/// Epochs in which the parser follows the oracle; later it follows itself most of the time.
const GUIDED: usize = 2;
/// Weights below half of this are dropped, and those that moved fewer times than this: a quarter of the size for a tenth of
/// a per cent.
const UNIT: f32 = 1.0;
const FEWEST: u16 = 3;

/// The right tree of a sentence, with the root as the head after the last word.
struct Tree {
    looks: Vec<WordFeatures>,
    tags: Vec<Tag>,
    heads: Vec<usize>,
    relations: Vec<Relation>,
}

/// Learns the trees of `treebank`, whose words a tagger has given `tags`.
pub fn train(treebank: &Treebank, tags: Vec<Vec<Tag>>) -> Weights {
    let mut trees: Vec<Tree> = treebank.sentences.iter().zip(tags).map(|(words, tags)| tree(words, tags)).collect();
    let moves = moves(&trees);
    let mut trainer = Trainer::new(moves.len(), BITS);
    let mut shuffler = Shuffler::new(4);
    let (mut features, mut scores) = (Vec::new(), Vec::new());
    for epoch in 0..EPOCHS {
        shuffler.shuffle(&mut trees);
        for tree in &trees {
            let mut state = State::new(tree.heads.len());
            while !state.done() {
                collect(&state, &tree.looks, &tree.tags, &mut features);
                trainer.score(&features, &mut scores);
                let costless = Costless::new(&state, tree);
                let (mut guess, mut right) = (None, None);
                for (at, step) in moves.iter().enumerate().filter(|(_, step)| state.allows(**step)) {
                    let better = |best: Option<usize>| best.is_none_or(|best| scores[at] > scores[best]);
                    if better(guess) {
                        guess = Some(at);
                    }
                    if better(right) && costless.is(*step) {
                        right = Some(at);
                    }
                }
                let guess = guess.expect("some move is always allowed");
                // Where every way on loses something (crossing arcs), there is nothing to learn.
                let right = right.unwrap_or(guess);
                trainer.update(&features, right, guess);
                let follow = epoch >= GUIDED && shuffler.below(10) < 9;
                state.apply(moves[if follow { guess } else { right }]);
            }
        }
    }
    trainer.finish(moves.iter().map(|step| step.code()).collect(), UNIT, FEWEST)
}

fn tree(words: &[GoldWord], tags: Vec<Tag>) -> Tree {
    Tree {
        looks: looks(words),
        tags,
        heads: words.iter().map(|word| word.head.unwrap_or(words.len())).collect(),
        relations: words.iter().map(|word| word.relation).collect(),
    }
}

/// The moves that the trees need.
fn moves(trees: &[Tree]) -> Vec<Move> {
    let arcs = trees.iter().flat_map(|tree| tree.heads.iter().zip(&tree.relations).enumerate());
    let step = |(word, (head, relation)): (usize, (&usize, &Relation))| {
        if word < *head { Move::Left(*relation) } else { Move::Right(*relation) }
    };
    let mut codes: Vec<u16> = arcs.map(|arc| step(arc).code()).chain([Move::Shift.code()]).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.into_iter().filter_map(Move::from_code).collect()
}

/// Which moves lose no arc that could still be found.
struct Costless {
    shift: bool,
    left: Option<Arc>,
    right: Option<Arc>,
}

/// An arc that costs nothing: with this relation if it is right, with any if the true head is out of reach.
struct Arc {
    relation: Option<Relation>,
}

impl Costless {
    fn new(state: &State, tree: &Tree) -> Self {
        let root = state.root();
        let next = state.next;
        let depth = state.stack.len();
        let head = |word: usize| tree.heads.get(word).copied();
        let top = state.below(0);
        let below = state.below(1);
        let awaits_child = top.is_some_and(|top| (next..root).any(|word| head(word) == Some(top)));
        let relation =
            |top: usize, head: usize| Arc { relation: (tree.heads[top] == head).then(|| tree.relations[top]) };
        let left = top.filter(|top| {
            head(*top) == Some(next)
                || !(below.is_some_and(|below| head(*top) == Some(below)) || tree.heads[*top] > next || awaits_child)
        });
        let right = top
            .zip(below)
            .filter(|(top, below)| !awaits_child && (head(*top) == Some(*below) || tree.heads[*top] < next));
        let deeper = &state.stack[..depth.saturating_sub(1)];
        let shift = !deeper.iter().any(|word| head(next) == Some(*word))
            && !state.stack.iter().any(|word| head(*word) == Some(next));
        Self { shift, left: left.map(|top| relation(top, next)), right: right.map(|(top, below)| relation(top, below)) }
    }

    fn is(&self, step: Move) -> bool {
        let fits = |arc: &Option<Arc>, relation: Relation| {
            arc.as_ref().is_some_and(|arc| arc.relation.is_none_or(|right| right == relation))
        };
        match step {
            Move::Shift => self.shift,
            Move::Left(relation) => fits(&self.left, relation),
            Move::Right(relation) => fits(&self.right, relation),
        }
    }
}
