//! A model opened to read less of a text reads just so much, and no limit makes it read more than it was made for.

mod common;

use fissure_models::train::{Architecture, Example, TrainOptions, train};
use fissure_models::{Input, Model, open, open_with_max_length};

/// The pieces read of a text, and whether it was cut.
fn read(model: &dyn Model, text: &str) -> (usize, bool) {
    let point = model.as_white_box().expect("gradients").embed(&[Input::from(text)]).expect("a point").remove(0);
    let answer = model.answer(&[Input::from(text)]).expect("an answer").remove(0);
    assert_eq!(answer.truncated, point.truncated, "answers and points agree");
    (point.pieces.len(), point.truncated)
}

#[test]
fn a_small_model_reads_less_but_never_more() {
    let directory = tempfile::tempdir().expect("a directory");
    let example =
        |label: usize| Example { text: ["no no", "yes yes"][label].to_owned(), pair: None, label, source: None };
    let options = TrainOptions { validation: 0.0, epochs: 1, max_words: 9, ..TrainOptions::new(Architecture::Cnn) };
    let labels = ["a", "b"].map(str::to_owned);
    let trained = train(&[example(0), example(1)], &labels, &options, &mut |_| {}).expect("it trains");
    trained.model.save(directory.path()).expect("saved");
    let text = "no yes ".repeat(10);
    let limited = |limit| open_with_max_length(directory.path(), limit);
    assert_eq!(read(&*open(directory.path()).expect("a model"), &text), (9, true));
    assert_eq!(read(&*limited(Some(7)).expect("a model"), &text), (7, true));
    assert_eq!(read(&*limited(Some(70)).expect("a model"), &text), (9, true));
    // A convolution over five words fills a text of three up.
    assert_eq!(read(&*limited(Some(3)).expect("a model"), &text), (5, true));
    let error = limited(Some(0)).expect_err("nothing to read").to_string();
    assert!(error.contains("0 pieces") && error.contains("1 to 9"), "{error}");
}

#[test]
fn an_encoder_reads_less_but_never_more() {
    let Some(directory) = common::shared("golden/minilm_ag") else { return };
    let text = "the market fell ".repeat(300);
    let limited = |limit| open_with_max_length(&directory, limit);
    assert_eq!(read(&*limited(Some(64)).expect("a model"), &text), (64, true));
    assert_eq!(read(&*limited(Some(100_000)).expect("a model"), &text), (512, true));
    assert!(limited(Some(2)).is_err(), "no room for a piece between the marks");
}
