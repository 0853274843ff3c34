//! The survey of an example: its decision, the slopes of its margins, and the spectrum of its Fisher information.
//!
//! One forward pass, then one backward pass for each rival of the predicted class (more than [`EXACT_UP_TO`] rivals are left to
//! `iterative`). Everything else in this crate starts from what is found here.

mod decision;
mod iterative;

use fissure_models::{Embedded, Gradient, Matrix, PullBack, WhiteBox};
use rayon::prelude::*;

pub(crate) use self::decision::{Decision, RivalsFn, decide, strongest};
use crate::confidence::{Confidence, argmax};
use crate::eigen::symmetric_eigen;
use crate::factor::Factor;
use crate::vectors::{combined, gram, length, norm, typical_norm, unit_vector};
use crate::{Error, Result, Space};

/// Up to this many classes, every margin gets a backward pass of its own and the spectrum is complete.
pub const EXACT_UP_TO: usize = 16;

/// What is found at one point.
#[derive(Debug, Clone)]
pub struct Survey {
    pub confidence: Confidence,
    /// The slopes of the margins: of all rivals up to [`EXACT_UP_TO`] classes, of the strongest few beyond. Strongest first.
    pub rivals: Vec<Rival>,
    /// grad log p of the predicted class, in the rows of the text.
    pub log_prob_gradient: Gradient,
    pub spectrum: Spectrum,
    /// The norm of a typical row of x: the unit of the scale-free lambda.
    pub unit: f64,
}

/// A class that might be predicted instead.
#[derive(Debug, Clone)]
pub struct Rival {
    pub class: usize,
    /// grad(z_predicted - z_class), in the rows of the text.
    pub gradient: Gradient,
}

/// The nonzero part of the Fisher information G = sum_c p_c (grad log p_c)(grad log p_c)^T.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// Descending: C - 1 of them up to [`EXACT_UP_TO`] classes, lambda_max alone beyond.
    pub eigenvalues: Vec<f64>,
    pub log_lambda_max: f64,
    /// The unit eigenvector of lambda_max, signed so that a step along it lowers the predicted class. All zeros where
    /// the model does not depend on the input.
    pub e_max: Matrix,
}

impl Spectrum {
    pub fn lambda_max(&self) -> f64 {
        self.eigenvalues.first().copied().unwrap_or(0.0)
    }
}

impl Survey {
    /// lambda_max with x measured in units of its mean row norm: comparable between models, as lambda_max is not.
    pub fn scale_free_lambda(&self) -> f64 {
        self.unit * self.unit * self.spectrum.lambda_max()
    }

    /// The first-order distance to the nearest decision boundary, min over the rivals of margin / |grad margin|;
    /// infinite where no margin has a slope.
    pub fn distance(&self) -> f64 {
        let to = |rival: &Rival| match length(&rival.gradient) {
            0.0 => f64::INFINITY,
            slope => self.confidence.margin_to(rival.class) / slope,
        };
        self.rivals.iter().map(to).fold(f64::INFINITY, f64::min)
    }

    /// For each token the norm of its block of e_max; the squares add up to 1.
    pub fn token_shares(&self) -> Vec<f64> {
        let e_max = &self.spectrum.e_max;
        (0..e_max.count()).map(|at| norm(e_max.row(at))).collect()
    }
}

/// Surveys every point. A result depends on its own point alone, bit for bit.
pub fn survey(model: &dyn WhiteBox, points: &[Embedded], space: Space) -> Result<Vec<Survey>> {
    let classes = model.capabilities().labels.len();
    if classes < 2 {
        return Err(Error::TooFewClasses { classes });
    }
    if classes > EXACT_UP_TO {
        return iterative::survey(model, points, space);
    }
    let pulled = model.pull_back(points, &|_, logits| {
        let predicted = argmax(logits);
        rivals_of(predicted, classes).map(|rival| difference(predicted, rival, classes)).collect()
    })?;
    points
        .par_iter()
        .zip(pulled)
        .enumerate()
        .map(|(input, (point, pulled))| from_differences(input, point, pulled, space))
        .collect()
}

pub(crate) fn rivals_of(predicted: usize, classes: usize) -> impl Iterator<Item = usize> {
    (0..classes).filter(move |&class| class != predicted)
}

/// The weights of z_predicted - z_rival.
pub(crate) fn difference(predicted: usize, rival: usize, classes: usize) -> Vec<f32> {
    let mut weights = vec![0.0; classes];
    weights[predicted] = 1.0;
    weights[rival] = -1.0;
    weights
}

pub(crate) fn from_differences(input: usize, point: &Embedded, pulled: PullBack, space: Space) -> Result<Survey> {
    let confidence = Confidence::from_logits(input, &pulled.logits)?;
    let mut gradients: Vec<Option<Gradient>> = vec![None; confidence.classes()];
    for (class, gradient) in rivals_of(confidence.predicted, confidence.classes()).zip(pulled.gradients) {
        gradients[class] = Some(gradient);
    }
    let rivals: Vec<Rival> = confidence
        .rivals()
        .into_iter()
        .filter_map(|class| gradients[class].take().map(|gradient| Rival { class, gradient }))
        .collect();
    let probabilities: Vec<f64> = rivals.iter().map(|rival| confidence.probability(rival.class)).collect();
    let log_prob_gradient = combined(rivals.iter().map(|rival| &rival.gradient), &probabilities);
    let spectrum = spectrum(input, &confidence, &rivals, space)?;
    Ok(Survey { unit: typical_norm(&space.position(point)), confidence, rivals, log_prob_gradient, spectrum })
}

/// The spectrum from the slopes of all margins: that of the (C - 1) x (C - 1) matrix L^T D^T D L.
fn spectrum(input: usize, confidence: &Confidence, rivals: &[Rival], space: Space) -> Result<Spectrum> {
    let size = rivals.len();
    let classes: Vec<usize> = rivals.iter().map(|rival| rival.class).collect();
    let factor = Factor::new(confidence, &classes);
    let slopes: Vec<Gradient> = rivals.iter().map(|rival| space.gradient(&rival.gradient)).collect();
    let gram = gram(&slopes);
    if gram.iter().any(|value| !value.is_finite()) {
        return Err(Error::GradientNotFinite { input });
    }
    let half: Vec<f64> = gram.chunks_exact(size).flat_map(|row| factor.transposed_times(row)).collect();
    let columns: Vec<f64> = (0..size)
        .flat_map(|column| factor.transposed_times(&(0..size).map(|row| half[row * size + column]).collect::<Vec<_>>()))
        .collect();
    let (values, vectors) = symmetric_eigen(&columns, size);
    let mut along = factor.times(&vectors[0]);
    // grad log p_predicted is sum_b p_b d_b; e_max must not rise along it.
    let rise: f64 = (0..size)
        .map(|b| factor.scaled_probability(b) * (0..size).map(|j| gram[b * size + j] * along[j]).sum::<f64>())
        .sum();
    if rise > 0.0 {
        along.iter_mut().for_each(|value| *value = -*value);
    }
    Ok(Spectrum {
        eigenvalues: values.iter().map(|value| value.max(0.0) * factor.log_scale.exp()).collect(),
        log_lambda_max: factor.log_scale + values[0].max(0.0).ln(),
        e_max: unit_vector(combined(&slopes, &along).to_rows()),
    })
}

#[cfg(test)]
mod tests;
