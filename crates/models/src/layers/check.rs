//! The gradient check: float32 gradients against central differences of a formula in float64.

use crate::train::random::Random;

/// Numbers from -1 to 1, the same at every run.
pub(super) fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut random = Random::of(&[seed]);
    (0..count).map(|_| random.uniform() * 2.0 - 1.0).collect()
}

pub(super) fn wide(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().map(|x| f64::from(*x)).collect()
}

/// Asserts that `found` is the gradient of `value` at `point`, within 2e-5 of the largest.
pub(super) fn assert_gradient(name: &str, found: &[f32], point: &[f32], value: impl Fn(&[f64]) -> f64) {
    const STEP: f64 = 1e-5;
    assert_eq!(found.len(), point.len(), "{name}");
    let mut moved = wide(point);
    let differences: Vec<f64> = (0..point.len())
        .map(|i| {
            let here = moved[i];
            moved[i] = here + STEP;
            let up = value(&moved);
            moved[i] = here - STEP;
            let down = value(&moved);
            moved[i] = here;
            (up - down) / (2.0 * STEP)
        })
        .collect();
    let largest = differences.iter().fold(1e-3_f64, |largest, d| largest.max(d.abs()));
    for (i, (found, expected)) in found.iter().zip(differences).enumerate() {
        assert!((f64::from(*found) - expected).abs() < 2e-5 * largest, "{name}[{i}]: {found} against {expected}");
    }
}
