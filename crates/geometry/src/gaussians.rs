//! The papers' toy: two Gaussians in the plane, a small network between them, and what its Fisher information shows.

use fissure_core::Dice;
use fissure_models::Embedded;
use serde::Serialize;

use crate::network::Network;
use crate::perturb::minimal_steps;
use crate::survey::survey;
use crate::{Confidence, Result, Space};
use fissure_statistics::{normal, pearson, spearman};

/// Hidden units of the network.
const HIDDEN: usize = 16;
/// and learns at this rate (Adam, all points at once).
const RATE: f64 = 0.01;
/// The boundary is looked for this far from a point.
const REACH: f64 = 20.0;
/// Lines, each way, of the grid on which the decision boundary is traced.
const GRID: usize = 300;

/// A point of the plane and its class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlanePoint {
    pub x: [f64; 2],
    pub label: usize,
}

/// `each` points around (-2, -2) with unit covariance, then as many around (3.5, 3.5) with [[2, 1], [1, 2]].
pub fn two_gaussians(each: usize, seed: u64) -> Vec<PlanePoint> {
    let mut dice = Dice::new(seed, &["gaussians"]);
    let mut draw = |label: usize| {
        let (a, b) = (normal(&mut dice), normal(&mut dice));
        // (sqrt(2) a, (a + sqrt(3) b) / sqrt(2)) has covariance [[2, 1], [1, 2]].
        let x = match label {
            0 => [a - 2.0, b - 2.0],
            _ => [2f64.sqrt() * a + 3.5, (a + 3f64.sqrt() * b) / 2f64.sqrt() + 3.5],
        };
        PlanePoint { x, label }
    };
    (0..2 * each).map(|at| draw(usize::from(at >= each))).collect()
}

/// Trains a network of two tanh layers to tell the classes apart.
pub fn train(points: &[PlanePoint], epochs: usize, seed: u64) -> Network {
    let mut network = Network::random(2, HIDDEN, 2, seed);
    let embedded: Vec<Embedded> = points.iter().map(|point| network.point(&point.x)).collect();
    let count = 5 * HIDDEN + 2;
    let (mut first, mut second) = (vec![0.0; count], vec![0.0; count]);
    for epoch in 1..=epochs {
        let mut gradient = vec![0.0; count];
        for (point, at) in points.iter().zip(&embedded) {
            add_gradient(&network, point.label, at, &mut gradient);
        }
        let (keep, keep_square) = (1.0 - 0.9f64.powi(epoch as i32), 1.0 - 0.999f64.powi(epoch as i32));
        let weights = network.first.iter_mut().chain(&mut network.first_bias);
        let weights = weights.chain(&mut network.second).chain(&mut network.second_bias);
        for (at, weight) in weights.enumerate() {
            let slope = gradient[at] / points.len() as f64;
            first[at] = 0.9 * first[at] + 0.1 * slope;
            second[at] = 0.999 * second[at] + 0.001 * slope * slope;
            *weight -= RATE * (first[at] / keep) / ((second[at] / keep_square).sqrt() + 1e-8);
        }
    }
    network
}

/// Adds the gradient of the cross entropy at one point, in the order of the weights above.
fn add_gradient(network: &Network, label: usize, at: &Embedded, gradient: &mut [f64]) {
    let pass = network.forward(&at.rows);
    let largest = pass.logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mass: Vec<f64> = pass.logits.iter().map(|z| (z - largest).exp()).collect();
    let total: f64 = mass.iter().sum();
    let errors: Vec<f64> =
        mass.iter().enumerate().map(|(class, m)| m / total - f64::from(u8::from(class == label))).collect();
    let inner = network.backward(&pass, &errors);
    let first = inner.iter().flat_map(|g| pass.mean.iter().map(move |x| g * x));
    let second = errors.iter().flat_map(|g| pass.hidden.iter().map(move |h| g * h));
    let all = first.chain(inner.iter().copied()).chain(second).chain(errors.iter().copied());
    gradient.iter_mut().zip(all).for_each(|(sum, value)| *sum += value);
}

/// What the toy shows.
#[derive(Debug, Clone, Serialize)]
pub struct ToyReport {
    pub accuracy: f64,
    /// lambda_max against the distance to the decision boundary: strongly negative.
    pub spearman_lambda_distance: Option<f64>,
    pub pearson_log_lambda_distance: Option<f64>,
    pub spearman_entropy_distance: Option<f64>,
    /// lambda_max against the smallest step along e_max that changes the label.
    pub spearman_lambda_eta: Option<f64>,
    /// The share of points where such a step exists.
    pub flipped: f64,
    /// How well e_max points to the nearest part of the boundary, |cosine| on average.
    pub mean_cosine: f64,
    pub points: Vec<ToyPoint>,
}

/// One point with its geometry: enough to draw the papers' figure.
#[derive(Debug, Clone, Serialize)]
pub struct ToyPoint {
    #[serde(flatten)]
    pub point: PlanePoint,
    pub predicted: usize,
    pub lambda_max: f64,
    pub e_max: [f64; 2],
    pub eta_plus: Option<f64>,
    /// The distance to the decision boundary.
    pub distance: f64,
}

