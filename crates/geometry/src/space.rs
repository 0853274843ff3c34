//! What counts as x when a text is moved in embedding space.

use fissure_models::{Embedded, Gradient, Matrix};
use serde::{Deserialize, Serialize};

/// The two ways to read a text as a point.
///
/// A displacement of [`Space::Mean`] moves all rows alike, so for a model that averages its rows (fasttext) it is a
/// displacement of the mean embedding. For such a model with m rows the two are tied exactly:
/// lambda_tokens = lambda_mean / m, e_tokens = (e_mean, ..., e_mean) / sqrt(m), eta_tokens = sqrt(m) eta_mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// x is all rows.
    #[default]
    Tokens,
    /// x is the mean of the rows.
    Mean,
}

impl Space {
    /// x itself.
    pub fn position(self, point: &Embedded) -> Matrix {
        match self {
            Self::Tokens => point.rows.clone(),
            Self::Mean => {
                let mut mean = column_sums(&point.rows);
                let count = point.rows.count().max(1) as f32;
                mean.values.iter_mut().for_each(|value| *value /= count);
                mean
            }
        }
    }

    /// The gradient with respect to x, from that with respect to the rows.
    pub fn gradient(self, gradient: &Gradient) -> Gradient {
        match self {
            Self::Tokens => gradient.clone(),
            Self::Mean => Gradient::new(1, column_sums(&gradient.to_rows())),
        }
    }

    /// The point at x + step * direction.
    pub fn moved(self, point: &Embedded, direction: &Matrix, step: f64) -> Embedded {
        let mut moved = point.clone();
        let width = direction.values.len().max(1);
        // Under `Mean` the direction has one row, which `chunks` deals out to every row of the point.
        for chunk in moved.rows.values.chunks_mut(width) {
            for (value, along) in chunk.iter_mut().zip(&direction.values) {
                *value = (f64::from(*value) + step * f64::from(*along)) as f32;
            }
        }
        moved
    }
}

fn column_sums(rows: &Matrix) -> Matrix {
    let mut sums = vec![0f64; rows.width];
    for row in rows.values.chunks_exact(rows.width.max(1)) {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += f64::from(*value));
    }
    Matrix::new(rows.width, sums.into_iter().map(|sum| sum as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point() -> Embedded {
        Embedded { pieces: vec![], rows: Matrix::new(2, vec![1.0, 2.0, 3.0, 4.0, 5.0, 9.0]), truncated: false }
    }

    #[test]
    fn the_mean_is_the_mean() {
        assert_eq!(Space::Mean.position(&point()).values, [3.0, 5.0]);
        assert_eq!(Space::Mean.gradient(&Gradient::new(3, point().rows)).kept().values, [9.0, 15.0]);
    }

    #[test]
    fn a_shared_step_moves_the_mean_by_that_step() {
        let moved = Space::Mean.moved(&point(), &Matrix::new(2, vec![1.0, 0.0]), 0.5);
        assert_eq!(moved.rows.values, [1.5, 2.0, 3.5, 4.0, 5.5, 9.0]);
        let moved = Space::Tokens.moved(&point(), &Matrix::new(2, vec![1.0, 0.0, 0.0, 0.0, 0.0, 2.0]), -1.0);
        assert_eq!(moved.rows.values, [0.0, 2.0, 3.0, 4.0, 5.0, 7.0]);
    }
}
