//! Substitutions on a model small enough to count every outcome.

use super::*;
use crate::testing::Linear;

/// Letters a = 1, b = -1, c = 3; the label is the sign of the sum.
fn model() -> Linear {
    Linear::new(1, vec![1.0, -1.0], vec![0.0, 0.0]).with_words(vec![vec![1.0], vec![-1.0], vec![3.0]])
}

fn named<'a>(id: &'a str, text: &'a str) -> NamedInput<'a> {
    NamedInput { id, input: text.into() }
}

#[test]
fn one_word_flips_as_often_as_the_draw_says() {
    let model = model();
    let vocabulary = Vocabulary::of(&model).unwrap();
    // "a" becomes a, b or c: one of three flips. "ccc" stays positive whatever one word becomes.
    let texts = [named("1", "a"), named("2", "ccc"), named("3", "")];
    let counts = flip_counts(&model, &texts, &vocabulary, &EditLaw::RANDOM, 3000, 0).unwrap();
    // Five standard deviations of sqrt(3000 * 1/3 * 2/3) = 26.
    assert!((counts[0].flips as f64 - 1000.0).abs() < 130.0, "{counts:?}");
    assert_eq!(counts[1], FlipCount { flips: 0, copies: 3000 });
    assert_eq!(counts[2].rate(), None);
}

#[test]
fn chance_belongs_to_the_text() {
    let model = model();
    let vocabulary = Vocabulary::of(&model).unwrap();
    let law = EditLaw::new(Draw::Random, 0.3, 0.6).unwrap();
    let texts = [named("1", "abab"), named("2", "bbac"), named("3", "ab")];
    let together = flip_counts(&model, &texts, &vocabulary, &law, 100, 7).unwrap();
    for (text, count) in texts.iter().zip(&together) {
        assert_eq!(flip_counts(&model, &[*text], &vocabulary, &law, 100, 7).unwrap(), [*count]);
    }
    assert_ne!(flip_counts(&model, &texts, &vocabulary, &law, 100, 8).unwrap(), together);
}

#[test]
fn neighbours_leave_unknown_words() {
    let model = model();
    let vocabulary = Vocabulary::of(&model).unwrap();
    let law = EditLaw::new(Draw::Neighbours, 1.0, 1.0).unwrap();
    let input = Input::from("a, z!");
    let point = model.embed(&[input]).unwrap().remove(0);
    for copy in edited_copies(&input, &point, &vocabulary, &law, 20, &mut Dice::new(0, &[])) {
        assert!(["b, z!", "c, z!"].contains(&copy.text.as_str()), "{copy:?}");
    }
}

#[test]
fn text_that_is_not_replaced_stays() {
    let word = |range| Word { field: 0, range, pieces: vec![], features: vec![] };
    let (first, second) = (word(1..4), word(8..9));
    assert_eq!(spliced("\u{a0}", &[]), "\u{a0}");
    assert_eq!(spliced(" the end.Next", &[(&first, "Der"), (&second, "cat")]), " Der end cat Next");
    assert_eq!(spliced(" the end.Next", &[(&second, "!")]), " the end!Next");
}

#[test]
fn counts_of_words() {
    assert_eq!(EditLaw::count(0.1, 30), 3);
    assert_eq!(EditLaw::count(0.1, 31), 4);
    assert_eq!(EditLaw::count(0.1, 2), 1);
    assert_eq!(EditLaw::count(1.0, 4), 4);
    let error = EditLaw::new(Draw::Random, 0.5, 1.5).unwrap_err();
    assert_eq!(error.to_string(), "the largest share of words is 1.5, which is outside 0 to 1");
}
