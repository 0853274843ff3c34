//! The survey against hand-computed numbers and against the definition of the Fisher information.

use proptest::prelude::*;

use super::*;
use crate::network::Network;
use crate::testing::{Linear, embedded};

#[test]
fn two_classes_by_hand() {
    // z = (x, -x) of one number x = 0: p = 1/2, grad(z_0 - z_1) = 2, so lambda = 1/4 * 4 = 1.
    let model = Linear::new(1, vec![1.0, -1.0], vec![0.0, 0.0]);
    let found = &survey(&model, &[embedded(1, &[0.0])], Space::Tokens).unwrap()[0];
    assert!((found.spectrum.lambda_max() - 1.0).abs() < 1e-15);
    assert!(found.spectrum.log_lambda_max.abs() < 1e-15);
    // The first class is predicted; it falls where x falls.
    assert_eq!(found.spectrum.e_max.values, [-1.0]);
    assert_eq!(found.distance(), 0.0);
}

#[test]
fn three_classes_by_hand() {
    // z = (0, x_1, x_2) at 0: p = 1/3 each; G = diag(p) - p p^T = [[2, -1], [-1, 2]] / 9: eigenvalues 1/3 and 1/9.
    let model = Linear::new(2, vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0], vec![0.0; 3]);
    let found = &survey(&model, &[embedded(2, &[0.0, 0.0])], Space::Tokens).unwrap()[0];
    assert!((found.spectrum.eigenvalues[0] - 1.0 / 3.0).abs() < 1e-12, "{:?}", found.spectrum);
    assert!((found.spectrum.eigenvalues[1] - 1.0 / 9.0).abs() < 1e-12, "{:?}", found.spectrum);
    let e_max = &found.spectrum.e_max.values;
    assert!((e_max[0] + e_max[1]).abs() < 1e-6 && (e_max[0].abs() - 0.5f32.sqrt()).abs() < 1e-6, "{e_max:?}");
}

#[test]
fn a_sure_model_still_has_a_spectrum() {
    // Margin 2 * 400: p (1 - p) = exp(-800) is below the smallest double, its logarithm is not.
    let model = Linear::new(1, vec![1.0, -1.0], vec![0.0, 0.0]);
    let found = &survey(&model, &[embedded(1, &[400.0])], Space::Tokens).unwrap()[0];
    assert_eq!(found.spectrum.eigenvalues, [0.0]);
    assert!((found.spectrum.log_lambda_max - (4f64.ln() - 800.0)).abs() < 1e-9);
    assert_eq!(found.spectrum.e_max.values, [-1.0]);
    assert_eq!(found.distance(), 400.0);
}

#[test]
fn a_model_that_does_not_look_has_no_direction() {
    let model = Linear::new(1, vec![0.0, 0.0], vec![1.0, 0.0]);
    let found = &survey(&model, &[embedded(1, &[1.0])], Space::Tokens).unwrap()[0];
    assert_eq!(found.spectrum.lambda_max(), 0.0);
    assert_eq!(found.spectrum.e_max.values, [0.0]);
    assert_eq!(found.distance(), f64::INFINITY);
}

#[test]
fn broken_gradients_are_named() {
    let model = Linear::new(1, vec![f32::MAX, f32::MIN], vec![0.0, 0.0]);
    let error = survey(&model, &[embedded(1, &[0.0])], Space::Tokens).unwrap_err();
    assert!(matches!(error, Error::GradientNotFinite { input: 0 }), "{error}");
}

#[test]
fn the_readings_of_an_averaging_model_are_tied() {
    let network = Network::random(3, 4, 3, 5);
    let point = embedded(3, &[0.1, 0.5, -0.3, 0.9, -1.0, 0.2, 0.4, 0.4, 0.0, 0.7, -0.6, 0.8]);
    let tokens = &survey(&network, std::slice::from_ref(&point), Space::Tokens).unwrap()[0];
    let mean = &survey(&network, &[point], Space::Mean).unwrap()[0];
    assert!((mean.spectrum.lambda_max() / tokens.spectrum.lambda_max() - 4.0).abs() < 1e-6);
    for (at, value) in tokens.spectrum.e_max.values.iter().enumerate() {
        assert!((value - mean.spectrum.e_max.values[at % 3] / 2.0).abs() < 1e-6);
    }
    assert!(tokens.token_shares().iter().all(|share| (share - 0.5).abs() < 1e-6));
}

#[test]
fn lambda_in_units_of_the_rows_does_not_scale() {
    let small = Linear::new(2, vec![1.0, 0.5, -1.0, 2.0], vec![0.1, 0.0]);
    // The same model for embeddings ten times as large.
    let large = Linear::new(2, vec![0.1, 0.05, -0.1, 0.2], vec![0.1, 0.0]);
    let at_small = &survey(&small, &[embedded(2, &[0.3, -0.4])], Space::Tokens).unwrap()[0];
    let at_large = &survey(&large, &[embedded(2, &[3.0, -4.0])], Space::Tokens).unwrap()[0];
    assert!((at_small.spectrum.lambda_max() / at_large.spectrum.lambda_max() - 100.0).abs() < 1e-3);
    assert!((at_small.scale_free_lambda() / at_large.scale_free_lambda() - 1.0).abs() < 1e-5);
}

fn log_softmax(z: &[f64]) -> Vec<f64> {
    let log_sum = z.iter().map(|value| value.exp()).sum::<f64>().ln();
    z.iter().map(|value| value - log_sum).collect()
}

proptest! {
    /// KL(p(x) || p(x + eps e_max)) = 1/2 eps^2 lambda_max + O(eps^3), along every other direction at most that.
    #[test]
    fn the_divergence_is_half_the_square(
        seed in 0..500u64, classes in 2..6usize, x in prop::collection::vec(-1.0..1.0f32, 6)
    ) {
        let mut network = Network::random(3, 8, classes, seed);
        network.second.iter_mut().for_each(|weight| *weight *= 4.0);
        let point = embedded(3, &x);
        let found = &survey(&network, std::slice::from_ref(&point), Space::Tokens).unwrap()[0];
        let lambda = found.spectrum.lambda_max();
        prop_assume!(lambda > 1e-2);
        let step = 0.004 / lambda.sqrt();
        let p = log_softmax(&network.forward(&point.rows).logits);
        let divergence = |direction: &Matrix, step: f64| -> f64 {
            let q = log_softmax(&network.forward(&Space::Tokens.moved(&point, direction, step).rows).logits);
            p.iter().zip(&q).map(|(a, b)| a.exp() * (a - b)).sum()
        };
        // The mean over both signs cancels the third order.
        let both = |direction: &Matrix| 0.5 * (divergence(direction, step) + divergence(direction, -step));
        let wanted = 0.5 * step * step * lambda;
        let along = both(&found.spectrum.e_max);
        prop_assert!((along / wanted - 1.0).abs() < 5e-3, "{} against {}", along, wanted);
        let other = unit_vector(Matrix::new(3, x.iter().rev().copied().collect()));
        prop_assert!(both(&other) <= wanted * 1.005);
    }
}
