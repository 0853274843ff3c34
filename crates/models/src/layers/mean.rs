//! The mean of rows.

use crate::kernels::{add, scale};

/// Writes the mean of the rows of `x` into `out`; zeros if there are none.
pub(crate) fn mean_rows(x: &[f32], out: &mut [f32]) {
    out.fill(0.0);
    let rows = x.chunks_exact(out.len());
    let count = rows.len().max(1);
    for row in rows {
        add(row, out);
    }
    scale(1.0 / count as f32, out);
}

/// The gradient of each of `count` rows of the input of [`mean_rows`]: the same for all.
pub(crate) fn mean_rows_backward(gradient: &[f32], rows: usize) -> Vec<f32> {
    let mut row = gradient.to_vec();
    scale(1.0 / rows.max(1) as f32, &mut row);
    row
}

#[cfg(test)]
mod tests {
    use super::super::check::{assert_gradient, numbers};
    use super::*;

    #[test]
    fn mean_and_its_gradient() {
        let (x, weights) = (numbers(7 * 5, 1), numbers(5, 2));
        let mut mean = [0.0; 5];
        mean_rows(&x, &mut mean);
        let value = |x: &[f64]| -> f64 {
            (0..5).map(|j| f64::from(weights[j]) * (0..7).map(|i| x[i * 5 + j]).sum::<f64>() / 7.0).sum()
        };
        let gradient = mean_rows_backward(&weights, 7).repeat(7);
        assert_gradient("x", &gradient, &x, value);
        mean_rows(&[1.0, 2.0, 3.0, 5.0], &mut mean[..2]);
        assert_eq!(mean[..2], [2.0, 3.5]);
        mean_rows(&[], &mut mean);
        assert_eq!(mean, [0.0; 5]);
    }
}
