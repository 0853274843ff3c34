//! What the probabilities alone say about an example: the baselines that stand beside every geometric score.

use crate::{Error, Result};

/// The decision of a model at one point, with probabilities that survive 1 - p = 1e-300.
#[derive(Debug, Clone, PartialEq)]
pub struct Confidence {
    /// The class with the largest logit; the first of several.
    pub predicted: usize,
    /// Natural logarithms of the class probabilities.
    pub log_probs: Vec<f64>,
}

impl Confidence {
    /// `input` is the number of the input in its batch, for the error.
    pub fn from_logits(input: usize, logits: &[f32]) -> Result<Self> {
        if logits.len() < 2 {
            return Err(Error::TooFewClasses { classes: logits.len() });
        }
        if let Some(class) = logits.iter().position(|value| !value.is_finite()) {
            return Err(Error::NotFinite { input, class, value: logits[class] });
        }
        Ok(Self { predicted: argmax(logits), log_probs: log_softmax(logits) })
    }

    pub fn classes(&self) -> usize {
        self.log_probs.len()
    }

    pub fn probability(&self, class: usize) -> f64 {
        self.log_probs[class].exp()
    }

    /// The classes other than the predicted one, most probable first; ties in the order of the classes.
    pub fn rivals(&self) -> Vec<usize> {
        let mut rivals: Vec<usize> = (0..self.classes()).filter(|&class| class != self.predicted).collect();
        rivals.sort_by(|&a, &b| self.log_probs[b].total_cmp(&self.log_probs[a]));
        rivals
    }

    /// 1 - max p, added up from the rivals so that nothing cancels.
    pub fn uncertainty(&self) -> f64 {
        (0..self.classes()).filter(|&class| class != self.predicted).map(|class| self.probability(class)).sum()
    }

    /// The logit of the predicted class minus that of `rival`.
    pub fn margin_to(&self, rival: usize) -> f64 {
        self.log_probs[self.predicted] - self.log_probs[rival]
    }

    /// The logit of the predicted class minus that of the strongest rival.
    pub fn margin(&self) -> f64 {
        (0..self.classes())
            .filter(|&class| class != self.predicted)
            .map(|class| self.margin_to(class))
            .fold(f64::INFINITY, f64::min)
    }

    /// The entropy of the class probabilities in nats.
    pub fn entropy(&self) -> f64 {
        -self.log_probs.iter().map(|log| log.exp() * log).sum::<f64>()
    }
}

/// The index of the largest number; the first of several.
pub(crate) fn argmax(values: &[f32]) -> usize {
    let mut best = 0;
    for (at, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = at;
        }
    }
    best
}

/// Natural logarithms of the softmax. The logarithm of the sum is taken as `ln_1p` of what the largest term leaves, so
/// that log p = -1e-12 comes out as such and not as 0.
fn log_softmax(logits: &[f32]) -> Vec<f64> {
    let top = argmax(logits);
    let largest = f64::from(logits[top]);
    let rest: f64 =
        logits.iter().enumerate().filter(|(at, _)| *at != top).map(|(_, z)| (f64::from(*z) - largest).exp()).sum();
    let log_sum = rest.ln_1p();
    logits.iter().map(|z| f64::from(*z) - largest - log_sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baselines_of_three_classes() {
        // exp of the logits: 4, 2, 2; so p = 1/2, 1/4, 1/4.
        let ln2 = std::f32::consts::LN_2;
        let confidence = Confidence::from_logits(0, &[ln2, 2.0 * ln2, ln2]).unwrap();
        assert_eq!(confidence.predicted, 1);
        assert_eq!(confidence.rivals(), [0, 2]);
        assert!((confidence.uncertainty() - 0.5).abs() < 1e-7);
        assert!((confidence.margin() - f64::from(ln2)).abs() < 1e-12);
        // 1/2 ln 2 + 2 * 1/4 ln 4 = 3/2 ln 2.
        assert!((confidence.entropy() - 1.5 * std::f64::consts::LN_2).abs() < 1e-7);
    }

    #[test]
    fn nothing_is_lost_at_the_edge() {
        let confidence = Confidence::from_logits(0, &[60.0, 0.0]).unwrap();
        let rest = (-60f64).exp();
        assert!((confidence.uncertainty() / rest - 1.0).abs() < 1e-12);
        assert!((confidence.log_probs[0] / -rest - 1.0).abs() < 1e-12);
        assert_eq!(confidence.margin(), 60.0);
    }

    #[test]
    fn broken_logits_are_named() {
        let error = Confidence::from_logits(3, &[1.0, f32::NAN]).unwrap_err();
        assert!(error.to_string().contains("class 1 of input 3"), "{error}");
        assert!(matches!(Confidence::from_logits(0, &[1.0]), Err(Error::TooFewClasses { classes: 1 })));
    }
}
