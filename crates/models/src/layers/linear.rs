//! The output layer: `logits = weight features + bias`.

use crate::kernels::{axpy, dot};

/// A linear layer with few outputs, one row of weights for each.
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

impl Linear {
    /// The number of inputs.
    fn width(&self) -> usize {
        self.weight.len() / self.bias.len()
    }

    pub(crate) fn forward(&self, features: &[f32]) -> Vec<f32> {
        let rows = self.weight.chunks_exact(self.width());
        rows.zip(&self.bias).map(|(row, bias)| bias + dot(row, features)).collect()
    }

    /// Writes the gradient of the features from that of the logits.
    pub(crate) fn backward(&self, logits: &[f32], features: &mut [f32]) {
        features.fill(0.0);
        for (row, gradient) in self.weight.chunks_exact(self.width()).zip(logits) {
            axpy(*gradient, row, features);
        }
    }

    /// Adds the gradients of the weight and of the bias.
    pub(crate) fn backward_weights(logits: &[f32], features: &[f32], weight: &mut [f32], bias: &mut [f32]) {
        for ((row, bias), gradient) in weight.chunks_exact_mut(features.len()).zip(bias).zip(logits) {
            axpy(*gradient, features, row);
            *bias += gradient;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{assert_gradient, numbers, wide};
    use super::*;

    #[test]
    fn gradients() {
        let (weight, bias, x, cotangent) = (numbers(3 * 7, 1), numbers(3, 2), numbers(7, 3), numbers(3, 4));
        let layer = Linear { weight: weight.clone(), bias: bias.clone() };
        let formula = |weight: &[f64], bias: &[f64], x: &[f64]| -> f64 {
            let logit = |c: usize| bias[c] + (0..7).map(|j| weight[c * 7 + j] * x[j]).sum::<f64>();
            (0..3).map(|c| f64::from(cotangent[c]) * logit(c)).sum()
        };
        let value: f64 = wide(&layer.forward(&x)).iter().zip(&cotangent).map(|(z, w)| z * f64::from(*w)).sum();
        assert!((value - formula(&wide(&weight), &wide(&bias), &wide(&x))).abs() < 1e-6);

        let mut x_gradient = [9.0; 7];
        layer.backward(&cotangent, &mut x_gradient);
        let (mut weight_gradient, mut bias_gradient) = (vec![0.0; 21], vec![0.0; 3]);
        Linear::backward_weights(&cotangent, &x, &mut weight_gradient, &mut bias_gradient);
        assert_gradient("x", &x_gradient, &x, |x| formula(&wide(&weight), &wide(&bias), x));
        assert_gradient("weight", &weight_gradient, &weight, |weight| formula(weight, &wide(&bias), &wide(&x)));
        assert_gradient("bias", &bias_gradient, &bias, |bias| formula(&wide(&weight), bias, &wide(&x)));
    }
}
