//! The loss: cross-entropy, with label smoothing and focus as options.

use crate::kernels::log_softmax;

/// `sum_c q_c (1 - p_c)^focus (-ln p_c)`, where q gives the label `1 - smoothing` and shares `smoothing` over all
/// classes. Without either it is cross-entropy; with smoothing alone, that of Szegedy et al. 2016; with focus alone, the
/// focal loss of Lin et al. 2017.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Loss {
    pub smoothing: f32,
    pub focus: f32,
}

/// What a text is to teach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    Label(usize),
    /// That no label is right: the model should find all of them as likely. The weight is against that of a label.
    Unsure(f32),
}

impl Loss {
    /// The loss of one answer against what the text is to teach, and its gradient with respect to the logits.
    pub(crate) fn toward(self, logits: &[f32], target: Target) -> (f64, Vec<f32>) {
        match target {
            Target::Label(label) => self.of(logits, label),
            Target::Unsure(weight) => {
                let (loss, mut gradient) = certainty(logits);
                gradient.iter_mut().for_each(|slope| *slope *= weight);
                (loss * f64::from(weight), gradient)
            }
        }
    }

    /// The loss of one answer, and its gradient with respect to the logits.
    pub(crate) fn of(self, logits: &[f32], label: usize) -> (f64, Vec<f32>) {
        let (smoothing, focus) = (f64::from(self.smoothing), f64::from(self.focus));
        let even = smoothing / logits.len() as f64;
        let mut loss = 0.0;
        // pull_c = q_c p_c d/dp_c of the term of class c; p_c moves with every logit.
        let mut pulls = vec![0.0; logits.len()];
        let log_probs = log_softmax(logits);
        for (class, log_p) in log_probs.iter().enumerate() {
            let log_p = f64::from(*log_p);
            let target = even + if class == label { 1.0 - smoothing } else { 0.0 };
            // Not 1 - exp: that has no digits left where the model is sure.
            let rest = -log_p.exp_m1();
            let weight = rest.powf(focus);
            loss -= target * weight * log_p;
            let bend =
                if focus == 0.0 || rest == 0.0 { 0.0 } else { focus * rest.powf(focus - 1.0) * log_p.exp() * log_p };
            pulls[class] = target * (bend - weight);
        }
        let total: f64 = pulls.iter().sum();
        let gradient =
            pulls.iter().zip(&log_probs).map(|(pull, log_p)| (pull - f64::from(*log_p).exp() * total) as f32);
        (loss, gradient.collect())
    }
}

/// How far the entropy of the probabilities is from its largest value, ln(classes) - H, and the gradient of that.
fn certainty(logits: &[f32]) -> (f64, Vec<f32>) {
    let log_probs: Vec<f64> = log_softmax(logits).into_iter().map(f64::from).collect();
    let entropy: f64 = -log_probs.iter().map(|log_p| log_p.exp() * log_p).sum::<f64>();
    // dH/dz_c = -p_c (ln p_c + H)
    let gradient = log_probs.iter().map(|log_p| (log_p.exp() * (log_p + entropy)) as f32).collect();
    ((logits.len() as f64).ln() - entropy, gradient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_by_hand() {
        let logits = [0.0, 3.0_f32.ln(), 0.0];
        // p = 1/5, 3/5, 1/5.
        let (plain, gradient) = Loss::default().of(&logits, 1);
        assert!((plain - (5.0_f64 / 3.0).ln()).abs() < 1e-6);
        for (found, expected) in gradient.iter().zip([0.2, -0.4, 0.2]) {
            assert!((found - expected).abs() < 1e-6);
        }
        let (focal, _) = Loss { smoothing: 0.0, focus: 2.0 }.of(&logits, 1);
        assert!((focal - 0.16 * (5.0_f64 / 3.0).ln()).abs() < 1e-6);
        let (smooth, _) = Loss { smoothing: 0.3, focus: 0.0 }.of(&logits, 1);
        assert!((smooth - (0.8 * (5.0_f64 / 3.0).ln() + 0.2 * 5.0_f64.ln())).abs() < 1e-6);
    }

    #[test]
    fn gradients_agree_with_differences() {
        let logits = [0.3_f32, -1.2, 2.0, 0.1];
        for loss in [(0.0, 0.0), (0.1, 0.0), (0.0, 2.0), (0.2, 0.5), (0.0, 1.0)] {
            let loss = Loss { smoothing: loss.0, focus: loss.1 };
            for label in 0..logits.len() {
                let (_, gradient) = loss.of(&logits, label);
                for (c, found) in gradient.iter().enumerate() {
                    let moved = |by: f32| {
                        let mut logits = logits;
                        logits[c] += by;
                        loss.of(&logits, label).0
                    };
                    // The step is a power of two, so that it is exact in float32; its log-probabilities are not.
                    let difference = (moved(0.015_625) - moved(-0.015_625)) / 0.031_25;
                    assert!((f64::from(*found) - difference).abs() < 1e-4, "{loss:?} {label} {c} {found} {difference}");
                }
            }
        }
    }

    #[test]
    fn nonsense_pulls_towards_even_probabilities() {
        let (none, flat) = Loss::default().toward(&[0.5, 0.5, 0.5], Target::Unsure(2.0));
        assert!(none.abs() < 1e-6 && flat.iter().all(|slope| slope.abs() < 1e-6));
        // p = 1/4, 3/4: ln 2 - H, twice.
        let logits = [0.0, 3.0_f32.ln()];
        let wanted = 2.0 * (2.0_f64.ln() + 0.25 * 0.25_f64.ln() + 0.75 * 0.75_f64.ln());
        assert!((Loss::default().toward(&logits, Target::Unsure(2.0)).0 - wanted).abs() < 1e-6);
        let logits = [0.3_f32, -1.2, 2.0, 0.1];
        let (_, gradient) = Loss::default().toward(&logits, Target::Unsure(0.7));
        for (c, found) in gradient.iter().enumerate() {
            let moved = |by: f32| {
                let mut logits = logits;
                logits[c] += by;
                Loss::default().toward(&logits, Target::Unsure(0.7)).0
            };
            let difference = (moved(0.015_625) - moved(-0.015_625)) / 0.031_25;
            assert!((f64::from(*found) - difference).abs() < 1e-4, "{c} {found} {difference}");
        }
        let (sure, slopes) = Loss::default().toward(&[200.0, -200.0], Target::Unsure(1.0));
        assert!((sure - 2.0_f64.ln()).abs() < 1e-6 && slopes.iter().all(|slope| slope.is_finite()));
    }

    #[test]
    fn a_sure_model_has_a_finite_loss() {
        for focus in [0.0, 0.5, 2.0] {
            for label in 0..2 {
                let (loss, gradient) = Loss { smoothing: 0.0, focus }.of(&[200.0, -200.0], label);
                assert!(
                    loss.is_finite() && gradient.iter().all(|g| g.is_finite()),
                    "{focus} {label} {loss} {gradient:?}"
                );
            }
        }
    }
}
