//! Trains the sentence splitter.

use std::collections::HashSet;

use super::trainer::{Shuffler, Trainer};
use super::treebank::Treebank;
use crate::perceptron::{Hash, Weights, best};
use crate::sentences::Boundaries;
use crate::tokens;
use crate::word_features::WordFeatures;

const BITS: u32 = 18;
const EPOCHS: usize = 12;

/// Learns where the sentences of `treebank` end.
pub fn train(treebank: &Treebank) -> Weights {
    let ends: HashSet<usize> = treebank.sentences.iter().filter_map(|words| Some(words.last()?.span.end)).collect();
    let tokens = tokens(&treebank.text);
    let looks: Vec<WordFeatures> = tokens.iter().map(|token| WordFeatures::of(token.text(&treebank.text))).collect();
    let mut boundaries = Boundaries::new(&treebank.text, &tokens, &looks);
    let mut examples: Vec<([Hash; 32], usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let ends = ends.contains(&token.span.end);
        if boundaries.fixed(at).is_none() {
            examples.push((boundaries.features(at), usize::from(ends)));
        }
        boundaries.advance(at, ends);
    }
    let mut trainer = Trainer::new(2, BITS);
    let mut shuffler = Shuffler::new(1);
    let mut scores = Vec::new();
    for _ in 0..EPOCHS {
        shuffler.shuffle(&mut examples);
        for (features, truth) in &examples {
            trainer.score(features, &mut scores);
            trainer.update(features, *truth, best(&scores));
        }
    }
    trainer.finish(vec![0, 1], 0.1, 2)
}
