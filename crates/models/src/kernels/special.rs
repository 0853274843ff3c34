//! exp, sigmoid, tanh and the activations, as straight-line arithmetic that the compiler can vectorise.

use super::dispatch::dispatched;

/// exp(x) within 2 units in the last place; 0 below -87.3, and exp(88) above 88. NaN stays NaN.
///
/// x = n ln 2 + r with |r| <= ln 2 / 2; a polynomial for exp(r); then n goes into the exponent bits.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const LOWEST: f32 = -87.3;
    // Adding 1.5 * 2^23 rounds to a whole number, and leaves that number in the low bits.
    const ROUNDER: f32 = 12_582_912.0;
    let clamped = x.clamp(LOWEST, 88.0);
    let shifted = clamped.mul_add(std::f32::consts::LOG2_E, ROUNDER);
    let n = shifted - ROUNDER;
    // ln 2 in two parts, so that n ln 2 is exact enough.
    let r = n.mul_add(2.121_944_4e-4, n.mul_add(-0.693_359_4, clamped));
    let p = 1.987_569_1e-4_f32
        .mul_add(r, 1.398_199_9e-3)
        .mul_add(r, 8.333_452e-3)
        .mul_add(r, 4.166_579_6e-2)
        .mul_add(r, 1.666_666_5e-1)
        .mul_add(r, 0.5);
    let power = p.mul_add(r * r, r) + 1.0;
    let result = f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23));
    if x < LOWEST { 0.0 } else { result }
}

/// 1 / (1 + exp(-x)).
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent, within 2e-7 absolute.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (1.0 + exp(2.0 * x))
}

/// x Phi(x) and its slope Phi(x) + x phi(x), where Phi is the normal distribution; within 5e-7.
#[inline(always)]
fn gelu_and_slope(x: f32) -> (f32, f32) {
    // erf by Abramowitz and Stegun 7.1.26.
    let size = (x * std::f32::consts::FRAC_1_SQRT_2).abs();
    let gauss = exp(-size * size);
    let t = 1.0 / 0.327_591_1_f32.mul_add(size, 1.0);
    let series = 1.061_405_4_f32
        .mul_add(t, -1.453_152_1)
        .mul_add(t, 1.421_413_8)
        .mul_add(t, -0.284_496_74)
        .mul_add(t, 0.254_829_6)
        * t;
    let erf = (1.0 - series * gauss).copysign(x);
    let normal = 0.5 * (1.0 + erf);
    (x * normal, (x * 0.398_942_3).mul_add(gauss, normal))
}

/// The approximation of gelu by a tanh (`gelu_new`, `gelu_pytorch_tanh`) and its slope.
#[inline(always)]
fn gelu_tanh_and_slope(x: f32) -> (f32, f32) {
    const FACTOR: f32 = 0.797_884_6;
    let cubic = 0.044_715 * x * x;
    let t = tanh(FACTOR * x * (1.0 + cubic));
    let inner_slope = FACTOR * 3.0_f32.mul_add(cubic, 1.0);
    (0.5 * x * (1.0 + t), 0.5_f32.mul_add(1.0 + t, 0.5 * x * (1.0 - t * t) * inner_slope))
}

/// Activations over rows: each takes `x` without its bias, writes `y = f(x + bias)`, and leaves `f'(x + bias)` in `x`,
/// which is all that the backward pass needs.
macro_rules! biased {
    ($($(#[$meta:meta])* $name:ident = $function:expr;)*) => {
        dispatched! {$(
            $(#[$meta])*
            pub fn $name(x: &mut [f32], bias: &[f32], y: &mut [f32]) {
                let width = bias.len();
                for (x, y) in x.chunks_exact_mut(width).zip(y.chunks_exact_mut(width)) {
                    for ((x, y), bias) in x.iter_mut().zip(y).zip(bias) {
                        (*y, *x) = $function(*x + bias);
                    }
                }
            }
        )*}
    };
}

biased! {
    /// `y = gelu(x + bias)`, `x = gelu'(x + bias)`.
    bias_gelu = gelu_and_slope;

    /// `y = gelu(x + bias)` with the tanh approximation, `x =` its slope.
    bias_gelu_tanh = gelu_tanh_and_slope;

    /// `y = tanh(x + bias)`, `x = 1 - y^2`.
    bias_tanh = |x: f32| {
        let y = tanh(x);
        (y, 1.0 - y * y)
    };

    /// `y = max(x + bias, 0)`, `x =` 1 if that is positive, else 0.
    bias_relu = |x: f32| if x > 0.0 { (x, 1.0) } else { (0.0, 0.0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> impl Iterator<Item = f32> {
        (-3000..=3000).map(|i| i as f32 * 0.01)
    }

    #[test]
    fn exp_is_close_everywhere_and_keeps_the_ends() {
        for x in (-8700..=8800).map(|i| i as f32 * 0.01) {
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 2.4e-7, "exp({x})");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(-1000.0), 0.0);
        assert!(exp(1000.0).is_finite());
        assert!(exp(f32::NAN).is_nan());
    }

    #[test]
    fn sigmoid_and_tanh_are_close() {
        for x in grid() {
            let wide = f64::from(x);
            assert!((f64::from(sigmoid(x)) - 1.0 / (1.0 + (-wide).exp())).abs() < 1e-7, "sigmoid({x})");
            assert!((f64::from(tanh(x)) - wide.tanh()).abs() < 2e-7, "tanh({x})");
        }
    }

    /// gelu needs no error function to check: its slope is Phi(x) + x phi(x), and Phi is the integral of phi.
    #[test]
    fn gelu_and_its_slope_are_close() {
        let mut normal = 0.5_f64;
        let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let step = 1e-3;
        for i in 0..8000 {
            let x = f64::from(i) * step;
            for (point, normal) in [(x, normal), (-x, 1.0 - normal)] {
                let (value, slope) = gelu_and_slope(point as f32);
                assert!((f64::from(value) - point * normal).abs() < 2e-6, "gelu({point})");
                assert!((f64::from(slope) - normal - point * density(point)).abs() < 1e-6, "gelu'({point})");
            }
            normal += step / 6.0 * (density(x) + 4.0 * density(x + step / 2.0) + density(x + step));
        }
    }

    #[test]
    fn gelu_tanh_and_its_slope_are_close() {
        let exact =
            |x: f64| 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh());
        for x in grid() {
            let wide = f64::from(x);
            let (value, slope) = gelu_tanh_and_slope(x);
            assert!((f64::from(value) - exact(wide)).abs() < 1e-5, "gelu({x})");
            let difference = (exact(wide + 1e-5) - exact(wide - 1e-5)) / 2e-5;
            assert!((f64::from(slope) - difference).abs() < 1e-5, "gelu'({x})");
        }
    }

    #[test]
    fn activations_add_the_bias_of_their_column() {
        let (mut x, mut y) = ([1.0, 2.0, -3.0, 4.0], [0.0; 4]);
        bias_relu(&mut x, &[0.5, -3.0], &mut y);
        assert_eq!((y, x), ([1.5, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]));
        let (mut x, mut y) = ([0.0; 2], [9.0; 2]);
        bias_tanh(&mut x, &[0.0], &mut y);
        assert_eq!((y, x), ([0.0; 2], [1.0; 2]));
        let (mut x, mut y) = ([0.0; 2], [9.0; 2]);
        bias_gelu(&mut x, &[0.0], &mut y);
        assert_eq!(y, [0.0; 2]);
        assert!((x[0] - 0.5).abs() < 1e-6);
    }
}
