//! The built-in reviews and a small network that is trained on them: the default data of `demo` and `explore`.

use fissure_core::{Language, Sample, Words};
use fissure_data::demo::{NEGATIVE, POSITIVE, shortcuts};
use fissure_models::train::{self, Architecture, TrainOptions, Trained, train};

use crate::Result;
use crate::ui::Progress;
use fissure_kit::classes;

/// How many reviews the network learns from.
pub const TRAINING_REVIEWS: usize = 3000;
/// How many it is tried on.
pub const TRIED: usize = 1000;

/// A network that has learned from these reviews.
pub fn learn(reviews: &[Sample], seed: u64) -> Result<Trained> {
    let lessons: Vec<train::Example> = reviews
        .iter()
        .map(|review| train::Example {
            text: classes::input(review).text.to_owned(),
            pair: None,
            source: None,
            label: class(review),
        })
        .collect();
    let mut options = TrainOptions::new(Architecture::Cnn);
    (options.seed, options.epochs, options.fewest_occurrences) = (seed, 6, 1);
    let mut bar: Option<Progress> = None;
    let trained = train(&lessons, &[NEGATIVE.to_owned(), POSITIVE.to_owned()], &options, &mut |step| {
        let steps = (step.epochs * step.batches) as u64;
        bar.get_or_insert_with(|| Progress::new("batches", Some(steps))).add(1);
    })?;
    if let Some(bar) = bar {
        bar.finish();
    }
    Ok(trained)
}

/// The class of a review, as the network counts them.
pub fn class(review: &Sample) -> usize {
    usize::from(review.label.as_ref().is_some_and(|label| label.to_string() == POSITIVE))
}

/// The planted lower-case words, each with the label it goes with in training.
pub fn planted(language: Language) -> impl Iterator<Item = (String, &'static str)> {
    shortcuts(language).iter().flat_map(|shortcut| {
        let words: Vec<String> = Words::new(shortcut.word).map(|word| word.text.to_lowercase()).collect();
        words.into_iter().map(|word| (word, shortcut.label))
    })
}
