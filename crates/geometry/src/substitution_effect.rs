//! The effect of a substitution: predicted to first order, and measured by asking the model.

use std::ops::Range;

use fissure_core::Sample;
use fissure_models::{Embedded, Input, WhiteBox};
use serde::Serialize;

use crate::confidence::Confidence;
use crate::forecast::Surrogate;
use crate::survey::Survey;
use crate::vectors::{add_to, dot};
use crate::vocabulary::{Vocabulary, mean_row};
use crate::words::words_of;
use crate::{Error, Result};

/// What the straight line says about a substitution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PredictedEffect {
    /// How far it moves the text along e_max. Positive: away from the predicted class.
    pub projection: f64,
    /// The margin to the strongest rival afterwards; below 0 the answer flips.
    pub margin: f64,
    /// The probability of the class that is predicted now.
    pub probability: f64,
}

/// For each candidate what replacing the word number `word` with it would do, to first order; `None` for a
/// candidate that the model does not read as one word. The survey must be of
/// [`Space::Tokens`](crate::Space::Tokens).
pub fn predict_effect(
    model: &dyn WhiteBox,
    point: &Embedded,
    survey: &Survey,
    word: usize,
    candidates: &[&str],
) -> Result<Vec<Option<PredictedEffect>>> {
    let words = words_of(point);
    let Some(place) = words.get(word) else { return Ok(vec![None; candidates.len()]) };
    let vocabulary = match Vocabulary::from_words(model, candidates) {
        Ok(vocabulary) => vocabulary,
        Err(Error::NoWords) => return Ok(vec![None; candidates.len()]),
        Err(error) => return Err(error),
    };
    let line = Surrogate::new(survey, point, &vocabulary);
    let mut along = vec![0.0; point.rows.width];
    place.pieces.iter().for_each(|&piece| add_to(&mut along, survey.spectrum.e_max.row(piece)));
    let here = dot(&along, &mean_row(point, place));
    let spaced: Vec<String> = candidates.iter().map(|candidate| format!(" {candidate}")).collect();
    let inputs: Vec<Input<'_>> = spaced.iter().map(|candidate| Input::from(candidate.as_str())).collect();
    let effect = |candidate: &Embedded| {
        let [only] = &words_of(candidate)[..] else { return None };
        let entry = vocabulary.entry(candidate, only)?;
        let margins = line.margins_after(&vocabulary, &[(word, entry)]);
        let rest: f64 = margins.iter().map(|margin| (-margin).exp()).sum();
        Some(PredictedEffect {
            projection: dot(&along, vocabulary.row(entry)) - here,
            margin: margins.into_iter().fold(f64::INFINITY, f64::min),
            probability: 1.0 / (1.0 + rest),
        })
    };
    Ok(model.embed(&inputs)?.iter().map(effect).collect())
}

/// What the model itself says to these texts.
pub fn confidences(model: &dyn WhiteBox, inputs: &[Input<'_>]) -> Result<Vec<Confidence>> {
    let logits = model.logits_at(&model.embed(inputs)?)?;
    logits.iter().enumerate().map(|(at, logits)| Confidence::from_logits(at, logits)).collect()
}

/// The question that a sample puts to a classifier: its first text, and its second if it has one.
pub fn input_of(sample: &Sample) -> Input<'_> {
    let mut texts = sample.fields.iter().map(|field| field.text.as_str());
    Input { text: texts.next().unwrap_or(""), pair: texts.next() }
}

/// The number of the word that covers these bytes of a field.
pub fn word_at(point: &Embedded, field: u8, bytes: &Range<usize>) -> Option<usize> {
    words_of(point)
        .iter()
        .position(|word| word.field == field && word.range.start < bytes.end && bytes.start < word.range.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;
    use crate::{Space, survey};

    /// For a linear model the prediction is exact.
    #[test]
    fn a_straight_model_does_as_foretold() {
        let model = Linear::new(1, vec![1.0, -1.0], vec![0.1, 0.0])
            .with_words((0..26).map(|k| vec![k as f32 / 10.0 - 1.2]).collect());
        let input = Input::from("w");
        let point = model.embed(&[input]).unwrap().remove(0);
        let survey = survey(&model, std::slice::from_ref(&point), Space::Tokens).unwrap().remove(0);
        let found = predict_effect(&model, &point, &survey, 0, &["x", "a", "two words", "!"]).unwrap();
        let truth = confidences(&model, &["x".into(), "a".into()]).unwrap();
        assert!(found[2].is_none() && found[3].is_none());
        // w is 1.0 with margin 2.1; x is 1.1 with margin 2.3; a is -1.2 with margin -2.3: the answer flips.
        let (x, a) = (found[0].unwrap(), found[1].unwrap());
        assert!((x.margin - 2.3).abs() < 1e-5 && (a.margin + 2.3).abs() < 1e-5, "{x:?} {a:?}");
        assert!((x.projection + 0.1).abs() < 1e-6 && (a.projection - 2.2).abs() < 1e-5, "{x:?} {a:?}");
        assert!((x.probability - truth[0].probability(0)).abs() < 1e-6);
        assert!((a.probability - truth[1].probability(0)).abs() < 1e-6);
        assert_eq!((truth[0].predicted, truth[1].predicted), (0, 1));
        assert_eq!(word_at(&point, 0, &(0..1)), Some(0));
        assert_eq!(word_at(&point, 1, &(0..1)), None);
        assert!(predict_effect(&model, &point, &survey, 7, &["x"]).unwrap()[0].is_none());
    }
}
