//! From labelled texts to a translator for each label.

use std::collections::{BTreeMap, BTreeSet};

use fissure_text::ngrams::{Model, Trainer};
use rayon::prelude::*;

use crate::decode::Decoder;
use crate::ibm::{Aligner, Pair};
use crate::symmetry::{Alignment, grow_diag_final};
use crate::table::Table;
use crate::words::tokens;
use crate::{Error, Phrases, Result};

/// One text or pair, with its label.
#[derive(Debug, Clone, Copy)]
pub struct Lesson<'a> {
    pub text: &'a str,
    pub pair: Option<&'a str>,
    pub label: &'a str,
}

/// Words of a sentence that are learned from: alignment takes time and memory with the product of the lengths.
const LONGEST: usize = 60;
/// Rounds of Model 1 and of Model 2.
const ROUNDS: (usize, usize) = (5, 5);
/// The order of the language model.
const ORDER: usize = 3;

/// Learns a translator for each label: from the first text of a pair to the second, or from the first half of a single
/// text to its second half. The order of the lessons does not matter to speak of; threads do not matter at all.
pub fn learn(lessons: &[Lesson<'_>]) -> Result<Phrases> {
    let labels: BTreeSet<&str> = lessons.iter().map(|lesson| lesson.label).collect();
    let decoders: Vec<(String, Decoder)> = labels
        .into_par_iter()
        .filter_map(|label| {
            let own = lessons.par_iter().filter(|lesson| lesson.label == label);
            let sentences: Vec<(Vec<String>, Vec<String>)> = own.filter_map(sentences).collect();
            (!sentences.is_empty()).then(|| (label.to_owned(), decoder(&sentences)))
        })
        .collect();
    if decoders.is_empty() {
        return Err(Error::NothingToLearn);
    }
    Ok(Phrases { decoders: decoders.into_iter().collect(), place: None })
}

/// What is translated into what; nothing if either side is empty.
fn sentences(lesson: &Lesson<'_>) -> Option<(Vec<String>, Vec<String>)> {
    let mut source = tokens(lesson.text);
    let mut target = match lesson.pair {
        Some(pair) => tokens(pair),
        None => source.split_off(source.len().div_ceil(2)),
    };
    source.truncate(LONGEST);
    target.truncate(LONGEST);
    (!source.is_empty() && !target.is_empty()).then_some((source, target))
}

fn decoder(sentences: &[(Vec<String>, Vec<String>)]) -> Decoder {
    let mut trainer = Trainer::new(ORDER);
    sentences.iter().for_each(|(_, target)| trainer.add(target));
    // Packing rounds the numbers of the model: a translator that was just learned is the same as one that was loaded.
    let packed = trainer.finish(1, &[]).pack();
    let language = Model::read(&packed).expect("what was just packed can be read");

    // Source words are numbered from 1, target words as in the language model; 0 is nothing in both.
    let words: BTreeSet<&str> = sentences.iter().flat_map(|(source, _)| source).map(String::as_str).collect();
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    let numbers: BTreeMap<&str, u32> = words.iter().map(String::as_str).zip(1..).collect();
    let pairs: Vec<Pair> = sentences
        .iter()
        .map(|(source, target)| Pair {
            source: source.iter().map(|word| numbers[word.as_str()]).collect(),
            target: target.iter().map(|word| language.id(word)).collect(),
        })
        .collect();

    let table = Table::learn(&pairs, &aligned(&pairs));
    Decoder::new(words, table, language)
}

/// The joined alignments of both directions.
fn aligned(pairs: &[Pair]) -> Vec<Alignment> {
    let turned: Vec<Pair> = pairs.iter().map(Pair::turned).collect();
    let learned = |pairs: &[Pair]| -> Vec<Vec<Option<usize>>> {
        let sources = pairs.iter().flat_map(|pair| &pair.source).max().map_or(0, |largest| *largest as usize);
        let aligner = Aligner::learn(pairs, sources, ROUNDS);
        pairs.par_iter().map(|pair| aligner.best(pair)).collect()
    };
    let (forward, backward) = rayon::join(|| learned(pairs), || learned(&turned));
    forward.par_iter().zip(&backward).map(|(forward, backward)| grow_diag_final(forward, backward)).collect()
}
