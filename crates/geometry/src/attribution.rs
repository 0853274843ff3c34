//! Which tokens speak for the predicted class: integrated gradients, and the gradient times the embedding.

use fissure_models::{Embedded, Matrix, WhiteBox};

use crate::confidence::Confidence;
use crate::survey::Survey;
use crate::vectors::dot;
use crate::{Error, Result};

/// The midpoints of the path from the baseline to the text.
const MIDPOINTS: usize = 50;

/// The integrated gradients of one text (Sundararajan, Taly and Yan 2017).
#[derive(Debug, Clone, PartialEq)]
pub struct Attribution {
    /// Of the probability of the predicted class, one number a token.
    pub probability: Vec<f64>,
    /// F(x) - F(baseline), to which the attributions should add up.
    pub probability_delta: f64,
    /// Of its logit.
    pub logit: Vec<f64>,
    pub logit_delta: f64,
}

impl Attribution {
    /// How far the attributions of the probability are from adding up to what they should.
    pub fn completeness_gap(&self) -> f64 {
        self.probability.iter().sum::<f64>() - self.probability_delta
    }
}

/// Integrated gradients from a text without words ([`baseline`]), at 50 midpoints. The logit costs a second backward
/// pass at each and is empty unless asked for.
pub fn integrated_gradients(model: &dyn WhiteBox, points: &[Embedded], with_logit: bool) -> Result<Vec<Attribution>> {
    points.iter().enumerate().map(|(input, point)| of_one(model, input, point, with_logit)).collect()
}

fn of_one(model: &dyn WhiteBox, input: usize, point: &Embedded, with_logit: bool) -> Result<Attribution> {
    let from = baseline(model, point);
    let ends = model.logits_at(&[point.clone(), from.clone()])?;
    let confidence = Confidence::from_logits(input, &ends[0])?;
    let blank = Confidence::from_logits(input, &ends[1])?;
    let class = confidence.predicted;
    let path: Vec<Embedded> =
        (0..MIDPOINTS).map(|k| between(&from, point, (k as f64 + 0.5) / MIDPOINTS as f64)).collect();
    let pulled = model.pull_back(&path, &|_, logits| {
        let mut asked = vec![probability_weights(logits, class)];
        if with_logit {
            asked.push((0..logits.len()).map(|c| f32::from(u8::from(c == class))).collect());
        }
        asked
    })?;
    let integral = |which: usize| -> Vec<f64> {
        let mut sum = vec![0.0; point.rows.count()];
        for gradient in pulled.iter().filter_map(|pulled| pulled.gradients.get(which)) {
            for (at, sum) in sum.iter_mut().enumerate() {
                *sum += (dot(gradient.row(at), point.rows.row(at)) - dot(gradient.row(at), from.rows.row(at)))
                    / MIDPOINTS as f64;
            }
        }
        sum
    };
    let probability = integral(0);
    if probability.iter().any(|value| !value.is_finite()) {
        return Err(Error::GradientNotFinite { input });
    }
    Ok(Attribution {
        probability,
        probability_delta: confidence.probability(class) - blank.probability(class),
        logit: if with_logit { integral(1) } else { Vec::new() },
        logit_delta: f64::from(ends[0][class]) - f64::from(ends[1][class]),
    })
}

/// The gradient of -log p of the predicted class times the embedding, for each token: negative where the token
/// supports the prediction.
pub fn gradient_dot_embedding(survey: &Survey, point: &Embedded) -> Vec<f64> {
    let gradient = &survey.log_prob_gradient;
    (0..point.rows.count()).map(|at| -dot(gradient.row(at), point.rows.row(at))).collect()
}

/// The text without its words: the model's blank row (or zeros) in place of every piece of text; marks such as `[CLS]`
/// stay.
pub fn baseline(model: &dyn WhiteBox, point: &Embedded) -> Embedded {
    let mut empty = point.clone();
    let width = point.rows.width;
    for (piece, row) in point.pieces.iter().zip(empty.rows.values.chunks_exact_mut(width.max(1))) {
        if piece.source.is_some() {
            match model.pad_embedding() {
                Some(blank) if blank.len() == width => row.copy_from_slice(blank),
                _ => row.fill(0.0),
            }
        }
    }
    empty
}

/// The point a share of the way from one to the other.
pub(crate) fn between(from: &Embedded, to: &Embedded, share: f64) -> Embedded {
    let mix = |(a, b): (&f32, &f32)| (f64::from(*a) + share * (f64::from(*b) - f64::from(*a))) as f32;
    let values = from.rows.values.iter().zip(&to.rows.values).map(mix).collect();
    Embedded { rows: Matrix { width: to.rows.width, values }, ..to.clone() }
}

/// The weights of grad p_class = p_class sum_{b != class} p_b (g_class - g_b).
fn probability_weights(logits: &[f32], class: usize) -> Vec<f32> {
    // Broken logits make broken weights, and those are reported by the caller.
    let Ok(confidence) = Confidence::from_logits(0, logits) else { return vec![f32::NAN; logits.len()] };
    let p = confidence.probability(class);
    let others = (0..logits.len()).filter(|&b| b != class).map(|b| confidence.probability(b)).sum::<f64>();
    (0..logits.len())
        .map(|c| if c == class { p * others } else { -p * confidence.probability(c) })
        .map(|w| w as f32)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Linear;
    use crate::{Space, survey};

    #[test]
    fn a_linear_model_by_hand() {
        // z = (sum, 0): letters a = 2 and b = -1, text "aab": z_0 = 3, each token gives its own row to the logit.
        let model = Linear::new(1, vec![1.0, 0.0], vec![0.0, 0.0]).with_words(vec![vec![2.0], vec![-1.0]]);
        let points = model.embed(&["aab".into()]).unwrap();
        let found = &integrated_gradients(&model, &points, true).unwrap()[0];
        for (value, wanted) in found.logit.iter().zip([2.0, 2.0, -1.0]) {
            assert!((value - wanted).abs() < 1e-6, "{found:?}");
        }
        assert!((found.logit_delta - 3.0).abs() < 1e-6);
        // sigmoid(3) - sigmoid(0), shared 2 : 2 : -1.
        let delta = 1.0 / (1.0 + (-3f64).exp()) - 0.5;
        assert!((found.probability_delta - delta).abs() < 1e-9);
        assert!(found.completeness_gap().abs() < 1e-4, "{found:?}");
        assert!((found.probability[2] + delta / 3.0).abs() < 1e-4);
    }

    #[test]
    fn the_gradient_times_the_embedding_by_hand() {
        let model = Linear::new(1, vec![1.0, 0.0], vec![0.0, 0.0]).with_words(vec![vec![2.0], vec![-1.0]]);
        let points = model.embed(&["ab".into()]).unwrap();
        let found = &survey(&model, &points, Space::Tokens).unwrap()[0];
        // z = 1: d(-log p)/dx = -(1 - sigmoid(1)).
        let slope = -(1.0 - 1.0 / (1.0 + (-1f64).exp()));
        let scores = gradient_dot_embedding(found, &points[0]);
        assert!((scores[0] - 2.0 * slope).abs() < 1e-7 && (scores[1] + slope).abs() < 1e-7, "{scores:?}");
    }
}
