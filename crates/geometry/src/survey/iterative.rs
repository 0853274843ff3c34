//! The largest eigenvalue for many classes, in a handful of passes whatever their number.
//!
//! lambda_max of G is that of K = L^T D^T D L in the space of the rivals (see [`crate::factor`]). One backward pass
//! gives the image w = D L u of a vector u exactly, so inner products of images are exact elements of K: lambda and
//! e_max come from a Rayleigh-Ritz problem over the vectors seen so far. Only the choice of the next vector needs
//! K u = L^T D^T w, a product with the Jacobian; it is taken as a central difference of logits along w. Its error turns
//! the search by a little and the eigenvalue by the square of that little. This is power iteration that remembers every
//! step it made.

use fissure_models::{Embedded, Gradient, Matrix, WhiteBox};

use crate::confidence::Confidence;
use crate::eigen::symmetric_eigen;
use crate::factor::Factor;
use crate::survey::{Rival, Spectrum, Survey, difference};
use crate::vectors::{combined, dot, gram, length, norm, typical_norm, unit_vector};
use crate::{Error, Result, Space};

/// The number of strongest rivals that get a slope of their own, for distances and forecasts.
pub(super) const SLOPES: usize = 4;
/// The number of strongest rivals that the search starts from.
const STARTS: usize = 2;
/// The largest number of steps.
const STEPS: usize = 14;
/// Or when what the next step would add is this small beside what is there: an error of its square in lambda.
const SETTLED: f64 = 2e-3;

pub(crate) fn survey(model: &dyn WhiteBox, points: &[Embedded], space: Space) -> Result<Vec<Survey>> {
    let classes = model.capabilities().labels.len();
    let first = model.pull_back(points, &|input, logits| {
        // Broken logits are reported below; here any answer will do.
        let Ok(confidence) = Confidence::from_logits(input, logits) else { return Vec::new() };
        let rivals = confidence.rivals();
        let factor = Factor::new(&confidence, &rivals);
        let slopes = rivals.iter().take(SLOPES).map(|&rival| difference(confidence.predicted, rival, classes));
        let log_prob: Vec<f64> = rivals.iter().map(|&rival| confidence.probability(rival)).collect();
        let starts = (0..STARTS).map(|at| weights(&confidence, &rivals, &factor.times(&axis(at, rivals.len()))));
        slopes.chain([weights(&confidence, &rivals, &log_prob)]).chain(starts).collect()
    })?;
    let mut searches = Vec::with_capacity(points.len());
    for (input, (point, mut pulled)) in points.iter().zip(first).enumerate() {
        let confidence = Confidence::from_logits(input, &pulled.logits)?;
        let images: Vec<Gradient> =
            pulled.gradients.split_off(SLOPES + 1).iter().map(|slope| space.gradient(slope)).collect();
        if images.iter().any(|image| !length(image).is_finite()) {
            return Err(Error::GradientNotFinite { input });
        }
        searches.push(Search::new(point, confidence, pulled.gradients, images, space));
    }
    for _ in 0..STEPS {
        let live: Vec<usize> = (0..searches.len()).filter(|&at| !searches[at].settled).collect();
        if live.is_empty() {
            break;
        }
        step(model, points, &mut searches, &live, space)?;
    }
    Ok(searches
        .into_iter()
        .zip(points)
        .map(|(search, point)| search.finish(typical_norm(&space.position(point))))
        .collect())
}

/// One more vector for every search that is not settled.
fn step(
    model: &dyn WhiteBox,
    points: &[Embedded],
    searches: &mut [Search],
    live: &[usize],
    space: Space,
) -> Result<()> {
    let moved: Vec<Embedded> = live
        .iter()
        .flat_map(|&at| {
            [1.0, -1.0].map(|sign| space.moved(&points[at], &searches[at].direction, sign * searches[at].reach))
        })
        .collect();
    let logits = model.logits_at(&moved)?;
    for (&at, pair) in live.iter().zip(logits.chunks_exact(2)) {
        searches[at].extend(&pair[0], &pair[1]);
    }
    let live: Vec<usize> = live.iter().copied().filter(|&at| !searches[at].settled).collect();
    let asked: Vec<Embedded> = live.iter().map(|&at| points[at].clone()).collect();
    let pulled = model.pull_back(&asked, &|at, _| vec![searches[live[at]].next_weights()])?;
    for (&at, pulled) in live.iter().zip(pulled) {
        if let Some(image) = pulled.gradients.first() {
            searches[at].accept(space.gradient(image));
        }
    }
    Ok(())
}

/// The search at one point.
struct Search {
    confidence: Confidence,
    rivals: Vec<usize>,
    factor: Factor,
    slopes: Vec<Rival>,
    log_prob_gradient: Gradient,
    /// Orthonormal vectors in the space of the rivals, and their images.
    basis: Vec<Vec<f64>>,
    images: Vec<Gradient>,
    /// The best so far: eigenvalue (scaled), unit image, and the length of a step along it.
    value: f64,
    direction: Matrix,
    reach: f64,
    settled: bool,
}

