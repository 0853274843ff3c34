//! Sums, scalings and the like over slices.

use super::dispatch::{LANES, dispatched};

/// The sum of products. The shorter slice decides.
#[inline(always)]
pub(super) fn dot_inline(x: &[f32], y: &[f32]) -> f32 {
    let length = x.len().min(y.len());
    let (x, y) = (x[..length].chunks_exact(LANES), y[..length].chunks_exact(LANES));
    let mut rest = 0.0;
    for (x, y) in x.remainder().iter().zip(y.remainder()) {
        rest = x.mul_add(*y, rest);
    }
    let mut lanes = [0.0_f32; LANES];
    for (x, y) in x.zip(y) {
        for lane in 0..LANES {
            lanes[lane] = x[lane].mul_add(y[lane], lanes[lane]);
        }
    }
    rest + fold(lanes)
}

/// The sum of the numbers.
#[inline(always)]
pub(super) fn sum_inline(x: &[f32]) -> f32 {
    let chunks = x.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().sum();
    let mut lanes = [0.0_f32; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] += chunk[lane];
        }
    }
    rest + fold(lanes)
}

/// Adds the lanes as a tree: the order is fixed, and half the chain of waiting additions.
#[inline(always)]
fn fold(mut lanes: [f32; LANES]) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

dispatched! {
    /// The sum of products; the shorter slice decides.
    pub fn dot(x: &[f32], y: &[f32]) -> f32 {
        dot_inline(x, y)
    }

    /// The sum of the numbers.
    pub fn sum(x: &[f32]) -> f32 {
        sum_inline(x)
    }

    /// The sum of squares, in double precision: the norms that optimisers and scores are made of.
    pub fn sum_squares(x: &[f32]) -> f64 {
        let chunks = x.chunks_exact(LANES);
        let mut rest: f64 = chunks.remainder().iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
        let mut lanes = [0.0_f64; LANES];
        for chunk in chunks {
            for lane in 0..LANES {
                let x = f64::from(chunk[lane]);
                lanes[lane] = x.mul_add(x, lanes[lane]);
            }
        }
        for lane in lanes {
            rest += lane;
        }
        rest
    }

    /// `y += factor * x`.
    pub fn axpy(factor: f32, x: &[f32], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y = factor.mul_add(*x, *y);
        }
    }

    /// `y += x`.
    pub fn add(x: &[f32], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += x;
        }
    }

    /// `y *= x`, number by number.
    pub fn multiply(x: &[f32], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y *= x;
        }
    }

    /// `y *= factor`.
    pub fn scale(factor: f32, y: &mut [f32]) {
        for y in y {
            *y *= factor;
        }
    }

    /// Writes `row` into every row of `out`: the bias that a product is then added to.
    pub fn fill_rows(row: &[f32], out: &mut [f32]) {
        for out in out.chunks_exact_mut(row.len()) {
            out.copy_from_slice(row);
        }
    }

    /// Adds `row` to every row of `out`.
    pub fn add_to_rows(row: &[f32], out: &mut [f32]) {
        for out in out.chunks_exact_mut(row.len()) {
            for (out, row) in out.iter_mut().zip(row) {
                *out += row;
            }
        }
    }

    /// Adds every row of `x` to `out`: the gradient of a bias.
    pub fn sum_rows(x: &[f32], out: &mut [f32]) {
        for x in x.chunks_exact(out.len()) {
            for (out, x) in out.iter_mut().zip(x) {
                *out += x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_length_is_summed_whole() {
        for length in 0..100_usize {
            let x: Vec<f32> = (0..length).map(|i| i as f32).collect();
            let expected = (length * length.saturating_sub(1) / 2) as f32;
            assert_eq!(sum(&x), expected);
            assert_eq!(dot(&x, &vec![1.0; length]), expected);
            assert_eq!(sum_squares(&vec![2.0; length]), 4.0 * length as f64);
        }
    }

    #[test]
    fn rows_by_hand() {
        let mut out = [0.0; 4];
        fill_rows(&[1.0, 2.0], &mut out);
        add_to_rows(&[10.0, 20.0], &mut out);
        assert_eq!(out, [11.0, 22.0, 11.0, 22.0]);
        let mut total = [1.0, 1.0];
        sum_rows(&out, &mut total);
        assert_eq!(total, [23.0, 45.0]);
        axpy(2.0, &[1.0, 1.0], &mut total);
        multiply(&[2.0, 0.5], &mut total);
        scale(10.0, &mut total);
        add(&[1.0, 1.0], &mut total);
        assert_eq!(total, [501.0, 236.0]);
    }

    proptest! {
        #[test]
        fn a_dot_product_is_close_to_the_exact_one(pairs in prop::collection::vec((-10.0_f32..10.0, -10.0_f32..10.0), 0..300)) {
            let (x, y): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let exact: f64 = x.iter().zip(&y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
            let size: f64 = x.iter().zip(&y).map(|(x, y)| (f64::from(*x) * f64::from(*y)).abs()).sum();
            prop_assert!((f64::from(dot(&x, &y)) - exact).abs() <= 1e-6 * size);
        }
    }
}