/// Surveys the network at every point.
pub fn survey_plane(network: &Network, points: &[PlanePoint]) -> Result<ToyReport> {
    let embedded: Vec<Embedded> = points.iter().map(|point| network.point(&point.x)).collect();
    let surveys = survey(network, &embedded, Space::Tokens)?;
    let directions: Vec<_> = surveys.iter().map(|survey| &survey.spectrum.e_max).collect();
    let steps = minimal_steps(network, &embedded, &directions, Space::Tokens, REACH)?;
    let boundary = boundary(network, points);
    let (mut found, mut cosines) = (Vec::new(), Vec::new());
    for ((point, survey), step) in points.iter().zip(&surveys).zip(&steps) {
        let e_max = [0, 1].map(|at| f64::from(survey.spectrum.e_max.values[at]));
        let away = |b: &[f64; 2]| (b[0] - point.x[0]).hypot(b[1] - point.x[1]);
        let nearest = boundary.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
        let distance = nearest.map_or(f64::INFINITY, away);
        if let Some(b) = nearest {
            cosines.push((e_max[0] * (b[0] - point.x[0]) + e_max[1] * (b[1] - point.x[1])).abs() / distance.max(1e-12));
        }
        found.push(ToyPoint {
            point: *point,
            predicted: survey.confidence.predicted,
            lambda_max: survey.spectrum.lambda_max(),
            e_max,
            eta_plus: step.eta_plus,
            distance,
        });
    }
    let lambdas: Vec<f64> = surveys.iter().map(|survey| survey.spectrum.log_lambda_max).collect();
    let entropies: Vec<f64> = surveys.iter().map(|survey| survey.confidence.entropy()).collect();
    let distances: Vec<f64> = found.iter().map(|point| point.distance).collect();
    let (of, etas): (Vec<f64>, Vec<f64>) =
        found.iter().zip(&lambdas).filter_map(|(point, lambda)| Some((*lambda, point.eta_plus?))).unzip();
    let share = |count: usize| count as f64 / points.len().max(1) as f64;
    Ok(ToyReport {
        accuracy: share(found.iter().filter(|point| point.predicted == point.point.label).count()),
        spearman_lambda_distance: spearman(&lambdas, &distances).map(|found| found.r),
        pearson_log_lambda_distance: pearson(&lambdas, &distances).map(|found| found.r),
        spearman_entropy_distance: spearman(&entropies, &distances).map(|found| found.r),
        spearman_lambda_eta: spearman(&of, &etas).map(|found| found.r),
        flipped: share(etas.len()),
        mean_cosine: cosines.iter().sum::<f64>() / cosines.len().max(1) as f64,
        points: found,
    })
}

/// Points of the decision boundary, where it crosses the lines of a grid around the data.
fn boundary(network: &Network, points: &[PlanePoint]) -> Vec<[f64; 2]> {
    let side = |axis: usize| {
        let (low, high) = points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
            (low.min(point.x[axis]), high.max(point.x[axis]))
        });
        (low - 2.0, (high - low + 4.0) / (GRID - 1) as f64)
    };
    let ((left, across), (bottom, up)) = (side(0), side(1));
    let place = |column: usize, row: usize| [left + column as f64 * across, bottom + row as f64 * up];
    let margin = |x: [f64; 2]| {
        let logits = network.forward(&network.point(&x).rows).logits;
        logits[1] - logits[0]
    };
    let margins: Vec<f64> = (0..GRID * GRID).map(|at| margin(place(at % GRID, at / GRID))).collect();
    let mut crossings = Vec::new();
    for at in 0..GRID * GRID {
        let (column, row) = (at % GRID, at / GRID);
        for (other, inside, step) in
            [(at + 1, column + 1 < GRID, [across, 0.0]), (at + GRID, row + 1 < GRID, [0.0, up])]
        {
            if inside && (margins[at] > 0.0) != (margins[other] > 0.0) {
                let share = margins[at] / (margins[at] - margins[other]);
                let here = place(column, row);
                crossings.push([here[0] + share * step[0], here[1] + share * step[1]]);
            }
        }
    }
    crossings
}

/// The predicted class at a point of the plane, for pictures.
pub fn decide(network: &Network, x: [f64; 2]) -> Result<Confidence> {
    let logits: Vec<f32> = network.forward(&network.point(&x).rows).logits.iter().map(|&z| z as f32).collect();
    Confidence::from_logits(0, &logits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_samples_have_the_moments_of_the_papers() {
        let points = two_gaussians(4000, 1);
        let second: Vec<[f64; 2]> = points[4000..].iter().map(|point| point.x).collect();
        let mean = |axis: usize| second.iter().map(|x| x[axis]).sum::<f64>() / 4000.0;
        let covariance =
            |a: usize, b: usize| second.iter().map(|x| (x[a] - mean(a)) * (x[b] - mean(b))).sum::<f64>() / 4000.0;
        // Five standard errors: sqrt(2/4000) for the mean, about 2 sqrt(2/4000) for a covariance.
        assert!((mean(0) - 3.5).abs() < 0.12 && (mean(1) - 3.5).abs() < 0.12);
        assert!((covariance(0, 0) - 2.0).abs() < 0.23 && (covariance(1, 1) - 2.0).abs() < 0.23);
        assert!((covariance(0, 1) - 1.0).abs() < 0.23);
    }

    #[test]
    fn fragile_points_lie_at_the_boundary() {
        let points = two_gaussians(150, 0);
        let network = train(&points, 200, 0);
        let report = survey_plane(&network, &points).unwrap();
        assert!(report.accuracy > 0.99, "{}", report.accuracy);
        assert!(report.spearman_lambda_distance.unwrap() < -0.8, "{:?}", report.spearman_lambda_distance);
        assert!(report.spearman_lambda_eta.unwrap() < -0.6, "{:?}", report.spearman_lambda_eta);
        assert!(report.mean_cosine > 0.6, "{}", report.mean_cosine);
        for point in &report.points {
            // No step along any direction is shorter than the distance, up to the mesh of the grid.
            assert!(point.eta_plus.is_none_or(|eta| eta > point.distance - 0.1), "{point:?}");
        }
    }
}
