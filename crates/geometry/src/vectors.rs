//! The few operations on rows of numbers that the survey needs, each added up in double precision and in fixed order.

use fissure_models::{Gradient, Matrix};

/// All inner products of the gradients.
pub(crate) fn gram(gradients: &[Gradient]) -> Vec<f64> {
    let size = gradients.len();
    let mut gram = vec![0.0; size * size];
    for row in 0..size {
        for column in row..size {
            let product = inner(&gradients[row], &gradients[column]);
            gram[row * size + column] = product;
            gram[column * size + row] = product;
        }
    }
    gram
}

/// The inner product of two gradients of one model, which keeps the rows of both in the same form.
fn inner(a: &Gradient, b: &Gradient) -> f64 {
    a.repeats() as f64 * dot(&a.kept().values, &b.kept().values)
}

/// The norm of a gradient.
pub(crate) fn length(gradient: &Gradient) -> f64 {
    inner(gradient, gradient).sqrt()
}

/// sum_k weights[k] * parts[k], added up in double precision.
pub(crate) fn combined<'a>(parts: impl IntoIterator<Item = &'a Gradient>, weights: &[f64]) -> Gradient {
    let mut parts = parts.into_iter().zip(weights).peekable();
    let Some((first, _)) = parts.peek() else { return Gradient::default() };
    let (count, width) = (first.count(), first.kept().width);
    let mut sum = vec![0f64; first.kept().values.len()];
    for (part, weight) in parts {
        sum.iter_mut().zip(&part.kept().values).for_each(|(sum, value)| *sum += weight * f64::from(*value));
    }
    Gradient::new(count, Matrix { width, values: sum.into_iter().map(|value| value as f32).collect() })
}

/// The same direction with norm 1; zeros stay zeros.
pub(crate) fn unit_vector(mut rows: Matrix) -> Matrix {
    let largest = rows.values.iter().fold(0f32, |largest, value| largest.max(value.abs()));
    if largest > 0.0 {
        rows.values.iter_mut().for_each(|value| *value /= largest);
        let length = norm(&rows.values);
        rows.values.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
    }
    rows
}

/// The mean norm of the rows.
pub(crate) fn typical_norm(rows: &Matrix) -> f64 {
    let count = rows.count();
    (0..count).map(|at| norm(rows.row(at))).sum::<f64>() / count.max(1) as f64
}

pub(crate) fn norm(values: &[f32]) -> f64 {
    dot(values, values).sqrt()
}

/// The inner product, added up in double precision in eight lanes: fixed order, and the compiler can use wide registers.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut lanes = [0f64; 8];
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 =
        a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
    for (x, y) in a_chunks.zip(b_chunks) {
        for lane in 0..8 {
            lanes[lane] += f64::from(x[lane]) * f64::from(y[lane]);
        }
    }
    lanes.iter().sum::<f64>() + rest
}

/// sum += row.
pub(crate) fn add_to(sum: &mut [f32], row: &[f32]) {
    sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
}

/// x^T M x for a positive matrix, row by row. Single precision within a row: the sums have one sign in the end, and this
/// is the hot loop of the forecast.
pub(crate) fn quadratic(matrix: &[f32], x: &[f32]) -> f64 {
    let row = |(row, value): (&[f32], &f32)| {
        let mut lanes = [0f32; 8];
        let (m_chunks, x_chunks) = (row.chunks_exact(8), x.chunks_exact(8));
        let rest: f32 = m_chunks.remainder().iter().zip(x_chunks.remainder()).map(|(m, x)| m * x).sum();
        for (m, x) in m_chunks.zip(x_chunks) {
            for lane in 0..8 {
                lanes[lane] += m[lane] * x[lane];
            }
        }
        f64::from(*value) * f64::from(lanes.iter().sum::<f32>() + rest)
    };
    // A max-pooling model has no slope at most words of a long text.
    if x.iter().all(|value| *value == 0.0) {
        return 0.0;
    }
    matrix.chunks_exact(x.len().max(1)).zip(x).map(row).sum::<f64>().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_by_hand() {
        // 1*1 + 2*2 + ... + 9*9 = 285: eight lanes and a remainder.
        let values: Vec<f32> = (1..=9u8).map(f32::from).collect();
        assert_eq!(dot(&values, &values), 285.0);
        assert_eq!(typical_norm(&Matrix::new(2, vec![3.0, 4.0, 0.0, 1.0])), 3.0);
        let [a, b] = [[1.0, 0.0], [1.0, 2.0]].map(|row| Gradient::new(1, Matrix::new(2, row.to_vec())));
        assert_eq!(combined([&a, &b], &[2.0, -1.0]).kept().values, [1.0, -2.0]);
        assert_eq!(gram(&[a, b]), [1.0, 1.0, 1.0, 5.0]);
        // (1, 2) [[2, 1], [1, 3]] (1, 2)^T = 2 + 2 + 2 + 12.
        assert_eq!(quadratic(&[2.0, 1.0, 1.0, 3.0], &[1.0, 2.0]), 18.0);
    }

    #[test]
    fn a_row_that_stands_for_three_counts_three_times() {
        let [a, b] = [[1.0, 0.0], [1.0, 2.0]].map(|row| Gradient::new(3, Matrix::new(2, row.to_vec())));
        let [written_a, written_b] = [&a, &b].map(|gradient| Gradient::new(3, gradient.to_rows()));
        assert_eq!((b.to_rows().values.as_slice(), b.row(2)), (&[1.0, 2.0, 1.0, 2.0, 1.0, 2.0][..], &[1.0, 2.0][..]));
        assert_eq!(length(&b), 15f64.sqrt());
        assert_eq!(
            combined([&a, &b], &[2.0, -1.0]).to_rows(),
            combined([&written_a, &written_b], &[2.0, -1.0]).to_rows()
        );
        assert_eq!(gram(&[a, b]), gram(&[written_a, written_b]));
    }

    #[test]
    fn tiny_vectors_keep_their_direction() {
        let unit = unit_vector(Matrix::new(2, vec![3e-30, -4e-30]));
        assert!((unit.values[0] - 0.6).abs() < 1e-7 && (unit.values[1] + 0.8).abs() < 1e-7, "{unit:?}");
        assert_eq!(unit_vector(Matrix::zeros(1, 2)).values, [0.0, 0.0]);
    }
}
