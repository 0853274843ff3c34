//! How far the straight line can be trusted for one part and one model, with the trivial baseline beside it.

use fissure_core::Dice;
use fissure_statistics::{ClusteredShare, Estimate, normal_quantile, pearson};
use serde::Serialize;

use super::blend::Blend;
use super::fit::{Fitted, Observed, Trust, fit};
use super::surrogate::Shift;
use super::{Forecast, normal_cdf};

/// The share of the mean square of predicted shifts that is added to every variance: an edit that is always the same has no
/// spread of its own, and the line still misses by something.
const FLOOR: f64 = 0.01;
/// A spread of margins below this is rounding.
const LEAST_VARIANCE: f64 = 1e-8;
/// Calibrations on texts drawn with replacement, which show how much the calibration itself leaves open.
const REPLICATES: usize = 40;
/// Below this correlation of predicted with observed spread, and below this share explained within texts, the straight line
/// adds nothing to the margin.
const LEAST_SPREAD: f64 = 0.3;
const LEAST_R_SQUARED: f64 = 0.1;

/// A probability this near to 0 or 1 is rounding.
const SUREST: f64 = 1e-9;

/// The calibration of one part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartCalibration {
    pub part: String,
    /// How the prices of a change make its shift by the line.
    pub blend: Blend,
    #[serde(flatten)]
    pub fitted: Fitted,
    /// What is added to every predicted variance.
    pub floor: f64,
    /// The same from the margin alone: the baseline.
    pub margin: Fitted,
    pub margin_variance: f64,
    pub texts: usize,
    pub copies: usize,
    /// Copies that flipped the answer.
    pub flips: usize,
    /// How much of what the copies did to the margins the line explains, between texts and within; `None` if they did nothing.
    /// An edit that is always the same explains nothing within a text.
    pub explained: Option<f64>,
    #[serde(skip)]
    replicates: Vec<Fitted>,
    /// The share of the copies that flipped, with its interval; those of a text are no independent ones.
    #[serde(skip)]
    seen: Option<Estimate>,
}

impl PartCalibration {
    /// `texts` hold edited copies each; `None` if there is nothing to learn from.
    pub(super) fn new(part: &str, blend: Blend, texts: &[Observed], seed: u64) -> Option<Self> {
        let mut texts: Vec<Observed> = texts.iter().filter(|text| !text.margins.is_empty()).cloned().collect();
        let shifts = || texts.iter().flat_map(|text| &text.shifts);
        let predicted = mean(shifts().map(|shift| shift.mean * shift.mean + shift.variance))?;
        let margin_variance = mean(texts.iter().flat_map(observed_squares))?.max(LEAST_VARIANCE);
        // A part whose edits the line cannot price at all has the spread that was observed, the same for every text. Otherwise
        // no variance is so far below what was observed that a text with a larger one would seem to move without bounds.
        let priced = predicted > 1e-6 * margin_variance;
        let floor = if priced { FLOOR * predicted.max(margin_variance) } else { margin_variance };
        let margin_only: Vec<Observed> = texts.iter().map(|text| by_margin(text, margin_variance)).collect();
        texts.iter_mut().flat_map(|text| &mut text.shifts).for_each(|shift| shift.variance += floor);
        let fitted = fit(&texts, Trust::Missed)?;
        let mut dice = Dice::new(seed, &["replicates", part]);
        let mut again = |_| {
            let drawn: Vec<Observed> = texts.iter().map(|_| texts[dice.below(texts.len())].clone()).collect();
            fit(&drawn, Trust::Missed)
        };
        let flips =
            |text: &Observed| text.margins.iter().filter(|copy| copy.iter().any(|margin| *margin < 0.0)).count();
        let mut seen = ClusteredShare::default();
        texts.iter().for_each(|text| seen.add(flips(text), text.margins.len()));
        Some(Self {
            seen: seen.estimate(),
            part: part.to_owned(),
            blend,
            floor,
            margin: fit(&margin_only, Trust::Missed)?,
            margin_variance,
            texts: texts.len(),
            copies: texts.iter().map(|text| text.margins.len()).sum(),
            flips: texts.iter().map(flips).sum(),
            explained: explained(&texts),
            replicates: (0..REPLICATES).filter_map(&mut again).collect(),
            fitted,
        })
    }

