//! A calibration: how a model departs from its straight line, in a handful of numbers that are kept beside the model.

use serde::{Deserialize, Serialize};

use super::Forecast;
use super::fit::{Observed, Trust, fit};
use super::surrogate::Shift;
use crate::{EditLaw, Error, Result};

/// Five scalars and what they rest on. After an edit the margin is taken as normal around
/// margin + c + kappa mean, with variance (beta^2 + rho) sigma^2 + tau^2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The law of the edit that the numbers hold for.
    pub law: EditLaw,
    pub c: f64,
    pub kappa: f64,
    pub beta: f64,
    pub rho: f64,
    pub tau2: f64,
    /// The share of the residual variance that copies of one text have in common: what a refined forecast can learn.
    pub between: f64,
    /// How much of what edits do within a text the straight line explains; `None` if edits did nothing.
    pub r_squared: Option<f64>,
    /// The correlation of log sigma with the log of the observed spread. Low: a calibrated margin is all there is.
    pub spread_correlation: Option<f64>,
    pub texts: usize,
    pub copies: usize,
}

impl Calibration {
    /// `texts` hold `copies` edited copies each.
    pub(super) fn from_observed(law: EditLaw, texts: &[Observed], copies: usize) -> Result<Self> {
        let texts: Vec<Observed> = texts.iter().filter(|text| !text.margins.is_empty()).cloned().collect();
        let pooled = fit(&texts, Trust::Predicted).ok_or(Error::NothingToCalibrate)?;
        Ok(Self {
            law,
            c: pooled.c,
            kappa: pooled.kappa,
            beta: pooled.beta,
            rho: pooled.rho,
            tau2: pooled.tau2,
            between: pooled.between,
            r_squared: pooled.r_squared,
            spread_correlation: pooled.spread_correlation,
            texts: texts.len(),
            copies,
        })
    }

    /// The calibrated forecast.
    pub fn forecast(&self, shifts: &[Shift]) -> Option<Forecast> {
        Forecast::worst(shifts.iter().map(|shift| (shift.margin, self.mean(shift), self.variance(shift))))
    }

    fn mean(&self, shift: &Shift) -> f64 {
        self.c + self.kappa * shift.mean
    }

    fn variance(&self, shift: &Shift) -> f64 {
        self.beta * self.beta * shift.variance + self.residual(shift)
    }

    fn residual(&self, shift: &Shift) -> f64 {
        self.rho * shift.variance + self.tau2
    }

    /// The refined forecast: a few edited copies of the text itself as control variates.
    ///
    /// What a text's copies miss beyond the calibrated line is an offset of that text, of variance
    /// between * residual, plus noise. The copies' mean miss, shrunk by how noisy it is, moves the mean; what the
    /// copies leave unknown of the offset stays in the variance.
    pub(super) fn refine(&self, text: &Observed) -> Option<Forecast> {
        let copies = text.margins.len() as f64;
        if copies == 0.0 {
            return self.forecast(&text.shifts);
        }
        Forecast::worst(text.shifts.iter().enumerate().map(|(rival, shift)| {
            let at = shift.margin + shift.mean;
            let missed = |(linear, observed): (&Vec<f64>, &Vec<f64>)| {
                observed[rival] - (shift.margin + self.mean(shift) + self.beta * (linear[rival] - at))
            };
            let miss = text.linear.iter().zip(&text.margins).map(missed).sum::<f64>() / copies;
            let offset = self.between * self.residual(shift);
            let noise = self.residual(shift) - offset;
            let trust = offset / (offset + noise / copies).max(1e-30);
            let variance = self.beta * self.beta * shift.variance + noise + offset * (1.0 - trust);
            (shift.margin, self.mean(shift) + trust * miss, variance)
        }))
    }
}
