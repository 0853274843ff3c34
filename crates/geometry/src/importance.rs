//! How much each word counts for a model's answer: the resource of destroyers that go by importance.

use std::sync::Arc;

use fissure_core::{Importance, Sample, Skip, Span};
use fissure_models::{Answer, Embedded, Input, Model, WhiteBox};

use crate::attribution::integrated_gradients;
use crate::confidence::Confidence;
use crate::vectors::dot;
use crate::{Error, Result};

/// The ways to tell the importance of a word; pieces of a word are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The embedding times the gradient of L = -log p of the predicted class (Gupta, Kvernadze and Srikumar 2021), signed
    /// so that it is, to first order, how much the loss rises when the word goes: high for words that speak for the
    /// answer. The paper writes the product without the minus, but means what is written here: a higher score for a more
    /// important word, as an approximation of what leaving it out would do.
    GradXInput,
    /// Integrated gradients of the probability of the predicted class: high for words that speak for it.
    Ig,
    /// How much the probability of the predicted class falls when the word is left out; 1 or 0, whether the answer
    /// changes, for models that give labels only. Works with every model, and asks it once for each word.
    LeaveOneOut,
}

impl Method {
    pub const fn name(self) -> &'static str {
        match self {
            Self::GradXInput => "grad_x_input",
            Self::Ig => "ig",
            Self::LeaveOneOut => "leave_one_out",
        }
    }

    /// The paper's method for models with gradients, otherwise by leaving words out.
    pub fn usual(model: &dyn Model) -> Self {
        if model.as_white_box().is_some() { Self::GradXInput } else { Self::LeaveOneOut }
    }
}

/// With more words than this, leaving out each of them would take for ever.
const MOST_LEFT_OUT: usize = 4096;
/// Shortened texts that are asked about at a time: each is nearly as long as the text.
const AT_A_TIME: usize = 64;

/// The importance of words to a model, by some method.
#[derive(Debug)]
pub struct ByModel {
    model: Arc<dyn Model>,
    method: Method,
}

impl ByModel {
    /// Refuses a method that needs gradients if the model gives none.
    pub fn new(model: Arc<dyn Model>, method: Method) -> Result<Self> {
        if method != Method::LeaveOneOut && model.as_white_box().is_none() {
            return Err(Error::NotWhiteBox);
        }
        Ok(Self { model, method })
    }

    fn scores(&self, input: Input<'_>, field: u8, words: &[Span]) -> Result<Vec<f32>> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        match (self.method, self.model.as_white_box()) {
            (Method::GradXInput, Some(model)) => {
                let point = embed(model, input)?;
                let pieces = gradient_times_input(model, &point)?;
                Ok(by_word(&point, &pieces, field, words))
            }
            (Method::Ig, Some(model)) => {
                let points = [embed(model, input)?];
                let found = integrated_gradients(model, &points, false)?;
                let pieces = found.first().map_or(&[][..], |found| &found.probability);
                Ok(by_word(&points[0], pieces, field, words))
            }
            _ => leave_one_out(&*self.model, input, field, words),
        }
    }
}

impl Importance for ByModel {
    fn method(&self) -> &'static str {
        self.method.name()
    }

    fn of(&self, sample: &Sample, field: usize, words: &[Span]) -> std::result::Result<Vec<f32>, Skip> {
        let mut texts = sample.fields.iter().map(|field| field.text.as_str());
        let input = Input { text: texts.next().unwrap_or(""), pair: texts.next() };
        let side = u8::try_from(field).ok().filter(|side| *side < 2);
        let side = side.ok_or(Skip("the model reads the first two texts of a sample only".into()))?;
        if self.method == Method::LeaveOneOut && words.len() > MOST_LEFT_OUT {
            let reason = format!("it has more than {MOST_LEFT_OUT} words, too many to leave out one by one");
            return Err(Skip(reason.into()));
        }
        self.scores(input, side, words).map_err(|error| Skip(error.to_string().into()))
    }
}

fn embed(model: &dyn WhiteBox, input: Input<'_>) -> Result<Embedded> {
    // One input, one point; a model that gives none has nothing to say about any word.
    Ok(model.embed(&[input])?.pop().unwrap_or(Embedded { pieces: vec![], rows: Default::default(), truncated: false }))
}

fn gradient_times_input(model: &dyn WhiteBox, point: &Embedded) -> Result<Vec<f64>> {
    let pulled = model.pull_back(std::slice::from_ref(point), &|_, logits| {
        // -dL/dz_c = [c is predicted] - p_c; broken logits make broken weights, which are reported below.
        let Ok(confidence) = Confidence::from_logits(0, logits) else { return vec![vec![f32::NAN; logits.len()]] };
        let slope = |class: usize| match class == confidence.predicted {
            true => confidence.uncertainty() as f32,
            false => -confidence.probability(class) as f32,
        };
        vec![(0..logits.len()).map(slope).collect()]
    })?;
    let gradient = pulled.first().and_then(|pulled| pulled.gradients.first());
    let Some(gradient) = gradient.filter(|gradient| gradient.kept().values.iter().all(|value| value.is_finite()))
    else {
        return Err(Error::GradientNotFinite { input: 0 });
    };
    Ok((0..point.rows.count()).map(|at| dot(gradient.row(at), point.rows.row(at))).collect())
}

