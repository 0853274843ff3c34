//! Sums, scalings and the like over slices.

use super::dispatch::{LANES, dispatched};

/// The sum of products. The shorter slice decides.
#[inline(always)]
pub(super) fn dot_inline(x: &[f32], y: &[f32]) -> f32 {
    let length = x.len().min(y.len());
    let ((x, x_rest), (y, y_rest)) = (x[..length].as_chunks::<LANES>(), y[..length].as_chunks::<LANES>());
    let mut rest = 0.0;
    for (x, y) in x_rest.iter().zip(y_rest) {
        rest = x.mul_add(*y, rest);
    }
    let mut lanes = [0.0_f32; LANES];
    for (x, y) in x.iter().zip(y) {
        for lane in 0..LANES {
            lanes[lane] = x[lane].mul_add(y[lane], lanes[lane]);
        }
    }
    rest + fold(&lanes)
}

/// The sum of the numbers.
#[inline(always)]
pub(super) fn sum_inline(x: &[f32]) -> f32 {
    let (chunks, rest) = x.as_chunks::<LANES>();
    let rest: f32 = rest.iter().sum();
    let mut lanes = [0.0_f32; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] += chunk[lane];
        }
    }
    rest + fold(&lanes)
}

/// Adds the lanes as a tree: the order is fixed, and the chain of waiting additions short. Never inlined: the compiler
/// would let the shape of this tree decide that of the loop before it, and take two lanes at a time there.
#[inline(never)]
fn fold(lanes: &[f32; LANES]) -> f32 {
    let eight: [f32; 8] = std::array::from_fn(|lane| lanes[lane] + lanes[lane + 8]);
    let four: [f32; 4] = std::array::from_fn(|lane| eight[lane] + eight[lane + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

/// For a number of parts that is known when it is compiled, so that the sums stay in registers.
#[inline(always)]
fn raise<const N: usize>(parts: [&&[f32]; N], peaks: &mut [f32]) {
    let parts: [&[f32]; N] = parts.map(|part| &part[..peaks.len()]);
    for (at, peak) in peaks.iter_mut().enumerate() {
        let mut sum = 0.0;
        for part in parts {
            sum += part[at];
        }
        *peak = peak.max(sum);
    }
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
        let (chunks, rest) = x.as_chunks::<LANES>();
        let mut rest: f64 = rest.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
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

    /// Raises every number of `peaks` to the sum of the numbers of `parts` at its place, added in the order of parts.
    pub fn raise_by_sum(parts: &[&[f32]], peaks: &mut [f32]) {
        match parts {
            [a, b, c] => raise([a, b, c], peaks),
            [a, b, c, d] => raise([a, b, c, d], peaks),
            [a, b, c, d, e] => raise([a, b, c, d, e], peaks),
            parts => {
                for (at, peak) in peaks.iter_mut().enumerate() {
                    *peak = peak.max(parts.iter().fold(0.0, |sum, part| sum + part[at]));
                }
            }
        }
    }

    /// `out = row * matrix`; the matrix has a row for each number of `row`. Every column is summed in the order of rows.
    pub fn row_by_matrix(row: &[f32], matrix: &[f32], out: &mut [f32]) {
        const BLOCK: usize = 4 * LANES;
        let columns = out.len();
        let mut from = 0;
        while from + BLOCK <= columns {
            let mut sums = [0.0_f32; BLOCK];
            for (x, weights) in row.iter().zip(matrix.chunks_exact(columns)) {
                let weights = &weights[from..][..BLOCK];
                for lane in 0..BLOCK {
                    sums[lane] = x.mul_add(weights[lane], sums[lane]);
                }
            }
            out[from..][..BLOCK].copy_from_slice(&sums);
            from += BLOCK;
        }
        let rest = &mut out[from..];
        rest.fill(0.0);
        for (x, weights) in row.iter().zip(matrix.chunks_exact(columns.max(1))) {
            for (sum, weight) in rest.iter_mut().zip(&weights[from..]) {
                *sum = x.mul_add(*weight, *sum);
            }
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
    fn products_and_peaks_by_hand() {
        let columns = 70;
        let matrix: Vec<f32> = (0..3 * columns).map(|at| at as f32).collect();
        let mut out = vec![9.0; columns];
        row_by_matrix(&[1.0, 10.0, 100.0], &matrix, &mut out);
        let by_hand = |at: usize| (at + 10 * (at + columns) + 100 * (at + 2 * columns)) as f32;
        assert!(out.iter().enumerate().all(|(at, found)| *found == by_hand(at)), "{out:?}");
        let part: Vec<f32> = (0..20).map(|at| at as f32).collect();
        for count in 1..8 {
            let mut peaks = vec![10.0; 20];
            raise_by_sum(&vec![part.as_slice(); count], &mut peaks);
            assert!(
                peaks.iter().enumerate().all(|(at, peak)| *peak == (count as f32 * at as f32).max(10.0)),
                "{count}"
            );
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
