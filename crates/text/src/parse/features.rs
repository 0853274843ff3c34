//! What the parser sees of a state: words, tags and relations around the top of the stack and the next word.

use super::State;
use crate::perceptron::{Hash, mix};
use crate::tags::Tag;
use crate::word_features::WordFeatures;

/// A word as the parser sees it; all zero if there is none.
#[derive(Clone, Copy, Default)]
struct Node {
    word: Hash,
    tag: Hash,
    cluster: Hash,
    relation: Hash,
}

/// Collects the features of a state.
pub fn collect(state: &State, looks: &[WordFeatures], tags: &[Tag], found: &mut Vec<Hash>) {
    let node = |word: Option<usize>| node(state, looks, tags, word);
    let tops = [state.below(0), state.below(1), state.below(2)];
    let nexts = [0, 1, 2].map(|offset| Some(state.next + offset).filter(|word| *word <= state.root()));
    let children = |word: Option<usize>| word.map(|word| state.children[word]).unwrap_or_default();
    let (top_children, below_children, next_children) = (children(tops[0]), children(tops[1]), children(nexts[0]));
    let child = |child: Option<u32>| node(child.map(|child| child as usize));
    let [s0, s1, s2] = tops.map(node);
    let [b0, b1, b2] = nexts.map(node);
    let [s0l, s0l2] = top_children.left.map(child);
    let [s0r, s0r2] = top_children.right.map(child);
    let [b0l, b0l2] = next_children.left.map(child);
    let [s1l, s1r] = [below_children.left[0], below_children.right[0]].map(child);
    let distance = tops[0].map_or(0, |top| (state.next - top).min(7) as u32 + 1);
    let distance = Hash(distance);
    let below_distance = Hash(tops[0].zip(tops[1]).map_or(0, |(top, below)| (top - below).min(7) as u32 + 1));
    let top_valency = Hash(top_children.left_count.min(4) * 8 + top_children.right_count.min(4));
    let next_valency = Hash(next_children.left_count.min(4));
    let below_valency = Hash(below_children.right_count.min(4));

    found.clear();
    let mut template = 100;
    let mut add = |a: Hash, b: Hash| {
        found.push(mix(template, a, b));
        template += 1;
    };
    let none = Hash::default();
    let pair = |a: Hash, b: Hash| mix(1, a, b);
    add(none, none);
    for one in [s0, s1, s2, b0, b1, b2] {
        add(one.word, none);
        add(one.tag, none);
        add(one.word, one.tag);
    }
    for one in [s0, s1, b0, b1] {
        add(one.cluster, one.tag);
    }
    for one in [s0l, s0l2, s0r, s0r2, b0l, b0l2, s1r] {
        add(one.word, none);
        add(one.tag, none);
        add(one.relation, none);
    }
    add(s0.word, b0.word);
    add(s0.tag, b0.tag);
    add(pair(s0.word, s0.tag), b0.tag);
    add(pair(b0.word, b0.tag), s0.tag);
    add(s0.word, b0.tag);
    add(s0.tag, b0.word);
    add(b0.tag, b1.tag);
    add(b0.word, b1.tag);
    add(b0.word, b1.word);
    add(pair(s0.tag, b0.tag), b1.tag);
    add(pair(b0.tag, b1.tag), b2.tag);
    add(pair(s0.tag, b0.tag), pair(b1.tag, b2.tag));
    add(pair(s1.tag, s0.tag), b0.tag);
    add(pair(s1.tag, s0.tag), pair(b0.tag, b1.tag));
    add(pair(s2.tag, s1.tag), s0.tag);
    add(pair(s1.word, s0.tag), b0.tag);
    add(pair(s1.tag, s0.word), b0.tag);
    add(pair(s1.tag, s0.tag), b0.word);
    add(s1.word, s0.word);
    add(s1.tag, s0.tag);
    add(s1.tag, s0.word);
    add(s1.word, s0.tag);
    add(s1.word, b0.tag);
    add(s1.tag, b0.word);
    add(pair(s0.tag, s0l.tag), b0.tag);
    add(pair(s0.tag, s0r.tag), b0.tag);
    add(pair(s0.tag, b0l.tag), b0.tag);
    add(pair(s1.tag, s1r.tag), s0.tag);
    add(pair(s1.tag, s1l.tag), s0.tag);
    add(pair(s1.tag, s0l.tag), s0.tag);
    add(pair(s1.tag, s0r.tag), s0.tag);
    add(pair(s0.tag, s0l.tag), s0l2.tag);
    add(pair(s0.tag, s0r.tag), s0r2.tag);
    add(pair(b0.tag, b0l.tag), b0l2.tag);
    add(pair(s0.tag, b0.tag), distance);
    add(s0.tag, distance);
    add(b0.tag, distance);
    add(s0.word, distance);
    add(b0.word, distance);
    add(pair(s1.tag, s0.tag), below_distance);
    add(s0.word, top_valency);
    add(s0.tag, top_valency);
    add(b0.word, next_valency);
    add(b0.tag, next_valency);
    add(s1.tag, below_valency);
    add(pair(s0.tag, s0l.relation), s0r.relation);
    add(s0.tag, s0r.relation);
    add(s0.tag, s0l.relation);
    add(b0.tag, b0l.relation);
    add(s0.word, s0r.relation);
    add(s0.word, s0l.relation);
    add(pair(s1.tag, s1r.relation), s0.tag);
    add(pair(s1.tag, s1r.relation), pair(s0.tag, b0.tag));
    add(pair(s0.tag, s0r.relation), pair(b0.tag, s0l.relation));
    add(s0.cluster, b0.cluster);
    add(s1.cluster, s0.cluster);
    add(pair(s0.cluster, b0.tag), s0.tag);
    add(pair(b0.cluster, s0.tag), b0.tag);
}

fn node(state: &State, looks: &[WordFeatures], tags: &[Tag], word: Option<usize>) -> Node {
    let Some(word) = word else { return Node::default() };
    let (Some(look), Some(tag)) = (looks.get(word), tags.get(word)) else {
        let root = Hash(u32::MAX);
        return Node { word: root, tag: root, cluster: root, relation: root };
    };
    let relation = state.relation(word).map_or(0, |relation| relation as u32 + 1);
    Node { word: look.lower, tag: tag.hash(), cluster: look.clusters[0], relation: Hash(relation) }
}
