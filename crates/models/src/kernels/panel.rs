//! A matrix packed once for many small products: the recurrent step of an LSTM, thousands of times per text.
//!
//! `gemm` packs its operands at every call and chooses blocks by the shape, so a row's bits may depend on its
//! neighbours. Here the packing is done once, and every element is one chain of fused additions in the order of the
//! inner dimension, so a row gives the same bits alone or among others.

use super::dispatch::{LANES, dispatched};

/// A matrix of `inner` x `columns`, cut into panels of 16 columns.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    inner: usize,
    columns: usize,
    /// Panel after panel; within a panel, one row of 16 numbers for each step of the inner dimension. The last panel is
    /// filled up with zeros.
    panels: Vec<[f32; LANES]>,
}

impl Packed {
    /// Packs the matrix whose element (k, j) is `element(k, j)`.
    pub fn new(inner: usize, columns: usize, element: impl Fn(usize, usize) -> f32) -> Self {
        let mut panels = Vec::with_capacity(inner * columns.div_ceil(LANES));
        for start in (0..columns).step_by(LANES) {
            for k in 0..inner {
                let mut row = [0.0; LANES];
                for (lane, slot) in row.iter_mut().enumerate().take(columns - start) {
                    *slot = element(k, start + lane);
                }
                panels.push(row);
            }
        }
        Self { inner, columns, panels }
    }

    /// `out = a b`, where `b` is this matrix and `a` has one row for each row of `out`.
    ///
    /// # Panics
    /// If the shapes do not fit together.
    pub fn product(&self, a: &[f32], out: &mut [f32]) {
        let rows = out.len().checked_div(self.columns).unwrap_or(0);
        assert_eq!((a.len(), out.len()), (rows * self.inner, rows * self.columns), "{rows} rows");
        if rows > 0 && self.inner > 0 {
            product(&self.panels, self.inner, self.columns, a, out);
        }
    }
}

/// Rows worked on together: 6 rows by 16 columns fill the registers of AVX2.
const TILE: usize = 6;

dispatched! {
    fn product(panels: &[[f32; LANES]], inner: usize, columns: usize, a: &[f32], out: &mut [f32]) {
        for (start, panel) in panels.chunks_exact(inner).enumerate() {
            let start = start * LANES;
            for (a, out) in a.chunks(TILE * inner).zip(out.chunks_mut(TILE * columns)) {
                match a.len() / inner {
                    1 => tile::<1>(panel, a, start, columns, out),
                    2 => tile::<2>(panel, a, start, columns, out),
                    3 => tile::<3>(panel, a, start, columns, out),
                    4 => tile::<4>(panel, a, start, columns, out),
                    5 => tile::<5>(panel, a, start, columns, out),
                    _ => tile::<TILE>(panel, a, start, columns, out),
                }
            }
        }
    }
}

/// `ROWS` rows of one panel's product.
#[inline(always)]
fn tile<const ROWS: usize>(panel: &[[f32; LANES]], a: &[f32], start: usize, columns: usize, out: &mut [f32]) {
    let inner = panel.len();
    let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &a[row * inner..][..inner]);
    let mut sums = [[0.0_f32; LANES]; ROWS];
    for (k, numbers) in panel.iter().enumerate() {
        for row in 0..ROWS {
            let factor = rows[row][k];
            for lane in 0..LANES {
                sums[row][lane] = factor.mul_add(numbers[lane], sums[row][lane]);
            }
        }
    }
    let wide = LANES.min(columns - start);
    for (row, sums) in sums.iter().enumerate() {
        out[row * columns + start..][..wide].copy_from_slice(&sums[..wide]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_row_gives_the_same_bits_alone_and_among_others(
            rows in 1_usize..15, inner in 1_usize..40, columns in 1_usize..40,
        ) {
            let a: Vec<f32> = (0..rows * inner).map(|i| (i as f32 * 0.37).sin()).collect();
            let element = |k: usize, j: usize| ((k * columns + j) as f32 * 0.11).cos();
            let packed = Packed::new(inner, columns, element);
            let mut together = vec![9.0; rows * columns];
            packed.product(&a, &mut together);
            for row in 0..rows {
                let a = &a[row * inner..][..inner];
                let mut alone = vec![9.0; columns];
                packed.product(a, &mut alone);
                prop_assert_eq!(&alone, &together[row * columns..][..columns]);
                for (j, found) in alone.iter().enumerate() {
                    let exact: f64 = (0..inner).map(|k| f64::from(a[k]) * f64::from(element(k, j))).sum();
                    prop_assert!((f64::from(*found) - exact).abs() < 1e-5);
                }
            }
        }
    }
}
