//! Trains the parser, with a dynamic oracle: it also learns the best way on from states that it should not have come to
//! (Goldberg and Nivre, 2013).

use std::collections::BTreeMap;

use super::arithmetic;
use super::network::{Learner, chance, slopes};
use super::tags::looks;
use super::trainer::Shuffler;
use super::treebank::{GoldWord, Treebank};
use crate::parse::network::{self, Seen};
use crate::parse::{Draft, Keys, Move, State, best_action, best_relation};
use crate::perceptron::Hash;
use crate::tags::{Relation, Tag};
use crate::word_features::WordFeatures;

const EPOCHS: usize = 20;
/// Epochs in which the parser follows the oracle; later it follows itself most of the time.
const GUIDED: usize = 2;
/// Sentences of a step.
const BATCH: usize = 8;
/// The length of the first steps; it falls to nothing at the end.
const RATE: f32 = 0.002;
/// What is met less often is not learned by itself: such words are known by their ends and their groups.
const FEWEST: u32 = 2;
/// Words are left out the more often the rarer they are, so that the parser can do without them.
const FORGET: f32 = 0.25;

/// The right tree of a sentence, with the root as the head after the last word.
struct Tree {
    looks: Vec<WordFeatures>,
    tags: Vec<Tag>,
    heads: Vec<usize>,
    relations: Vec<Relation>,
}

/// Learns the trees of `treebank`, whose words a tagger has given `tags`; `after` sees the network after each epoch.
pub fn train(treebank: &Treebank, tags: Vec<Vec<Tag>>, mut after: impl FnMut(usize, &Draft)) -> Draft {
    let mut trees: Vec<Tree> = treebank.sentences.iter().zip(tags).map(|(words, tags)| tree(words, tags)).collect();
    let counts = counts(&trees);
    let keys: Vec<Hash> = counts.iter().filter(|(_, count)| **count >= FEWEST).map(|(key, _)| Hash(*key)).collect();
    let rows = vec![0.0; keys.len() * network::INPUT];
    let network = Draft { keys: Keys::new(keys), rows, weights: vec![0.0; network::WEIGHTS] };
    let mut shuffler = Shuffler::new(4);
    let mut learner = Learner::new(network, &mut shuffler);
    let (mut done, all) = (0, EPOCHS * trees.len().div_ceil(BATCH));
    for epoch in 0..EPOCHS {
        shuffler.shuffle(&mut trees);
        for batch in trees.chunks(BATCH) {
            batch.iter().for_each(|tree| learn(&mut learner, tree, &counts, epoch >= GUIDED, &mut shuffler));
            learner.step(RATE * (1.0 - done as f32 / all as f32));
            done += 1;
        }
        after(epoch, &learner.network);
    }
    learner.network
}

/// How often each key is met.
fn counts(trees: &[Tree]) -> BTreeMap<u32, u32> {
    let mut counts = BTreeMap::new();
    for tree in trees {
        for (look, tag) in tree.looks.iter().zip(&tree.tags) {
            network::keys(look, *tag).iter().for_each(|key| *counts.entry(key.0).or_default() += 1);
        }
    }
    counts
}

/// Parses a sentence and learns from each state on the way.
fn learn(learner: &mut Learner, tree: &Tree, counts: &BTreeMap<u32, u32>, explores: bool, shuffler: &mut Shuffler) {
    let mut rows = Vec::with_capacity(tree.looks.len());
    for (look, tag) in tree.looks.iter().zip(&tree.tags) {
        let mut found = Vec::new();
        for (kind, key) in network::keys(look, *tag).into_iter().enumerate() {
            let count = counts.get(&key.0).copied().unwrap_or_default() as f32;
            let forgets = kind == 0 && chance(shuffler) < FORGET / (FORGET + count);
            found.extend(learner.network.keys.find(key).filter(|_| !forgets));
        }
        rows.push(found);
    }
    let mut pass = learner.read(rows, shuffler);
    let mut state = State::new(tree.heads.len());
    while !state.done() {
        let seen = Seen::new(&state);
        let hidden = learner.hidden(&pass, &seen, shuffler);
        let scores = arithmetic::actions(&learner.network.weights, &hidden.units);
        let allowed = state.allowed();
        let costless = Costless::new(&state, tree);
        let right = [costless.shift, costless.left.is_some(), costless.right.is_some()];
        let right: [bool; 3] = std::array::from_fn(|at| right[at] && allowed[at]);
        let guess = best_action(&scores, allowed);
        // Where every way on loses something (crossing arcs), there is nothing to learn.
        let learns = right.contains(&true);
        let best = if learns { best_action(&scores, right) } else { guess };
        let follows = explores && shuffler.below(10) < 9;
        let chosen = if follows { guess } else { best };
        let back = if learns { slopes(&scores, |at| allowed[at], |at| right[at]) } else { [0.0; 3] };
        let at_root = state.next == state.root();
        let mut labels = None;
        let step = match chosen {
            0 => Move::Shift,
            1 if at_root => Move::Left(Relation::Root),
            side => {
                let scores = arithmetic::labels(&learner.network.weights, &hidden.units, side - 1);
                let arc = if side == 1 { &costless.left } else { &costless.right };
                let relation = arc.as_ref().and_then(|arc| arc.relation);
                let named = |at: usize| at != Relation::Root as usize;
                if let Some(relation) = relation {
                    labels = Some((side - 1, slopes(&scores, named, |at| at == relation as usize)));
                }
                let guess = best_relation(&scores);
                let relation = if follows { guess } else { relation.unwrap_or(guess) };
                if side == 1 { Move::Left(relation) } else { Move::Right(relation) }
            }
        };
        learner.back(&mut pass, &seen, &hidden, &back, labels);
        state.apply(step);
    }
    learner.finish(pass);
}

fn tree(words: &[GoldWord], tags: Vec<Tag>) -> Tree {
    Tree {
        looks: looks(words),
        tags,
        heads: words.iter().map(|word| word.head.unwrap_or(words.len())).collect(),
        relations: words.iter().map(|word| word.relation).collect(),
    }
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
}
