//! Softmax in the two forms that are needed: fast over the rows of attention, and exact in the tail for class scores.

use super::dispatch::{LANES, dispatched};
use super::special::exp;
use super::vector::{dot_inline, sum_inline};

/// Natural logarithms of the class probabilities, exact in the tail: where the best class has 1 - p = 1e-12, its result
/// is -1e-12 and not 0, because the sum is taken over the *other* classes. An empty slice gives an empty answer.
pub fn log_softmax(logits: &[f32]) -> Vec<f32> {
    let Some(best) = (0..logits.len()).reduce(|best, c| if logits[c] > logits[best] { c } else { best }) else {
        return Vec::new();
    };
    let from_best = |c: usize| f64::from(logits[c]) - f64::from(logits[best]);
    let others: f64 = (0..logits.len()).filter(|c| *c != best).map(|c| from_best(c).exp()).sum();
    (0..logits.len()).map(|c| (from_best(c) - others.ln_1p()) as f32).collect()
}

dispatched! {
    /// Turns every row of `width` scores into probabilities, in place. A score of negative infinity gets exactly 0.
    pub fn softmax(x: &mut [f32], width: usize) {
        for row in x.chunks_exact_mut(width) {
            let mut lanes = [f32::MIN; LANES];
            let chunks = row.chunks_exact(LANES);
            let mut highest = f32::MIN;
            for x in chunks.remainder() {
                highest = highest.max(*x);
            }
            for chunk in chunks {
                for lane in 0..LANES {
                    lanes[lane] = lanes[lane].max(chunk[lane]);
                }
            }
            for lane in lanes {
                highest = highest.max(lane);
            }
            for x in row.iter_mut() {
                *x = exp(*x - highest);
            }
            let factor = 1.0 / sum_inline(row);
            for x in row.iter_mut() {
                *x *= factor;
            }
        }
    }

    /// From probabilities `p` and the gradient with respect to them, the gradient with respect to the scores, in place.
    pub fn softmax_backward(p: &[f32], gradient: &mut [f32], width: usize) {
        for (p, gradient) in p.chunks_exact(width).zip(gradient.chunks_exact_mut(width)) {
            let mean = dot_inline(p, gradient);
            for (gradient, p) in gradient.iter_mut().zip(p) {
                *gradient = p * (*gradient - mean);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_tail_survives() {
        let found = log_softmax(&[27.631_02, 0.0]);
        assert!((f64::from(found[0]) / -1.0e-12 - 1.0).abs() < 1e-5, "{found:?}");
        assert!((found[1] + 27.631_02).abs() < 1e-5);
        assert_eq!(log_softmax(&[]), Vec::<f32>::new());
        assert_eq!(log_softmax(&[3.0]), [0.0]);
        assert_eq!(log_softmax(&[1000.0, -1000.0]), [0.0, -2000.0]);
    }

    #[test]
    fn a_masked_score_gets_nothing() {
        let mut x = [0.0, f32::NEG_INFINITY, 0.0];
        softmax(&mut x, 3);
        assert_eq!(x, [0.5, 0.0, 0.5]);
    }

    proptest! {
        #[test]
        fn softmax_and_its_backward_agree_with_double_precision(
            rows in prop::collection::vec(prop::collection::vec((-8.0_f32..8.0, -1.0_f32..1.0), 37), 1..4),
        ) {
            let width = 37;
            let (scores, weights): (Vec<f32>, Vec<f32>) = rows.concat().into_iter().unzip();
            let exact = |row: &[f64]| -> Vec<f64> {
                let total: f64 = row.iter().map(|x| x.exp()).sum();
                row.iter().map(|x| x.exp() / total).collect()
            };
            let mut p = scores.clone();
            softmax(&mut p, width);
            let mut gradient = weights.clone();
            softmax_backward(&p, &mut gradient, width);
            for row in 0..rows.len() {
                let wide: Vec<f64> = scores[row * width..][..width].iter().map(|x| f64::from(*x)).collect();
                let weights = &weights[row * width..][..width];
                let value = |x: &[f64]| -> f64 { exact(x).iter().zip(weights).map(|(p, w)| p * f64::from(*w)).sum() };
                for (j, expected) in exact(&wide).into_iter().enumerate() {
                    prop_assert!((f64::from(p[row * width + j]) - expected).abs() < 1e-6);
                    let (mut up, mut down) = (wide.clone(), wide.clone());
                    up[j] += 1e-5;
                    down[j] -= 1e-5;
                    let difference = (value(&up) - value(&down)) / 2e-5;
                    prop_assert!((f64::from(gradient[row * width + j]) - difference).abs() < 1e-6);
                }
            }
        }

        #[test]
        fn log_softmax_is_the_logarithm_of_softmax(logits in prop::collection::vec(-30.0_f32..30.0, 1..9)) {
            let total: f64 = logits.iter().map(|z| f64::from(*z).exp()).sum();
            for (found, logit) in log_softmax(&logits).into_iter().zip(&logits) {
                prop_assert!((f64::from(found) - (f64::from(*logit) - total.ln())).abs() < 1e-5);
            }
        }
    }
}