    /// The forecast, and the probability of each rival, in their order. `draws` are whole edits with the shift of every margin:
    /// a text that one word in twenty can flip is far from normal. The line misses each by what the calibration found.
    pub(super) fn forecast(&self, shifts: &[Shift], draws: &[Vec<f64>]) -> Option<(Forecast, Vec<f64>)> {
        let worst = under(&self.fitted, shifts, self.floor)?;
        let fitted = &self.fitted;
        let mut each = vec![0.0; shifts.len()];
        let mut flips = 0.0;
        for draw in draws {
            let rival = |(shift, moved): (&Shift, &f64)| {
                let at = shift.margin + fitted.c + fitted.kappa * shift.mean + fitted.beta * (moved - shift.mean);
                let miss = fitted.rho * (shift.variance + self.floor) + fitted.beta.powi(2) * self.floor + fitted.tau2;
                normal_cdf(-at / miss.max(1e-30).sqrt())
            };
            let chances: Vec<f64> = shifts.iter().zip(draw).map(rival).collect();
            // The probabilities of the rivals overlap; together they are that of a flip.
            let (most, sum) = (chances.iter().copied().fold(0.0, f64::max), chances.iter().sum::<f64>());
            flips += most;
            if sum > 0.0 {
                each.iter_mut().zip(&chances).for_each(|(each, chance)| *each += most * chance / sum);
            }
        }
        let count = draws.len().max(1) as f64;
        each.iter_mut().for_each(|each| *each /= count);
        let probability = flips / count;
        Some((Forecast { probability, t: rank(probability, worst.t), ..worst }, each))
    }

    /// The forecast by the margin alone.
    pub(super) fn baseline(&self, shifts: &[Shift]) -> Option<f64> {
        let still: Vec<Shift> =
            shifts.iter().map(|shift| Shift { margin: shift.margin, mean: 0.0, variance: 0.0 }).collect();
        Some(under(&self.margin, &still, self.margin_variance)?.probability)
    }

    /// The forecast by each of the calibrations on drawn texts.
    pub(super) fn replicated<'a>(&'a self, shifts: &'a [Shift]) -> impl Iterator<Item = f64> + 'a {
        self.replicates.iter().map(|fitted| under(fitted, shifts, self.floor).map_or(0.0, |found| found.probability))
    }

    /// What the copies alone say of the share of flips, where the forecast is no more than a calibrated margin. How much a margin moves is
    /// then a guess from the same copies, with a law for its tail that nothing has tested; drawing the texts again does not
    /// show that doubt.
    pub(super) fn seen_by_copies(&self) -> Option<Estimate> {
        self.seen.filter(|_| self.is_margin_only())
    }

    /// Whether the line says hardly more than the margin does: then the forecast is a calibrated margin.
    pub fn is_margin_only(&self) -> bool {
        let low = |value: Option<f64>, least: f64| value.is_none_or(|value| value < least);
        low(self.fitted.spread_correlation, LEAST_SPREAD)
            && low(self.fitted.r_squared, LEAST_R_SQUARED)
            && low(self.explained, LEAST_R_SQUARED)
    }
}

/// The squared correlation of the shifts by the line with those that were observed, over all copies and rivals.
fn explained(texts: &[Observed]) -> Option<f64> {
    let (mut predicted, mut observed) = (Vec::new(), Vec::new());
    for text in texts {
        for (linear, margins) in text.linear.iter().zip(&text.margins) {
            for ((shift, linear), margin) in text.shifts.iter().zip(linear).zip(margins) {
                predicted.push(linear - shift.margin);
                observed.push(margin - shift.margin);
            }
        }
    }
    pearson(&predicted, &observed).map(|found| found.r * found.r)
}

/// What to rank by: the quantile of a probability. Those that are 0 or 1 but for rounding are ranked by the normal law, beyond.
fn rank(probability: f64, t: f64) -> f64 {
    let end = normal_quantile(SUREST);
    if probability <= SUREST {
        t.min(end)
    } else if probability >= 1.0 - SUREST {
        t.max(-end)
    } else {
        normal_quantile(probability)
    }
}

fn under(fitted: &Fitted, shifts: &[Shift], floor: f64) -> Option<Forecast> {
    let rival = |shift: &Shift| {
        let variance = shift.variance + floor;
        let spread = (fitted.beta * fitted.beta + fitted.rho) * variance + fitted.tau2;
        (shift.margin, fitted.c + fitted.kappa * shift.mean, spread)
    };
    let found = Forecast::worst(shifts.iter().map(rival))?;
    Some(Forecast { probability: normal_cdf(found.t), ..found })
}

/// The text as the baseline sees it: nothing is predicted, and every margin may move as far.
fn by_margin(text: &Observed, variance: f64) -> Observed {
    let shifts: Vec<Shift> =
        text.shifts.iter().map(|shift| Shift { margin: shift.margin, mean: 0.0, variance }).collect();
    let still: Vec<f64> = shifts.iter().map(|shift| shift.margin).collect();
    Observed { linear: vec![still; text.margins.len()], margins: text.margins.clone(), shifts }
}

/// The squares of the observed shifts.
fn observed_squares(text: &Observed) -> impl Iterator<Item = f64> {
    text.margins
        .iter()
        .flat_map(|copy| copy.iter().zip(&text.shifts).map(|(after, shift)| (after - shift.margin).powi(2)))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then(|| sum / count)
}
