//! The shortcuts planted in the demo corpus come out on top.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use fissure_core::{Language, Sample, Words};
use fissure_data::demo::{self, NEGATIVE, POSITIVE, Split, corpus_in};
use fissure_geometry::{Labelled, NamedInput, ShortcutOptions, Vocabulary, shortcuts};
use fissure_models::train::{Architecture, Example, TrainOptions, train};

fn text(sample: &Sample) -> &str {
    sample.text("text").unwrap()
}

fn named(samples: &[Sample]) -> Vec<NamedInput<'_>> {
    samples.iter().map(|sample| NamedInput { id: &sample.id, input: text(sample).into() }).collect()
}

fn labels(samples: &[Sample]) -> Vec<usize> {
    samples.iter().map(|sample| usize::from(sample.label.as_ref().unwrap().to_string() == POSITIVE)).collect()
}

/// Trains on the corpus, and looks for what carries the decisions where the shortcuts no longer predict the label.
fn find(options: &TrainOptions, seed: u64) {
    find_in(Language::English, options, seed);
}

fn find_in(language: Language, options: &TrainOptions, seed: u64) {
    let options = &TrainOptions { seed, ..options.clone() };
    let (training, fresh) =
        (corpus_in(language, seed, Split::Train, 2000), corpus_in(language, seed, Split::Validation, 600));
    let (training_labels, fresh_labels) = (labels(&training), labels(&fresh));
    let example = |(sample, label): (&Sample, &usize)| Example {
        text: text(sample).to_owned(),
        pair: None,
        source: None,
        label: *label,
    };
    let examples: Vec<Example> = training.iter().zip(&training_labels).map(example).collect();
    let classes = [NEGATIVE.to_owned(), POSITIVE.to_owned()];
    let trained = train(&examples, &classes, options, &mut |_| {}).unwrap();
    let vocabulary = Vocabulary::of(&*trained.model).unwrap();
    let found = shortcuts(
        &*trained.model,
        Labelled { texts: &named(&fresh), labels: &fresh_labels },
        Some(Labelled { texts: &named(&training), labels: &training_labels }),
        &vocabulary,
        &ShortcutOptions::default(),
    )
    .unwrap();
    let top: Vec<&str> = found.iter().take(5).map(|shortcut| shortcut.word.as_str()).collect();
    for shortcut in demo::shortcuts(language) {
        let planted = shortcut.word.to_lowercase();
        let mut words = Words::new(&planted);
        assert!(words.any(|word| top.contains(&word.text)), "{planted} is not among {top:?} with seed {seed}");
    }
}

#[test]
fn in_a_bag_of_words() {
    for seed in 0..3 {
        find(&TrainOptions::new(Architecture::FastText), seed);
    }
}

/// Characters are the words of a model of Chinese: those of the planted words come out.
#[test]
fn in_chinese_reviews() {
    find_in(Language::Chinese, &TrainOptions::new(Architecture::FastText), 0);
    find_in(Language::Chinese, &TrainOptions::new(Architecture::Cnn), 0);
}

#[test]
fn in_the_papers_fasttext() {
    find(&TrainOptions::papers_fasttext(), 0);
}

#[test]
fn in_a_convolution() {
    for seed in 0..2 {
        find(&TrainOptions::new(Architecture::Cnn), seed);
    }
}
