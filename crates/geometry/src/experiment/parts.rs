//! The study of the forecast of a part: does it predict which answers the part flips, how many, and how much asking it saves?

use fissure_core::{Chain, Dice, Outcome, Sample};
use fissure_models::{Input, WhiteBox};
use fissure_statistics::{ClusteredPairs, ClusteredShare, Design, Estimate, pearson, spearman};
use rayon::prelude::*;
use serde::Serialize;

use crate::{
    CALIBRATION_TEXTS, Error, PartCalibration, PartForecaster, PartOutlook, Predicted, Result, Space, TextOutlook,
    input_of, survey,
};

/// Texts that the forecasts may be calibrated on, of which each part takes the first that it changes.
pub const CALIBRATION_POOL: usize = 4 * CALIBRATION_TEXTS;
/// Changed texts are answered in batches of this many.
const BATCH: usize = 256;
/// Parts that change fewer texts are left out: a correlation over a handful says nothing.
const FEWEST: usize = 30;

/// What was found for one model.
#[derive(Debug, Clone, Serialize)]
pub struct PartsReport {
    /// Texts that the calibration did not see.
    pub texts: usize,
    /// Changed copies of each.
    pub copies: usize,
    pub parts: Vec<PartReport>,
    /// Parts that change too few of the texts.
    pub left_out: Vec<String>,
}

/// What was found for one part.
#[derive(Debug, Clone, Serialize)]
pub struct PartReport {
    pub part: String,
    /// Texts that it changes.
    pub texts: usize,
    /// The share of answers that it flips: as predicted, by the calibrated margin alone, and as measured.
    pub predicted: Estimate,
    pub baseline: f64,
    pub flips: Estimate,
    /// The drop in accuracy, as predicted and as measured; `None` if too few texts have a label.
    pub predicted_drop: Option<Estimate>,
    pub drop: Option<Estimate>,
    pub scores: Vec<PartScore>,
    /// The Pearson correlation that the true shares of flips themselves would be expected to have with those counted: the shares
    /// are known from a few changed forms only. `None` if no text has two forms, or the shares differ by chance alone.
    pub ceiling: Option<f64>,
    /// Questions for the precision of asking about every text once, as a share of that: if the forecast decides whom to ask,
    /// and if 1 - max p does.
    pub questions: Option<f64>,
    pub questions_by_margin: Option<f64>,
    /// Questions for an interval of one point on either side, and the same without a forecast.
    pub for_one_point: Option<f64>,
    pub for_one_point_plain: f64,
    pub calibration: PartCalibration,
    /// Whether the forecast is a calibrated margin and no more.
    pub margin_only: bool,
}

/// How a score goes with the measured share of flips, over texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartScore {
    pub score: &'static str,
    pub pearson: Option<f64>,
    pub spearman: Option<f64>,
}

/// One text under one part.
struct Measured<'o> {
    outlook: &'o PartOutlook,
    text: &'o TextOutlook,
    log_lambda_max: f64,
    gold: Option<usize>,
    flips: usize,
    right: usize,
    copies: usize,
}

/// Runs the study: the first [`CALIBRATION_POOL`] texts calibrate, the rest are measured with `copies` changed forms each.
pub fn parts(
    model: &dyn WhiteBox,
    chains: &[Chain],
    texts: &[Sample],
    labels: &[Option<usize>],
    copies: usize,
    seed: u64,
) -> Result<PartsReport> {
    let needed = CALIBRATION_POOL + FEWEST;
    if texts.len() < needed {
        return Err(Error::TooFewTexts { found: texts.len(), needed });
    }
    if texts.len() != labels.len() {
        return Err(Error::Labels { inputs: texts.len(), labels: labels.len() });
    }
    let (first, rest) = texts.split_at(CALIBRATION_POOL);
    let labels = &labels[CALIBRATION_POOL..];
    let forecaster = PartForecaster::calibrated(model, chains, first, seed)?;
    let outlooks = forecaster.outlook(rest)?;
    let inputs: Vec<Input<'_>> = rest.iter().map(input_of).collect();
    let surveys = survey(model, &model.embed(&inputs)?, Space::Tokens)?;
    let mut report = PartsReport { texts: rest.len(), copies, parts: Vec::new(), left_out: Vec::new() };
    for (number, chain) in chains.iter().enumerate() {
        let answers = changed_answers(model, chain, rest, &outlooks, number, copies, seed)?;
        let measured: Vec<Measured<'_>> = outlooks
            .iter()
            .zip(&answers)
            .zip(labels)
            .zip(&surveys)
            .filter_map(|(((text, answers), gold), survey)| {
                let outlook = text.parts[number].as_ref().filter(|_| !answers.is_empty())?;
                Some(Measured {
                    outlook,
                    text,
                    log_lambda_max: survey.spectrum.log_lambda_max,
                    gold: *gold,
                    flips: answers.iter().filter(|answer| **answer != text.confidence.predicted).count(),
                    right: answers.iter().filter(|answer| Some(**answer) == *gold).count(),
                    copies: answers.len(),
                })
            })
            .collect();
        match &forecaster.calibrations[number] {
            Some(calibration) if measured.len() >= FEWEST => {
                report.parts.extend(part_report(calibration, &measured));
            }
            _ => report.left_out.push(chain.name().to_owned()),
        }
    }
    Ok(report)
}

