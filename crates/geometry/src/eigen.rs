//! Eigenvalues and eigenvectors of a small symmetric matrix, by Jacobi's rotations.

/// The spectrum of a symmetric matrix: eigenvalues in descending order, and for each a unit eigenvector.
///
/// Cyclic Jacobi is chosen over faster methods because it finds the small eigenvalues of a graded positive matrix as
/// exactly as the large ones (Demmel and Veselic 1992), and the matrices here have as many rows as a task has classes.
pub(crate) fn symmetric_eigen(matrix: &[f64], size: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    debug_assert_eq!(matrix.len(), size * size);
    let mut a = matrix.to_vec();
    let mut vectors: Vec<f64> = (0..size * size).map(|at| f64::from(u8::from(at / size == at % size))).collect();
    // Convergence is quadratic: 6 to 8 sweeps for any matrix of this size. The bound only guards against NaN.
    for _ in 0..60 {
        let mut turned = false;
        for row in 0..size {
            for column in row + 1..size {
                turned |= rotate(&mut a, &mut vectors, size, row, column);
            }
        }
        if !turned {
            break;
        }
    }
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&i, &j| a[j * size + j].total_cmp(&a[i * size + i]));
    let values = order.iter().map(|&i| a[i * size + i]).collect();
    let columns = order.iter().map(|&i| (0..size).map(|row| vectors[row * size + i]).collect()).collect();
    (values, columns)
}

/// Turns the plane of `p` and `q` so that the element between them vanishes; false if it is negligible already.
fn rotate(a: &mut [f64], vectors: &mut [f64], size: usize, p: usize, q: usize) -> bool {
    let (app, aqq, apq) = (a[p * size + p], a[q * size + q], a[p * size + q]);
    if apq == 0.0 || apq.abs() <= 1e-17 * (app.abs() * aqq.abs()).sqrt() {
        return false;
    }
    let theta = (aqq - app) / (2.0 * apq);
    let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    a[p * size + p] = app - tangent * apq;
    a[q * size + q] = aqq + tangent * apq;
    a[p * size + q] = 0.0;
    a[q * size + p] = 0.0;
    for k in 0..size {
        if k != p && k != q {
            let (kp, kq) = (a[k * size + p], a[k * size + q]);
            let (new_p, new_q) = (cosine * kp - sine * kq, sine * kp + cosine * kq);
            a[k * size + p] = new_p;
            a[p * size + k] = new_p;
            a[k * size + q] = new_q;
            a[q * size + k] = new_q;
        }
        let (vp, vq) = (vectors[k * size + p], vectors[k * size + q]);
        vectors[k * size + p] = cosine * vp - sine * vq;
        vectors[k * size + q] = sine * vp + cosine * vq;
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_by_two_by_hand() {
        // [[2, 1], [1, 2]] has 3 along (1, 1) and 1 along (1, -1).
        let (values, vectors) = symmetric_eigen(&[2.0, 1.0, 1.0, 2.0], 2);
        assert!((values[0] - 3.0).abs() < 1e-15 && (values[1] - 1.0).abs() < 1e-15, "{values:?}");
        assert!((vectors[0][0] - vectors[0][1]).abs() < 1e-15);
        assert!((vectors[1][0] + vectors[1][1]).abs() < 1e-15);
    }

    #[test]
    fn small_eigenvalues_of_a_graded_matrix_are_exact() {
        // D A D with A = [[1, 1/2], [1/2, 1]] and D = diag(1, 1e-8): determinant 0.75e-16, trace 1 + 1e-16.
        let (values, _) = symmetric_eigen(&[1.0, 0.5e-8, 0.5e-8, 1e-16], 2);
        assert!((values[1] / 0.75e-16 - 1.0).abs() < 1e-12, "{values:?}");
    }

    #[test]
    fn nothing_and_one() {
        assert_eq!(symmetric_eigen(&[], 0), (vec![], vec![]));
        assert_eq!(symmetric_eigen(&[-4.0], 1), (vec![-4.0], vec![vec![1.0]]));
    }

    proptest! {
        #[test]
        fn the_parts_make_the_whole(size in 1..9usize, seed in prop::collection::vec(-3.0..3.0f64, 81)) {
            let matrix: Vec<f64> =
                (0..size * size).map(|at| seed[(at / size) * 9 + at % size] + seed[(at % size) * 9 + at / size]).collect();
            let (values, vectors) = symmetric_eigen(&matrix, size);
            prop_assert!(values.windows(2).all(|pair| pair[0] >= pair[1]));
            for row in 0..size {
                for column in 0..size {
                    let rebuilt: f64 = (0..size).map(|k| values[k] * vectors[k][row] * vectors[k][column]).sum();
                    prop_assert!((rebuilt - matrix[row * size + column]).abs() < 1e-12);
                }
            }
        }
    }
}
