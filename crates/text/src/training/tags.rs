//! Trains the part-of-speech tagger.

use std::collections::BTreeMap;

use super::trainer::{Shuffler, Trainer};
use super::treebank::{GoldWord, Treebank};
use crate::perceptron::{Weights, best};
use crate::tags::{self, Tag, Tagger};
use crate::word_features::WordFeatures;

const BITS: u32 = 19;
const EPOCHS: usize = 8;
/// Weights below half of this are dropped, and those that moved fewer times than this: a quarter of the size for a tenth of
/// a per cent.
const UNIT: f32 = 0.2;
const FEWEST: u16 = 2;
/// A form has a certain tag if it was met at least this often, and in at least this many of a hundred cases with that tag.
const CERTAIN_COUNT: usize = 20;
const CERTAIN_PERCENT: usize = 99;

/// The forms that have but one tag, each with it, as `tags::Certain` reads them.
pub fn certain(treebank: &Treebank) -> String {
    let mut seen: BTreeMap<&str, BTreeMap<u16, usize>> = BTreeMap::new();
    for word in treebank.words() {
        *seen.entry(&word.form).or_default().entry(gold_tag(word).code()).or_default() += 1;
    }
    let mut list = String::new();
    for (form, counts) in seen {
        let all: usize = counts.values().sum();
        let most = counts.iter().max_by_key(|(_, count)| **count);
        let sure = most.filter(|(_, count)| all >= CERTAIN_COUNT && *count * 100 >= all * CERTAIN_PERCENT);
        if let Some(tag) = sure.and_then(|(code, _)| Tag::from_code(*code)) {
            list.push_str(&format!("{form}\t{}\t{}\n", tag.upos, tag.penn));
        }
    }
    list
}

/// Learns the tags of the sentences of `treebank`.
pub fn train(treebank: &Treebank) -> Weights {
    train_on(&treebank.sentences.iter().collect::<Vec<_>>(), EPOCHS)
}

/// Tags each sentence by a tagger that was trained on the others, in `folds` parts: what a parser will see in use.
pub fn jackknife(treebank: &Treebank, folds: usize) -> Vec<Vec<Tag>> {
    let mut tagged = vec![Vec::new(); treebank.sentences.len()];
    for fold in 0..folds {
        let others: Vec<_> =
            treebank.sentences.iter().enumerate().filter(|(at, _)| at % folds != fold).map(|(_, s)| s).collect();
        let weights = train_on(&others, EPOCHS / 2);
        let mut tagger = Tagger::new(&weights);
        for (at, sentence) in treebank.sentences.iter().enumerate().filter(|(at, _)| at % folds == fold) {
            tagged[at] = tagger.tag(&looks(sentence));
        }
    }
    tagged
}

pub fn looks(sentence: &[GoldWord]) -> Vec<WordFeatures> {
    sentence.iter().map(|word| WordFeatures::of(&word.form)).collect()
}

pub fn gold_tag(word: &GoldWord) -> Tag {
    Tag { upos: word.upos, penn: word.penn }
}

fn train_on(sentences: &[&Vec<GoldWord>], epochs: usize) -> Weights {
    let mut labels: Vec<u16> =
        sentences.iter().flat_map(|words| words.iter()).map(|word| gold_tag(word).code()).collect();
    labels.sort_unstable();
    labels.dedup();
    let class = |tag: Tag| labels.binary_search(&tag.code()).unwrap_or_default();
    let mut examples: Vec<(Vec<WordFeatures>, Vec<usize>)> = sentences
        .iter()
        .map(|words| (looks(words), words.iter().map(|word| class(gold_tag(word))).collect()))
        .collect();
    let mut trainer = Trainer::new(labels.len(), BITS);
    let mut shuffler = Shuffler::new(3);
    let (mut features, mut scores) = (Vec::new(), Vec::new());
    for _ in 0..epochs {
        shuffler.shuffle(&mut examples);
        for (looks, truths) in &examples {
            let mut before = Vec::with_capacity(looks.len());
            for (at, truth) in truths.iter().enumerate() {
                tags::collect(looks, &before, at, &mut features);
                trainer.score(&features, &mut scores);
                let guess = best(&scores);
                trainer.update(&features, *truth, guess);
                before.extend(Tag::from_code(labels[guess]));
            }
        }
    }
    trainer.finish(labels, UNIT, FEWEST)
}