/// The classes that changed copies of each text are given; none for a text that is not changed.
fn changed_answers(
    model: &dyn WhiteBox,
    chain: &Chain,
    texts: &[Sample],
    outlooks: &[TextOutlook],
    number: usize,
    copies: usize,
    seed: u64,
) -> Result<Vec<Vec<usize>>> {
    // Other dice than those of the forecast.
    let seed = Dice::new(seed, &["parts", "measured"]).bits();
    let mut answers: Vec<Vec<usize>> = vec![Vec::new(); texts.len()];
    let at: Vec<usize> = (0..texts.len()).filter(|at| outlooks[*at].parts[number].is_some()).collect();
    for some in at.chunks(BATCH.div_ceil(copies.max(1)).max(1)) {
        let changed = |at: &usize| -> Vec<(usize, Sample)> {
            let copy = |copy| match chain.run(&texts[*at], seed, copy) {
                Outcome::Changed(variant) => Some((*at, variant.sample)),
                _ => None,
            };
            (0..copies).filter_map(copy).collect()
        };
        let batch: Vec<(usize, Sample)> = some.par_iter().flat_map_iter(changed).collect();
        let inputs: Vec<Input<'_>> = batch.iter().map(|(_, sample)| input_of(sample)).collect();
        for ((at, _), answer) in batch.iter().zip(model.answer(&inputs)?) {
            answers[*at].push(answer.predicted);
        }
    }
    Ok(answers)
}

