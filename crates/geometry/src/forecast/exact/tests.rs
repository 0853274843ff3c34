//! What an edit does to a model that needs no slopes, against asking the model.

use fissure_core::{Dice, Edit};
use fissure_models::train::{Architecture, Example, TrainOptions, train};
use fissure_models::{Input, SmallModel};

use crate::forecast::edit_line::{EditLine, Pricing};
use crate::forecast::exact::ExactModel;
use crate::forecast::readings::Readings;
use crate::survey::Decision;

const WORDS: [&str; 7] = ["good", "bad", "film", "plot", "fine", "dull", "not"];

fn text(dice: &mut Dice, words: usize) -> String {
    (0..words).map(|_| *dice.pick(&WORDS).expect("words")).collect::<Vec<_>>().join(" ")
}

/// A model that reads at most 12 words.
fn model(architecture: Architecture) -> Box<dyn SmallModel> {
    let mut dice = Dice::new(5, &["examples"]);
    let example = |label| Example { text: text(&mut dice, 10), pair: None, label, source: None };
    let examples: Vec<Example> = (0..60).map(|at| at % 3).map(example).collect();
    let options = TrainOptions { epochs: 2, validation: 0.0, max_words: 12, ..TrainOptions::new(architecture) };
    train(&examples, &["no", "so", "yes"].map(str::to_owned), &options, &mut |_| {}).unwrap().model
}

/// The shift of every margin as priced, and as the model has it.
fn both(model: &dyn SmallModel, text: &str, edits: &[Edit]) -> (Vec<f64>, Vec<f64>) {
    let input = Input::from(text);
    let point = model.embed(&[input]).unwrap().remove(0);
    let decision = Decision::without_slopes(model, std::slice::from_ref(&point)).unwrap().remove(0);
    let exact = ExactModel::of(model).unwrap();
    let line = EditLine::new(input, &point, &decision, Some(&exact));
    let prices = line.prices(&[edits], Pricing::Together, &Readings::new(model)).unwrap().remove(0);
    let priced = prices.into_iter().map(|price| price.moved).collect();
    let mut changed = text.to_owned();
    for edit in edits.iter().rev() {
        changed.replace_range(edit.span.start..edit.span.end, &edit.with);
    }
    let logits = model.logits_at(&model.embed(&[input, Input::from(changed.as_str())]).unwrap()).unwrap();
    let margin = |at: usize, class: usize| f64::from(logits[at][decision.confidence.predicted] - logits[at][class]);
    let truth = decision.rivals.iter().map(|rival| margin(1, rival.class) - margin(0, rival.class)).collect();
    (priced, truth)
}

fn words_of(text: &str) -> Vec<std::ops::Range<usize>> {
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split(' ').map(|word| start(word)..start(word) + word.len()).collect()
}

/// Some words of a text are exchanged, deleted, or followed by others, known and unknown.
fn edits(text: &str, dice: &mut Dice) -> Vec<Edit> {
    let mut edits = Vec::new();
    for word in words_of(text) {
        let other = *dice.pick(&["good", "not", "gxxd", "fine , plot", "bad"]).expect("words");
        match dice.below(9) {
            0 => edits.push(Edit::replace(word, other)),
            1 => edits.push(Edit::insert(word.end, format!(" {other}"))),
            2 if word.start > 0 => edits.push(Edit::delete(word.start - 1..word.end)),
            _ => {}
        }
    }
    edits
}

#[test]
fn edits_are_priced_as_the_model_answers() {
    for architecture in [Architecture::FastText, Architecture::Cnn] {
        let model = model(architecture);
        let mut dice = Dice::new(1, &["edits"]);
        for number in 0..60 {
            // Up to the words that are read: a cnn does not know those behind.
            let text = text(&mut dice, 1 + number % 11);
            let edits = edits(&text, &mut dice);
            let (priced, truth) = both(&*model, &text, &edits);
            for (priced, truth) in priced.iter().zip(&truth) {
                assert!((priced - truth).abs() < 1e-4, "{architecture:?}: {text} {edits:?}: {priced} and {truth}");
            }
        }
    }
}

/// Words that move past the last that is read go with their bigrams, and others come.
#[test]
fn a_mean_knows_what_is_cut_off() {
    let model = model(Architecture::FastText);
    let mut dice = Dice::new(2, &["edits"]);
    for _ in 0..40 {
        let text = text(&mut dice, 20);
        let edits: Vec<Edit> = edits(&text, &mut dice).into_iter().filter(|edit| edit.span.end < 40).collect();
        let (priced, truth) = both(&*model, &text, &edits);
        for (priced, truth) in priced.iter().zip(&truth) {
            assert!((priced - truth).abs() < 1e-4, "{text} {edits:?}: {priced} and {truth}");
        }
    }
}

/// A word before a line break is read without it: half of the break alone would be a word.
#[test]
fn a_line_break_is_not_divided() {
    for architecture in [Architecture::FastText, Architecture::Cnn] {
        let model = model(architecture);
        let text = "good plot<br /><br />not fine film";
        for edits in
            [vec![Edit::replace(5..9, "film")], vec![Edit::replace(5..9, "film"), Edit::replace(21..24, "bad")]]
        {
            let (priced, truth) = both(&*model, text, &edits);
            for (priced, truth) in priced.iter().zip(&truth) {
                assert!(truth.abs() > 1e-6 && (priced - truth).abs() < 1e-4, "{edits:?}: {priced} and {truth}");
            }
        }
    }
}
