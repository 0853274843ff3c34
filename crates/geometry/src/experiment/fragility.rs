//! The papers' experiment: which score predicts how often edits change an answer, and how large a step it takes?

use fissure_models::{Input, WhiteBox};
use serde::Serialize;

use super::groups::{Groups, Known, groups};
use crate::{
    CALIBRATION_TEXTS, Calibration, EditLaw, Error, Forecaster, NamedInput, REACH, Result, Space, Vocabulary,
    edited_answers, minimal_steps, survey,
};
use fissure_statistics::{Correlation, partial, pearson, spearman};

/// How to measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FragilityOptions {
    pub law: EditLaw,
    /// Edited copies of each text; their share of flips is p_flip.
    pub copies: usize,
    pub seed: u64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fragility {
    /// Texts measured; those the forecast was calibrated on are not among them.
    pub texts: usize,
    pub copies: usize,
    pub law: EditLaw,
    pub mean_p_flip: f64,
    /// The share of texts that no step of the largest length along e_max flips; they are left out of the eta columns.
    pub censored: f64,
    pub calibration: Option<Calibration>,
    /// The scores, the papers' first, with the trivial ones beside it.
    pub scores: Vec<ScoreAgainst>,
    /// Accuracy at both ends of lambda_max; `None` if too few texts have a label.
    pub groups: Option<Groups>,
    /// (log lambda_max, p_flip, eta) of every text.
    pub points: Vec<TextPoint>,
}

/// What was measured of one text: enough to draw it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TextPoint {
    pub log_lambda_max: f64,
    pub forecast: f64,
    pub p_flip: f64,
    pub eta: Option<f64>,
}

/// One score against what was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreAgainst {
    pub score: &'static str,
    pub p_flip: Option<Correlation>,
    pub p_flip_ranks: Option<Correlation>,
    /// Given the margin: what the score knows beyond it.
    pub p_flip_beyond_margin: Option<Correlation>,
    /// The smallest step along +e_max that changes the label.
    pub eta: Option<Correlation>,
    pub eta_ranks: Option<Correlation>,
}

