//! Layer normalisation, forward and backward.

use super::dispatch::dispatched;
use super::vector::{dot_inline, sum_inline};

dispatched! {
    /// Normalises every row of `x` to mean 0 and variance 1, in place, and writes `y = x * gain + shift`. Keeps
    /// 1 / deviation of each row, which the backward pass needs beside the normalised rows.
    pub fn layer_norm(
        x: &mut [f32], gain: &[f32], shift: &[f32], epsilon: f32, y: &mut [f32], inverse_deviations: &mut [f32],
    ) {
        let width = gain.len();
        let share = 1.0 / width as f32;
        let rows = x.chunks_exact_mut(width).zip(y.chunks_exact_mut(width)).zip(inverse_deviations.iter_mut());
        for ((x, y), inverse) in rows {
            let mean = sum_inline(x) * share;
            for x in x.iter_mut() {
                *x -= mean;
            }
            *inverse = 1.0 / (dot_inline(x, x) * share + epsilon).sqrt();
            for (((x, y), gain), shift) in x.iter_mut().zip(y).zip(gain).zip(shift) {
                *x *= *inverse;
                *y = x.mul_add(*gain, *shift);
            }
        }
    }

    /// Turns the gradient with respect to `y` into the gradient with respect to the input of [`layer_norm`], in place.
    pub fn layer_norm_backward(
        gradient: &mut [f32], normalised: &[f32], inverse_deviations: &[f32], gain: &[f32],
    ) {
        let width = gain.len();
        let share = 1.0 / width as f32;
        let rows = gradient.chunks_exact_mut(width).zip(normalised.chunks_exact(width)).zip(inverse_deviations);
        for ((gradient, normalised), inverse) in rows {
            for (gradient, gain) in gradient.iter_mut().zip(gain) {
                *gradient *= gain;
            }
            let mean = sum_inline(gradient) * share;
            let along = dot_inline(gradient, normalised) * share;
            for (gradient, normalised) in gradient.iter_mut().zip(normalised) {
                *gradient = (*gradient - mean - normalised * along) * inverse;
            }
        }
    }

    /// Adds the gradients of `gain` and `shift`, from the gradient with respect to `y`.
    pub fn layer_norm_backward_weights(
        gradient: &[f32], normalised: &[f32], gain_gradient: &mut [f32], shift_gradient: &mut [f32],
    ) {
        let width = gain_gradient.len();
        for (gradient, normalised) in gradient.chunks_exact(width).zip(normalised.chunks_exact(width)) {
            let weights = gain_gradient.iter_mut().zip(shift_gradient.iter_mut());
            for ((gradient, normalised), (gain, shift)) in gradient.iter().zip(normalised).zip(weights) {
                *gain = gradient.mul_add(*normalised, *gain);
                *shift += gradient;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EPSILON: f64 = 1e-5;

    fn exact(x: &[f64], gain: &[f64], shift: &[f64]) -> Vec<f64> {
        let width = x.len() as f64;
        let mean = x.iter().sum::<f64>() / width;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / width;
        (0..x.len()).map(|i| (x[i] - mean) / (variance + EPSILON).sqrt() * gain[i] + shift[i]).collect()
    }

    proptest! {
        /// The float32 layer against central differences of the float64 formula.
        #[test]
        fn forward_and_backward_agree_with_double_precision(
            numbers in prop::collection::vec([-2.0_f32..2.0, 0.5_f32..1.5, -1.0_f32..1.0, -1.0_f32..1.0], 21),
        ) {
            let width = numbers.len();
            let column = |c: usize| numbers.iter().map(|row| row[c]).collect::<Vec<f32>>();
            let (x, gain, shift, weights) = (column(0), column(1), column(2), column(3));
            let wide = |x: &[f32]| x.iter().map(|x| f64::from(*x)).collect::<Vec<f64>>();
            let (mut normalised, mut y, mut inverse) = (x.clone(), vec![0.0; width], [0.0]);
            layer_norm(&mut normalised, &gain, &shift, EPSILON as f32, &mut y, &mut inverse);
            for (found, expected) in y.iter().zip(exact(&wide(&x), &wide(&gain), &wide(&shift))) {
                prop_assert!((f64::from(*found) - expected).abs() < 1e-5);
            }

            let mut gradient = weights.clone();
            layer_norm_backward(&mut gradient, &normalised, &inverse, &gain);
            let (mut gain_gradient, mut shift_gradient) = (vec![0.0; width], vec![0.0; width]);
            layer_norm_backward_weights(&weights, &normalised, &mut gain_gradient, &mut shift_gradient);
            let value = |x: &[f64], gain: &[f64], shift: &[f64]| -> f64 {
                exact(x, gain, shift).iter().zip(&weights).map(|(y, w)| y * f64::from(*w)).sum()
            };
            let places = [wide(&x), wide(&gain), wide(&shift)];
            for (place, found) in [gradient, gain_gradient, shift_gradient].iter().enumerate() {
                for i in 0..width {
                    let moved = |by: f64| {
                        let mut places = places.clone();
                        places[place][i] += by;
                        value(&places[0], &places[1], &places[2])
                    };
                    let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                    prop_assert!((f64::from(found[i]) - difference).abs() < 1e-4, "{place} {i} {} {difference}", found[i]);
                }
            }
        }
    }
}