fn part_report(calibration: &PartCalibration, measured: &[Measured<'_>]) -> Option<PartReport> {
    let count = measured.len() as f64;
    let mean = |value: &dyn Fn(&Measured<'_>) -> f64| measured.iter().map(value).sum::<f64>() / count;
    let mut share = ClusteredShare::default();
    measured.iter().for_each(|text| share.add(text.flips, text.copies));
    let p_flip: Vec<f64> = measured.iter().map(|text| text.flips as f64 / text.copies as f64).collect();
    let counts: Vec<(usize, usize)> = measured.iter().map(|text| (text.flips, text.copies)).collect();
    let score = |score, value: &dyn Fn(&Measured<'_>) -> f64| {
        let values: Vec<f64> = measured.iter().map(value).collect();
        PartScore {
            score,
            pearson: pearson(&values, &p_flip).map(|found| found.r),
            spearman: spearman(&values, &p_flip).map(|found| found.r),
        }
    };
    let scores = vec![
        score("forecast", &|text| text.outlook.forecast.probability),
        score("calibrated margin", &|text| text.outlook.baseline),
        score("1 - max p", &|text| text.text.confidence.uncertainty()),
        score("- margin", &|text| -text.text.confidence.margin()),
        score("log lambda_max", &|text| text.log_lambda_max.max(-1e3)),
    ];
    let mut predicted = Predicted::default();
    for text in measured {
        let right = text.gold.map(|gold| (gold, text.text.confidence.predicted == gold));
        predicted.add(text.outlook, right);
    }
    let plan = |forecast: &dyn Fn(&Measured<'_>) -> f64| Savings::new(measured, forecast);
    let by_forecast = plan(&|text| text.outlook.forecast.probability);
    let variance = mean(&|text| {
        let p = text.flips as f64 / text.copies as f64;
        p * (1.0 - p) * text.copies as f64 / (text.copies as f64 - 1.0).max(1.0)
    });
    let one_point = (0.01f64 / 1.959_964).powi(2);
    Some(PartReport {
        part: calibration.part.clone(),
        texts: measured.len(),
        predicted: predicted.flips()?,
        baseline: predicted.baseline()?,
        flips: share.estimate()?,
        predicted_drop: predicted.drop(),
        drop: drop(measured),
        scores,
        ceiling: ceiling(&counts),
        questions: by_forecast.for_variance(variance / count).map(|questions| questions / count),
        questions_by_margin: plan(&|text| text.outlook.baseline)
            .for_variance(variance / count)
            .map(|questions| questions / count),
        for_one_point: by_forecast.for_variance(one_point),
        for_one_point_plain: variance / one_point,
        margin_only: calibration.is_margin_only(),
        calibration: calibration.clone(),
    })
}

/// The correlation of counted shares with the true ones: the square root of the part of their variance that is not chance.
/// `counts` are hits and trials; a text with fewer than two trials says nothing about chance and is left out.
fn ceiling(counts: &[(usize, usize)]) -> Option<f64> {
    let known: Vec<(f64, f64)> = counts
        .iter()
        .filter(|(_, trials)| *trials > 1)
        .map(|(hits, trials)| (*hits as f64 / *trials as f64, *trials as f64))
        .collect();
    let number = known.len() as f64;
    let mean = known.iter().map(|(share, _)| share).sum::<f64>() / number;
    let variance = known.iter().map(|(share, _)| (share - mean).powi(2)).sum::<f64>() / (number - 1.0);
    let chance = known.iter().map(|(share, trials)| share * (1.0 - share) / (trials - 1.0)).sum::<f64>() / number;
    (known.len() > 1 && variance > chance).then(|| (1.0 - chance / variance).sqrt())
}

/// The measured drop in accuracy over the texts with a label.
fn drop(measured: &[Measured<'_>]) -> Option<Estimate> {
    let mut pairs = ClusteredPairs::default();
    for text in measured {
        let Some(gold) = text.gold else { continue };
        let was = text.text.confidence.predicted == gold;
        let (broken, fixed) = if was { (text.copies - text.right, 0) } else { (0, text.right) };
        pairs.add(broken, fixed, text.copies);
    }
    pairs.estimate().filter(|_| pairs.clusters() >= FEWEST)
}

/// How many questions a design needs, by what was measured of every text.
struct Savings {
    /// (weight of the design, variance of one answer, squared miss of the forecast).
    texts: Vec<(f64, f64, f64)>,
}

impl Savings {
    fn new(measured: &[Measured<'_>], forecast: &dyn Fn(&Measured<'_>) -> f64) -> Self {
        let text = |text: &Measured<'_>| {
            let (f, copies) = (forecast(text), text.copies as f64);
            let p = text.flips as f64 / copies;
            let each = p * (1.0 - p) * copies / (copies - 1.0).max(1.0);
            (Design::weight(f), each, ((p - f).powi(2) - each / copies).max(0.0))
        };
        Self { texts: measured.iter().map(text).collect() }
    }

    /// The variance of the difference estimator if `questions` are expected to be asked.
    fn variance(&self, questions: f64) -> f64 {
        let scale = questions / self.texts.iter().map(|text| text.0).sum::<f64>();
        let each = |(weight, variance, miss): &(f64, f64, f64)| {
            let expected = scale * weight;
            let fraction = expected - expected.floor();
            variance / expected + fraction * (1.0 - fraction) * miss / (expected * expected)
        };
        self.texts.iter().map(each).sum::<f64>() / (self.texts.len() as f64).powi(2)
    }

    /// The fewest expected questions for a variance; `None` if ten for each text are not enough.
    fn for_variance(&self, wanted: f64) -> Option<f64> {
        let most = 10.0 * self.texts.len() as f64;
        if wanted <= 0.0 || self.variance(most) > wanted {
            return None;
        }
        let (mut low, mut high) = (most * 1e-4, most);
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            if self.variance(middle) > wanted { low = middle } else { high = middle }
        }
        Some(high)
    }
}

#[cfg(test)]
mod tests {
    use fissure_core::Dice;
    use fissure_statistics::pearson;

    use super::ceiling;

    #[test]
    fn the_ceiling_is_the_correlation_of_counts_with_the_truth() {
        let mut dice = Dice::new(2, &["ceiling"]);
        for trials in [5, 10, 60] {
            // Most texts never flip, as in a real run.
            let truth: Vec<f64> = (0..4000).map(|_| (1.5 * dice.unit() - 1.0).max(0.0)).collect();
            let counts: Vec<(usize, usize)> =
                truth.iter().map(|p| ((0..trials).filter(|_| dice.chance(*p)).count(), trials)).collect();
            let shares: Vec<f64> = counts.iter().map(|(hits, trials)| *hits as f64 / *trials as f64).collect();
            let (found, wanted) = (ceiling(&counts).unwrap(), pearson(&truth, &shares).unwrap().r);
            assert!((found - wanted).abs() < 0.015, "{trials} trials: {found} against {wanted}");
        }
    }

    #[test]
    fn no_ceiling_without_a_difference_between_texts() {
        assert_eq!(ceiling(&[(0, 9); 40]), None);
        assert_eq!(ceiling(&[(1, 1), (0, 1), (1, 1)]), None);
        // Every text was asked twice and half of the answers flipped: chance alone would make more of a difference.
        assert_eq!(ceiling(&[(1, 2); 40]), None);
        // Shares of 0 and 1 only: nothing is left to chance.
        assert_eq!(ceiling(&[(0, 9), (9, 9), (0, 9), (9, 9)]), Some(1.0));
    }
}
