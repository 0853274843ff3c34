//! The forecast of a part for a model that is a straight line: there it must be what counting finds.

use fissure_core::{Amount, Chain, Dice, EditText, EditWord, Entry, Outcome, Proposal, Sample, Text, Transform, Word};
use fissure_models::{Model as _, WhiteBox as _};

use crate::testing::Linear;
use crate::{PartForecaster, input_of};

mod other_letters {
    use super::*;
    use fissure_core::transform;

    transform! {
        /// Replaces a letter that stands alone with any other.
        pub struct OtherLetters {
            ..Amount::share(0.3);
        }
        card: {}
        examples: []
    }

    impl EditWord for OtherLetters {
        fn amount(&self) -> Amount {
            self.amount
        }

        fn accepts(&self, word: Word<'_>) -> bool {
            word.letter_count() == 1
        }

        fn edit_word(&self, _: Word<'_>, dice: &mut Dice) -> Option<String> {
            Some(char::from(b'a' + dice.below(26) as u8).to_string())
        }
    }
}

mod all_or_none {
    use super::*;
    use fissure_core::{Edit, Words, transform};

    transform! {
        /// Replaces every letter with the same one: no law can say that.
        pub struct AllOrNone {}
        card: {}
        examples: []
    }

    impl EditText for AllOrNone {
        fn edit_text(&self, text: &Text, dice: &mut Dice) -> Proposal {
            let letter = char::from(b'a' + dice.below(26) as u8).to_string();
            Ok(Words::new(text).map(|word| Edit::replace(word.span, letter.as_str())).collect())
        }
    }
}

fn model() -> Linear {
    let table: Vec<Vec<f32>> = (0..26).map(|at| vec![((at * 11 % 26) as f32 - 12.5) / 8.0]).collect();
    Linear::new(1, vec![1.0, -1.0], vec![2.0, -2.0]).with_words(table)
}

fn texts() -> Vec<Sample> {
    let mut dice = Dice::new(2, &["texts"]);
    let mut letters = |_: usize| char::from(b'a' + dice.below(26) as u8).to_string();
    (0..60)
        .map(|number| {
            let words: Vec<String> = (0..40).map(&mut letters).collect();
            Sample::of_text(number.to_string(), words.join(" "))
        })
        .collect()
}

fn chain(entry: &'static Entry<dyn Transform>) -> Chain {
    Chain::of(&[entry], &[]).unwrap()
}

fn counted(model: &Linear, chain: &Chain, text: &Sample) -> f64 {
    let before = model.answer(&[input_of(text)]).unwrap()[0].predicted;
    let (mut flips, mut all) = (0.0, 0.0);
    for variant in 0..1500 {
        if let Outcome::Changed(changed) = chain.run(text, 99, variant) {
            let after = model.answer(&[input_of(&changed.sample)]).unwrap()[0].predicted;
            flips += f64::from(u8::from(after != before));
            all += 1.0;
        }
    }
    flips / all
}

/// A place is drawn [`OUTCOMES`](super::part::OUTCOMES) = 6 times, and 12 of 40 places are taken: the mean shift of one text is
/// known to sqrt(12 / (6 * 40)) = 0.22 of the spread within places, which is up to 0.09 of a probability. So single texts are
/// held to three of these, and the mean over the texts, where the dice even out, to much less.
#[test]
fn the_forecast_of_a_part_is_what_counting_finds() {
    let (model, texts) = (model(), texts());
    let chains = [chain(&other_letters::ENTRY), chain(&all_or_none::ENTRY)];
    let forecaster = PartForecaster::calibrated(&model, &chains, &texts, 0).unwrap();
    let scalars = forecaster.calibrations[0].as_ref().unwrap();
    let fitted = &scalars.fitted;
    assert!(
        fitted.c.abs() < 1e-3 && (fitted.kappa - 1.0).abs() < 1e-2 && (fitted.beta - 1.0).abs() < 1e-2,
        "{fitted:?}"
    );
    assert!(fitted.r_squared.unwrap() > 0.9999 && !scalars.is_margin_only());
    let outlooks = forecaster.outlook(&texts).unwrap();
    let mut errors = Vec::new();
    for (text, outlook) in texts.iter().zip(&outlooks) {
        let part = outlook.parts[0].as_ref().unwrap();
        let truth = counted(&model, &chains[0], text);
        errors.push(part.forecast.probability - truth);
        assert!(errors[errors.len() - 1].abs() < 0.25, "{part:?} against {truth}");
        // A word that becomes the worst letter is the first threat.
        assert!(part.threats.len() == 3 && part.threats[0].shift <= part.threats[1].shift);
        let drawn = outlook.parts[1].as_ref().unwrap();
        assert!((0.0..=1.0).contains(&drawn.forecast.probability));
        // A threat is one edit with what this edit does, also if the part makes forty of them at a time.
        for threat in part.threats.iter().chain(&drawn.threats) {
            let mut raw = text.fields[0].text.to_string();
            raw.replace_range(threat.start..threat.end, &threat.new);
            let margin = |text: &Sample| {
                let logits = &model.logits_at(&model.embed(&[input_of(text)]).unwrap()).unwrap()[0];
                let predicted = outlook.confidence.predicted;
                f64::from(logits[predicted] - logits[1 - predicted])
            };
            let moved = margin(&Sample::of_text("changed", raw)) - margin(text);
            assert!((threat.shift - moved).abs() < 0.02 * moved.abs() + 1e-3, "{threat:?} moved {moved}");
        }
        assert_eq!(drawn.threats.len(), 3);
        assert!((part.becomes.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    let of = |value: fn(f64) -> f64| errors.iter().map(|error| value(*error)).sum::<f64>() / errors.len() as f64;
    let (bias, absolute) = (of(|error| error), of(f64::abs));
    assert!(bias.abs() < 0.02 && absolute < 0.06, "on average {bias:+.4}, without signs {absolute:.4}");
}

#[test]
fn a_text_that_is_not_changed_has_no_forecast() {
    let model = model();
    let chains = [chain(&other_letters::ENTRY)];
    let mut samples = texts();
    samples.push(Sample::of_text("none", "alpha beta"));
    let forecaster = PartForecaster::calibrated(&model, &chains, &samples, 0).unwrap();
    let outlooks = forecaster.outlook(&samples[59..]).unwrap();
    assert!(outlooks[0].parts[0].is_some() && outlooks[1].parts[0].is_none());
    // Alone or in a batch, a text has the same forecast.
    let alone = forecaster.outlook(&samples[59..60]).unwrap();
    assert_eq!(alone[0].parts, outlooks[0].parts);
    // Nothing to learn from, nothing to forecast.
    let none = PartForecaster::calibrated(&model, &chains, &samples[60..], 0).unwrap();
    assert!(none.calibrations[0].is_none() && none.outlook(&samples[..1]).unwrap()[0].parts[0].is_none());
}
