//! The steps of the optimisers, over one slice of weights at a time.

use super::dispatch::dispatched;

/// The settings of Adam and AdamW.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adam {
    pub beta1: f32,
    pub beta2: f32,
    pub epsilon: f32,
    /// Decoupled weight decay, as in AdamW; 0 for plain Adam.
    pub decay: f32,
}

impl Default for Adam {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0.0 }
    }
}

impl Adam {
    /// The constants of step number `step`, counted from 1, at the given rate.
    pub fn step(&self, step: u32, rate: f32) -> AdamStep {
        let correction = |beta: f32| 1.0 - f64::from(beta).powi(step.min(i32::MAX as u32) as i32);
        AdamStep {
            beta1: self.beta1,
            beta2: self.beta2,
            epsilon: self.epsilon,
            keep: 1.0 - rate * self.decay,
            rate: (f64::from(rate) / correction(self.beta1)) as f32,
            second_factor: (1.0 / correction(self.beta2)) as f32,
        }
    }
}

/// What one step of [`adam`] needs, worked out once for all weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamStep {
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    keep: f32,
    rate: f32,
    second_factor: f32,
}

dispatched! {
    /// One step of Adam (or AdamW) on `weights`, whose running moments are `first` and `second`.
    pub fn adam(weights: &mut [f32], gradient: &[f32], first: &mut [f32], second: &mut [f32], step: &AdamStep) {
        let AdamStep { beta1, beta2, epsilon, keep, rate, second_factor } = *step;
        let moments = first.iter_mut().zip(second.iter_mut());
        for ((weight, gradient), (first, second)) in weights.iter_mut().zip(gradient).zip(moments) {
            *first = beta1.mul_add(*first, (1.0 - beta1) * gradient);
            *second = beta2.mul_add(*second, (1.0 - beta2) * gradient * gradient);
            *weight = keep * *weight - rate * *first / ((*second * second_factor).sqrt() + epsilon);
        }
    }

    /// One step of gradient descent: `weights -= rate * gradient`.
    pub fn sgd(weights: &mut [f32], gradient: &[f32], rate: f32) {
        for (weight, gradient) in weights.iter_mut().zip(gradient) {
            *weight = (-rate).mul_add(*gradient, *weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_steps_of_adam_by_hand() {
        let (mut weights, mut first, mut second) = ([1.0_f32, -2.0], [0.0; 2], [0.0; 2]);
        let settings = Adam { decay: 0.1, ..Adam::default() };
        // Whatever the size of the first gradient, the first step is the rate itself, after the decay of rate * 0.1.
        adam(&mut weights, &[0.5, -4.0], &mut first, &mut second, &settings.step(1, 0.01));
        assert!((weights[0] - (0.999 - 0.01)).abs() < 1e-6, "{weights:?}");
        assert!((weights[1] - (-1.998 + 0.01)).abs() < 1e-6, "{weights:?}");
        // m = 0.9 * 0.05 + 0.1 * 1 = 0.145, / 0.19; v = 0.999 * 0.00025 + 0.001 = 0.00124975, / 0.001999.
        adam(&mut weights, &[1.0, 0.0], &mut first, &mut second, &settings.step(2, 0.01));
        let step = 0.01 * (0.145 / 0.19) / (0.001_249_75_f64 / 0.001_999).sqrt();
        assert!((f64::from(weights[0]) - (0.989 * 0.999 - step)).abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn sgd_by_hand() {
        let mut weights = [1.0, 2.0];
        sgd(&mut weights, &[0.5, -1.0], 2.0);
        assert_eq!(weights, [0.0, 4.0]);
    }
}