impl Search {
    fn new(
        point: &Embedded,
        confidence: Confidence,
        mut slopes: Vec<Gradient>,
        images: Vec<Gradient>,
        space: Space,
    ) -> Self {
        let rivals = confidence.rivals();
        let factor = Factor::new(&confidence, &rivals);
        let log_prob_gradient = slopes.pop().unwrap_or_default();
        let slopes = rivals.iter().zip(slopes).map(|(&class, gradient)| Rival { class, gradient }).collect();
        let basis = (0..images.len()).map(|at| axis(at, rivals.len())).collect();
        // One part in a hundred of x: logits in single precision still see it, and curvature hardly does.
        let reach = 0.01 * norm(&space.position(point).values).max(1.0);
        let mut search = Self {
            confidence,
            rivals,
            factor,
            slopes,
            log_prob_gradient,
            basis,
            images,
            value: 0.0,
            direction: Matrix::default(),
            reach,
            settled: false,
        };
        search.solve();
        search
    }

    /// The Rayleigh-Ritz problem over the images.
    fn solve(&mut self) {
        let (values, vectors) = symmetric_eigen(&gram(&self.images), self.images.len());
        self.value = values[0];
        self.direction = unit_vector(combined(&self.images, &vectors[0]).to_rows());
        self.settled = self.value <= 0.0 || self.value.is_nan();
    }

    /// The next vector: the product with the Jacobian by a central difference, made orthogonal to all before.
    fn extend(&mut self, up: &[f32], down: &[f32]) {
        let y = self.confidence.predicted;
        let along = |class: usize| (f64::from(up[class]) - f64::from(down[class])) / (2.0 * self.reach);
        let slopes: Vec<f64> = self.rivals.iter().map(|&rival| along(y) - along(rival)).collect();
        let mut next = self.factor.transposed_times(&slopes);
        let length = next.iter().map(|value| value * value).sum::<f64>().sqrt();
        // Twice is enough (Kahan).
        for _ in 0..2 {
            for known in &self.basis {
                let part: f64 = known.iter().zip(&next).map(|(a, b)| a * b).sum();
                next.iter_mut().zip(known).for_each(|(value, axis)| *value -= part * axis);
            }
        }
        let rest = next.iter().map(|value| value * value).sum::<f64>().sqrt();
        if rest <= SETTLED * length || rest.is_nan() || self.basis.len() == self.rivals.len() {
            self.settled = true;
        } else {
            next.iter_mut().for_each(|value| *value /= rest);
            self.basis.push(next);
        }
    }

    fn next_weights(&self) -> Vec<f32> {
        let newest = self.basis.last().map_or(&[][..], Vec::as_slice);
        weights(&self.confidence, &self.rivals, &self.factor.times(newest))
    }

    fn accept(&mut self, image: Gradient) {
        self.images.push(image);
        self.solve();
    }

    fn finish(self, unit: f64) -> Survey {
        let mut e_max = self.direction;
        // The rows under `Mean` are one; the gradient of log p is dealt to it row by row.
        let steepest = self.log_prob_gradient.to_rows();
        let rise: f64 = steepest.values.chunks(e_max.values.len().max(1)).map(|rows| dot(rows, &e_max.values)).sum();
        if rise > 0.0 {
            e_max.values.iter_mut().for_each(|value| *value = -*value);
        }
        let spectrum = Spectrum {
            eigenvalues: vec![self.value.max(0.0) * self.factor.log_scale.exp()],
            log_lambda_max: self.factor.log_scale + self.value.max(0.0).ln(),
            e_max,
        };
        Survey {
            confidence: self.confidence,
            rivals: self.slopes,
            log_prob_gradient: self.log_prob_gradient,
            spectrum,
            unit,
        }
    }
}

/// The weights of sum_b along_b (z_predicted - z_b).
fn weights(confidence: &Confidence, rivals: &[usize], along: &[f64]) -> Vec<f32> {
    let mut weights = vec![0.0; confidence.classes()];
    for (&rival, value) in rivals.iter().zip(along) {
        weights[rival] = -*value as f32;
    }
    weights[confidence.predicted] = along.iter().sum::<f64>() as f32;
    weights
}

fn axis(at: usize, size: usize) -> Vec<f64> {
    (0..size).map(|k| f64::from(u8::from(k == at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confidence::argmax;
    use crate::network::Network;
    use crate::survey::{from_differences, rivals_of};
    use crate::testing::embedded;

    #[test]
    fn as_good_as_all_passes() {
        for seed in 0..12 {
            let mut network = Network::random(20, 30, 24, seed);
            // Sharper decisions than the start of training has.
            network.second.iter_mut().for_each(|w| *w *= 6.0);
            let x: Vec<f32> = (0..40).map(|at| ((at * 7 + seed as i32 * 3) as f32).sin()).collect();
            let points = [embedded(20, &x)];
            for space in [Space::Tokens, Space::Mean] {
                let quick = &survey(&network, &points, space).unwrap()[0];
                let pulled = network
                    .pull_back(&points, &|_, z| {
                        rivals_of(argmax(z), 24).map(|rival| difference(argmax(z), rival, 24)).collect()
                    })
                    .unwrap()
                    .remove(0);
                let full = from_differences(0, &points[0], pulled, space).unwrap();
                let ratio = quick.spectrum.lambda_max() / full.spectrum.lambda_max();
                assert!((ratio - 1.0).abs() < 1e-5, "seed {seed}: {ratio}");
                let cosine = dot(&quick.spectrum.e_max.values, &full.spectrum.e_max.values);
                assert!(cosine > 0.9999, "seed {seed}: {cosine}");
                assert!((quick.distance() / full.distance() - 1.0).abs() < 1e-5, "seed {seed}");
            }
        }
    }
}
