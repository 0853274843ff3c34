//! A square root of the softmax covariance diag(p) - p p^T that loses nothing when one class has all the mass.
//!
//! With y the predicted class and d_b = grad(z_y - z_b) for the rivals b, the Fisher information is G = D M D^T, where
//! M = diag(p) - p p^T over the rivals. Written with pairs of classes, G = sum_{a<b} p_a p_b (g_a - g_b)(g_a - g_b)^T.
//! M has a Cholesky factor in closed form (Tanabe and Sagae 1992): with t_i the mass of the classes after rival i,
//! the predicted one included,
//!
//! ```text
//! L_ii = sqrt(p_i t_i / t_{i-1})        L_ji = -p_j sqrt(p_i / (t_i t_{i-1}))   for j > i
//! ```
//!
//! The t are sums of positive numbers and never smaller than p_y >= 1/C, so nothing cancels: column i of D L is the
//! pairwise form sqrt(..) sum_{j>i} p_j (g_j - g_i).

use crate::confidence::Confidence;

/// L / sqrt(exp(log_scale)), where `log_scale` is the largest log-probability of a rival: even 1 - p = 1e-400 works.
#[derive(Debug, Clone)]
pub(crate) struct Factor {
    pub log_scale: f64,
    diagonal: Vec<f64>,
    /// sqrt(p_i / (t_i t_{i-1})), scaled.
    below: Vec<f64>,
    /// The probabilities of the rivals, as they are and divided by the largest.
    probabilities: Vec<f64>,
    scaled: Vec<f64>,
}

impl Factor {
    /// `rivals` are all classes but the predicted one, in the order of the vectors to be multiplied.
    pub fn new(confidence: &Confidence, rivals: &[usize]) -> Self {
        let log_scale = rivals.iter().map(|&b| confidence.log_probs[b]).fold(f64::NEG_INFINITY, f64::max);
        let probabilities: Vec<f64> = rivals.iter().map(|&b| confidence.probability(b)).collect();
        let scaled: Vec<f64> = rivals.iter().map(|&b| (confidence.log_probs[b] - log_scale).exp()).collect();
        let mut tail = confidence.probability(confidence.predicted);
        let (mut diagonal, mut below) = (vec![0.0; rivals.len()], vec![0.0; rivals.len()]);
        for at in (0..rivals.len()).rev() {
            let with = tail + probabilities[at];
            diagonal[at] = (scaled[at] * tail / with).sqrt();
            below[at] = (scaled[at] / (tail * with)).sqrt();
            tail = with;
        }
        Self { log_scale, diagonal, below, probabilities, scaled }
    }

    /// The probability of rival `at` divided by that of the strongest.
    pub fn scaled_probability(&self, at: usize) -> f64 {
        self.scaled[at]
    }

    /// L u.
    pub fn times(&self, u: &[f64]) -> Vec<f64> {
        let mut before = 0.0;
        let mut out = Vec::with_capacity(u.len());
        for (at, value) in u.iter().enumerate() {
            out.push(self.diagonal[at] * value - self.probabilities[at] * before);
            before += self.below[at] * value;
        }
        out
    }

    /// L^T w.
    pub fn transposed_times(&self, w: &[f64]) -> Vec<f64> {
        let mut after = 0.0;
        let mut out = vec![0.0; w.len()];
        for at in (0..w.len()).rev() {
            out[at] = self.diagonal[at] * w[at] - self.below[at] * after;
            after += self.probabilities[at] * w[at];
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rebuilt(factor: &Factor, size: usize) -> Vec<f64> {
        // L L^T, column by column of the identity.
        let unit = |at| (0..size).map(|k| f64::from(u8::from(k == at))).collect::<Vec<_>>();
        (0..size).flat_map(|at| factor.times(&factor.transposed_times(&unit(at)))).collect()
    }

    #[test]
    fn two_classes_have_one_number() {
        let confidence = Confidence::from_logits(0, &[0.0, 3f32.ln()]).unwrap();
        let factor = Factor::new(&confidence, &[0]);
        // p (1 - p) = 3/16.
        assert!((rebuilt(&factor, 1)[0] * factor.log_scale.exp() - 3.0 / 16.0).abs() < 1e-8);
    }

    #[test]
    fn nothing_is_lost_when_the_model_is_sure() {
        let confidence = Confidence::from_logits(0, &[900.0, 0.0, 1.0]).unwrap();
        let factor = Factor::new(&confidence, &[2, 1]);
        let m = rebuilt(&factor, 2);
        // M / p_2 with p_2 = exp(-899): diag(1, 1/e), nothing beside it.
        assert!((m[0] - 1.0).abs() < 1e-12 && (m[3] - (-1f64).exp()).abs() < 1e-12 && m[1].abs() < 1e-12, "{m:?}");
        assert_eq!(factor.log_scale, -899.0);
    }

    proptest! {
        #[test]
        fn the_square_is_the_covariance(logits in prop::collection::vec(-8.0..8.0f32, 2..12)) {
            let confidence = Confidence::from_logits(0, &logits).unwrap();
            let rivals = confidence.rivals();
            let factor = Factor::new(&confidence, &rivals);
            let m = rebuilt(&factor, rivals.len());
            for (i, &a) in rivals.iter().enumerate() {
                for (j, &b) in rivals.iter().enumerate() {
                    let (p, q) = (confidence.probability(a), confidence.probability(b));
                    let wanted = if a == b { p * (1.0 - p) } else { -p * q };
                    prop_assert!((m[i * rivals.len() + j] * factor.log_scale.exp() - wanted).abs() < 1e-14);
                }
            }
        }
    }
}
