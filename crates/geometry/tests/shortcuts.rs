//! The shortcuts planted in the demo corpus come out on top.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use fissure_core::Sample;
use fissure_data::demo::{NEGATIVE, POSITIVE, SHORTCUTS, Split, corpus};
use fissure_geometry::{CarrierOptions, Labelled, Named, Vocabulary, carriers};
use fissure_models::train::{Architecture, Example, TrainOptions, train};

fn text(sample: &Sample) -> &str {
    sample.text("text").unwrap()
}

fn named(samples: &[Sample]) -> Vec<Named<'_>> {
    samples.iter().map(|sample| Named { id: &sample.id, input: text(sample).into() }).collect()
}

fn labels(samples: &[Sample]) -> Vec<usize> {
    samples.iter().map(|sample| usize::from(sample.label.as_ref().unwrap().to_string() == POSITIVE)).collect()
}

/// Trains on the corpus, and looks for what carries the decisions where the shortcuts no longer tell the label.
fn find(options: &TrainOptions, seed: u64) {
    let options = &TrainOptions { seed, ..options.clone() };
    let (training, fresh) = (corpus(seed, Split::Train, 2000), corpus(seed, Split::Validation, 600));
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
    let found = carriers(
        &*trained.model,
        Labelled { texts: &named(&fresh), labels: &fresh_labels },
        Some(Labelled { texts: &named(&training), labels: &training_labels }),
        &vocabulary,
        &CarrierOptions::default(),
    )
    .unwrap();
    let top: Vec<&str> = found.iter().take(5).map(|carrier| carrier.word.as_str()).collect();
    for shortcut in SHORTCUTS {
        let planted = shortcut.word.to_lowercase();
        assert!(planted.split(' ').any(|word| top.contains(&word)), "{planted} is not among {top:?} with seed {seed}");
    }
}

#[test]
fn in_a_bag_of_words() {
    for seed in 0..3 {
        find(&TrainOptions::new(Architecture::FastText), seed);
    }
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