/// Runs the experiment on `texts`: the first [`CALIBRATION_TEXTS`] calibrate the forecast, the rest are measured. There is
/// a label, or `None`, for every text.
pub fn fragility(
    model: &dyn WhiteBox,
    texts: &[NamedInput<'_>],
    labels: &[Option<usize>],
    vocabulary: &Vocabulary,
    options: &FragilityOptions,
) -> Result<Fragility> {
    let FragilityOptions { law, copies, seed } = *options;
    if texts.len() < 2 * CALIBRATION_TEXTS {
        return Err(Error::TooFewTexts { found: texts.len(), needed: 2 * CALIBRATION_TEXTS });
    }
    if texts.len() != labels.len() {
        return Err(Error::Labels { inputs: texts.len(), labels: labels.len() });
    }
    let (first, texts) = texts.split_at(CALIBRATION_TEXTS);
    let labels = &labels[CALIBRATION_TEXTS..];
    let forecaster = Forecaster::calibrated(model, vocabulary, law, first, seed)?;
    let inputs: Vec<Input<'_>> = texts.iter().map(|text| text.input).collect();
    let points = model.embed(&inputs)?;
    let surveys = survey(model, &points, Space::Tokens)?;
    let forecasts = forecaster.forecasts(texts, &points, &surveys)?;
    let directions: Vec<_> = surveys.iter().map(|survey| &survey.spectrum.e_max).collect();
    let steps = minimal_steps(model, &points, &directions, Space::Tokens, REACH)?;
    let edited = edited_answers(model, texts, vocabulary, &law, copies, seed)?;
    let log_lambda: Vec<f64> = surveys.iter().map(|survey| survey.spectrum.log_lambda_max).collect();
    let predicted: Vec<usize> = surveys.iter().map(|survey| survey.confidence.predicted).collect();
    let known = Known {
        texts,
        points: &points,
        directions: &directions,
        log_lambda: &log_lambda,
        labels,
        predicted: &predicted,
        edited: &edited,
    };
    let groups = groups(model, &known, seed)?;

    let mut measured = Vec::new();
    for (at, survey) in surveys.iter().enumerate() {
        let turned = edited[at].iter().filter(|after| **after != predicted[at]).count();
        let Some(forecast) = forecasts[at].filter(|_| !edited[at].is_empty()) else { continue };
        let p_flip = turned as f64 / edited[at].len() as f64;
        let confidence = &survey.confidence;
        let scores = [
            survey.spectrum.log_lambda_max,
            confidence.uncertainty(),
            -confidence.margin(),
            confidence.entropy(),
            -survey.distance(),
            forecast.probability,
        ];
        if scores.iter().all(|score| score.is_finite()) {
            measured.push(Measured { scores, margin: confidence.margin(), p_flip, eta: steps[at].eta_plus });
        }
    }
    let p_flips: Vec<f64> = measured.iter().map(|text| text.p_flip).collect();
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let censored: Vec<f64> = measured.iter().map(|text| f64::from(u8::from(text.eta.is_none()))).collect();
    Ok(Fragility {
        texts: measured.len(),
        copies,
        law,
        mean_p_flip: mean(&p_flips),
        censored: mean(&censored),
        calibration: forecaster.calibration,
        groups,
        points: measured.iter().map(Measured::point).collect(),
        scores: NAMES.iter().enumerate().map(|(number, name)| against(name, number, &measured)).collect(),
    })
}

const NAMES: [&str; 6] = ["log lambda_max", "1 - max p", "- margin", "entropy", "- distance", "flip forecast"];

/// What is known of one text.
struct Measured {
    scores: [f64; NAMES.len()],
    margin: f64,
    p_flip: f64,
    eta: Option<f64>,
}

impl Measured {
    fn point(&self) -> TextPoint {
        let [log_lambda_max, .., forecast] = self.scores;
        TextPoint { log_lambda_max, forecast, p_flip: self.p_flip, eta: self.eta }
    }
}

fn against(name: &'static str, number: usize, measured: &[Measured]) -> ScoreAgainst {
    let of = |take: fn(&Measured) -> f64| -> Vec<f64> { measured.iter().map(take).collect() };
    let scores: Vec<f64> = measured.iter().map(|text| text.scores[number]).collect();
    let (p_flip, margin) = (of(|text| text.p_flip), of(|text| text.margin));
    let (flipped, etas): (Vec<f64>, Vec<f64>) =
        measured.iter().filter_map(|text| Some((text.scores[number], text.eta?))).unzip();
    ScoreAgainst {
        score: name,
        p_flip: pearson(&scores, &p_flip),
        p_flip_ranks: spearman(&scores, &p_flip),
        p_flip_beyond_margin: partial(&scores, &p_flip, &margin),
        eta: pearson(&flipped, &etas),
        eta_ranks: spearman(&flipped, &etas),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two texts of ten whose p_flip a score orders perfectly, and a censored one that only eta leaves out.
    #[test]
    fn a_score_is_held_against_both_measures() {
        let text = |score: f64, p_flip: f64, eta: Option<f64>| Measured {
            scores: [score; NAMES.len()],
            margin: (p_flip * 7.0).sin(),
            p_flip,
            eta,
        };
        let measured =
            [text(1.0, 0.1, Some(3.0)), text(2.0, 0.2, Some(2.0)), text(3.0, 0.3, Some(1.0)), text(4.0, 0.4, None)];
        let found = against("x", 0, &measured);
        assert!((found.p_flip.unwrap().r - 1.0).abs() < 1e-12 && found.p_flip.unwrap().n == 4);
        assert!((found.eta.unwrap().r + 1.0).abs() < 1e-12 && found.eta.unwrap().n == 3);
        assert!((found.p_flip_beyond_margin.unwrap().r - 1.0).abs() < 1e-9);
    }
}
