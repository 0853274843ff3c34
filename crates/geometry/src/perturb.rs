//! How far a text must be moved in embedding space before its label changes.

use fissure_core::Dice;
use fissure_models::{Embedded, Matrix, WhiteBox};
use fissure_statistics::{Estimate, normal, proportion};
use serde::Serialize;

use crate::confidence::argmax;
use crate::vectors::unit_vector;
use crate::{Result, Space};

/// No farther than this by default: beyond, the distance is censored.
pub const REACH: f64 = 6.0;
const BISECTIONS: usize = 24;

/// The smallest steps along +direction and -direction that change the label; `None` if the reach of the search does
/// not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MinimalStep {
    pub eta_plus: Option<f64>,
    pub eta_minus: Option<f64>,
}

/// A search on one ray from one point.
struct Ray {
    point: usize,
    sign: f64,
    kept: f64,
    flipped: Option<f64>,
}

/// 24 bisections on [0, reach] for every point along +direction and -direction; the value is the flipped end.
///
/// All rays advance together, so that the model sees large batches; a ray that is censored leaves at once.
pub fn minimal_steps(
    model: &dyn WhiteBox,
    points: &[Embedded],
    directions: &[&Matrix],
    space: Space,
    reach: f64,
) -> Result<Vec<MinimalStep>> {
    let predicted: Vec<usize> = model.logits_at(points)?.iter().map(|logits| argmax(logits)).collect();
    let mut rays: Vec<Ray> = (0..points.len())
        .flat_map(|point| [1.0, -1.0].map(|sign| Ray { point, sign, kept: 0.0, flipped: None }))
        .collect();
    for round in 0..=BISECTIONS {
        let live: Vec<&mut Ray> = rays.iter_mut().filter(|ray| round == 0 || ray.flipped.is_some()).collect();
        if live.is_empty() {
            break;
        }
        let middle = |ray: &Ray| ray.flipped.map_or(reach, |flipped| 0.5 * (ray.kept + flipped));
        let moved: Vec<Embedded> = live
            .iter()
            .map(|ray| space.moved(&points[ray.point], directions[ray.point], ray.sign * middle(ray)))
            .collect();
        let logits = model.logits_at(&moved)?;
        for (ray, logits) in live.into_iter().zip(logits) {
            let at = middle(ray);
            if argmax(&logits) != predicted[ray.point] {
                ray.flipped = Some(at);
            } else {
                ray.kept = at;
            }
        }
    }
    Ok(rays.chunks_exact(2).map(|pair| MinimalStep { eta_plus: pair[0].flipped, eta_minus: pair[1].flipped }).collect())
}

/// The share of points whose label is predicted right after a step of each length; one share a length, `None` of no points.
pub fn accuracy_after_steps(
    model: &dyn WhiteBox,
    points: &[Embedded],
    directions: &[&Matrix],
    labels: &[usize],
    lengths: &[f64],
    space: Space,
) -> Result<Vec<Option<Estimate>>> {
    lengths
        .iter()
        .map(|&length| {
            let moved: Vec<Embedded> =
                points.iter().zip(directions).map(|(point, along)| space.moved(point, along, length)).collect();
            let logits = model.logits_at(&moved)?;
            let right = logits.iter().zip(labels).filter(|(logits, label)| argmax(logits) == **label).count();
            Ok(proportion(right, points.len()))
        })
        .collect()
}

/// A direction drawn evenly from the unit sphere: the control of every experiment with e_max.
pub fn random_direction(count: usize, width: usize, dice: &mut Dice) -> Matrix {
    let values = (0..count * width).map(|_| normal(dice) as f32).collect();
    unit_vector(Matrix { width, values })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Linear, embedded};
    use crate::vectors::norm;

    /// z = (x, -x): the label changes at 0.
    fn line() -> Linear {
        Linear::new(1, vec![1.0, -1.0], vec![0.0, 0.0])
    }

    #[test]
    fn the_way_to_a_plane_is_the_distance() {
        let points = [embedded(1, &[1.5]), embedded(1, &[-7.0]), embedded(1, &[-0.25])];
        let forward = Matrix::new(1, vec![1.0]);
        let steps = minimal_steps(&line(), &points, &[&forward; 3], Space::Tokens, REACH).unwrap();
        assert_eq!(steps[0].eta_plus, None);
        assert!((steps[0].eta_minus.unwrap() - 1.5).abs() < 1e-6);
        assert_eq!(steps[1], MinimalStep { eta_plus: None, eta_minus: None });
        assert!((steps[2].eta_plus.unwrap() - 0.25).abs() < 1e-6);
        assert_eq!(steps[2].eta_minus, None);
    }

    #[test]
    fn a_shared_step_is_shorter_by_the_root_of_the_rows() {
        // The sum of four rows is 2: a shared step of 1/2, or 1 = 1/2 * sqrt(4) in the space of all rows.
        let points = [embedded(1, &[0.5, 0.5, 0.5, 0.5])];
        let mean = minimal_steps(&line(), &points, &[&Matrix::new(1, vec![-1.0])], Space::Mean, REACH).unwrap();
        let tokens = minimal_steps(&line(), &points, &[&Matrix::new(1, vec![-0.5; 4])], Space::Tokens, REACH).unwrap();
        assert!((mean[0].eta_plus.unwrap() - 0.5).abs() < 1e-6);
        assert!((tokens[0].eta_plus.unwrap() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn accuracy_falls_where_points_cross() {
        let points = [embedded(1, &[1.0]), embedded(1, &[2.0]), embedded(1, &[3.0]), embedded(1, &[-1.0])];
        let back = Matrix::new(1, vec![-1.0]);
        let labels = [0, 0, 0, 1];
        let accuracy =
            accuracy_after_steps(&line(), &points, &[&back; 4], &labels, &[0.0, 1.5, 2.5], Space::Tokens).unwrap();
        let shares: Vec<f64> = accuracy.iter().flatten().map(|share| share.value).collect();
        assert_eq!(shares, [1.0, 0.75, 0.5]);
    }

    #[test]
    fn random_directions_are_units_without_a_favourite() {
        let mut dice = Dice::new(3, &["sphere"]);
        let mut sum = [0f64; 4];
        for _ in 0..4000 {
            let direction = random_direction(2, 2, &mut dice);
            assert!((norm(&direction.values) - 1.0).abs() < 1e-6);
            sum.iter_mut().zip(&direction.values).for_each(|(sum, value)| *sum += f64::from(*value));
        }
        // A component has variance 1/4; five standard deviations of its mean over 4000 draws are 0.04.
        assert!(sum.iter().all(|sum| (sum / 4000.0).abs() < 0.04), "{sum:?}");
    }
}