/// The scores of pieces as scores of words: what a piece has is shared by the words it lies on.
fn by_word(point: &Embedded, scores: &[f64], field: u8, words: &[Span]) -> Vec<f32> {
    let mut sums = vec![0.0; words.len()];
    for (piece, score) in point.pieces.iter().zip(scores) {
        let Some((side, range)) = &piece.source else { continue };
        if *side != field {
            continue;
        }
        // Words come in order, so those under a piece are neighbours.
        let first = words.partition_point(|word| word.end <= range.start);
        let count = words[first..].iter().take_while(|word| word.start < range.end).count();
        sums[first..first + count].iter_mut().for_each(|sum| *sum += score / count as f64);
    }
    sums.into_iter().map(|sum| sum as f32).collect()
}

fn leave_one_out(model: &dyn Model, input: Input<'_>, field: u8, words: &[Span]) -> Result<Vec<f32>> {
    let text = if field == 0 { input.text } else { input.pair.unwrap_or("") };
    // The space before a word goes with it.
    let left =
        |word: &Span| [text.get(..word.start).unwrap_or("").trim_end(), text.get(word.end..).unwrap_or("")].concat();
    let Some(whole) = model.answer(&[input])?.pop() else { return Ok(Vec::new()) };
    let mut falls = Vec::with_capacity(words.len());
    for words in words.chunks(AT_A_TIME) {
        let shorter: Vec<String> = words.iter().map(left).collect();
        let mut inputs: Vec<Input<'_>> = Vec::with_capacity(shorter.len());
        for text in &shorter {
            inputs.push(match field {
                0 => Input { text, pair: input.pair },
                _ => Input { text: input.text, pair: Some(text) },
            });
        }
        falls.extend(model.answer(&inputs)?.iter().map(|answer| fall(&whole, answer)));
    }
    Ok(falls)
}

/// How much less the second answer says what the first does.
fn fall(whole: &Answer, without: &Answer) -> f32 {
    let probability = |answer: &Answer| Some(answer.log_probs.as_ref()?.get(whole.predicted)?.exp());
    match (probability(whole), probability(without)) {
        (Some(before), Some(after)) => before - after,
        _ => f32::from(u8::from(whole.predicted != without.predicted)),
    }
}

#[cfg(test)]
mod tests {
    use fissure_models::Piece;

    use super::*;
    use crate::testing::Linear;

    /// z = (sum of the rows, 0), with rows a = 2 and b = -1; `aab`: z_0 = 3.
    fn scores(method: Method) -> Vec<f32> {
        let model = Linear::new(1, vec![1.0, 0.0], vec![0.0, 0.0]).with_words(vec![vec![2.0], vec![-1.0]]);
        let by = ByModel::new(Arc::new(model), method).unwrap();
        by.of(&Sample::of_text("1", "aab"), 0, &[Span::new(0, 1), Span::new(1, 3)]).unwrap()
    }

    fn near(found: &[f32], wanted: &[f64]) {
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((f64::from(*found) - wanted).abs() < 1e-4, "{found} {wanted}");
        }
    }

    #[test]
    fn a_linear_model_by_hand() {
        let sure = |z: f64| 1.0 / (1.0 + (-z).exp());
        // -dL/dz_0 = 1 - p, times the rows 2, and 2 - 1 for the word of two pieces.
        let slope = 1.0 - sure(3.0);
        near(&scores(Method::GradXInput), &[2.0 * slope, slope]);
        // Integrated gradients share sure(3) - sure(0) as 2 : 1.
        let delta = sure(3.0) - 0.5;
        near(&scores(Method::Ig), &[2.0 * delta / 3.0, delta / 3.0]);
        // This model gives labels only: without the first a, `ab` still says class 0; without `ab`, `a` does too.
        near(&scores(Method::LeaveOneOut), &[0.0, 0.0]);
    }

    #[test]
    fn answers_with_probabilities_fall_by_their_difference() {
        let answer = |p: f32| Answer { predicted: 0, log_probs: Some(vec![p.ln(), (1.0 - p).ln()]), truncated: false };
        near(&[fall(&answer(0.9), &answer(0.3))], &[0.6]);
        let label = |predicted| Answer { predicted, log_probs: None, truncated: false };
        near(&[fall(&label(0), &label(1)), fall(&label(0), &label(0))], &[1.0, 0.0]);
    }

    #[test]
    fn a_piece_is_shared_by_the_words_it_lies_on() {
        let piece = |side, range| Piece { id: 0, source: Some((side, range)), word: None };
        let pieces = vec![piece(0, 0..3), piece(0, 4..6), piece(0, 6..8), piece(0, 0..8), piece(1, 0..3)];
        let point = Embedded { pieces, rows: Default::default(), truncated: false };
        let words = [Span::new(0, 3), Span::new(4, 8)];
        assert_eq!(by_word(&point, &[1.0, 2.0, 4.0, 1.0, 9.0], 0, &words), [1.5, 6.5]);
    }

    #[test]
    fn a_text_that_the_model_does_not_read_is_skipped() {
        let model = Linear::new(1, vec![1.0, 0.0], vec![0.0, 0.0]).with_words(vec![vec![2.0]]);
        let by = ByModel::new(Arc::new(model), Method::GradXInput).unwrap();
        assert!(by.of(&Sample::of_text("1", "a"), 2, &[Span::new(0, 1)]).is_err());
    }
}
