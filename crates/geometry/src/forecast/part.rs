//! The forecast of a part: the probability that its changes flip the answer to a text, from one gradient shared by all parts.
//!
//! Which edits a part makes is its [law](fissure_core::Law); a part without one, or a chain, is drawn [`DRAWS`] times instead.
//! Either way no changed text is asked: new words are looked up in the model's table and priced along the gradient. The model
//! is asked about changed texts only while calibrating.

use std::collections::BTreeMap;

use fissure_core::{Chain, Dice, Draws, Edit, Outcome, Sample, Span, TrailEdit};
use fissure_models::{Embedded, Input, WhiteBox};
use rayon::prelude::*;
use serde::Serialize;

use super::edit_line::{EditLine, Pricing};
use super::exact::ExactModel;
use super::fit::Observed;
use super::part_calibration::PartCalibration;
use super::readings::Readings;
use super::surrogate::Shift;
use super::{CALIBRATION_COPIES, CALIBRATION_TEXTS, Forecast};
use crate::survey::{Survey, survey};
use crate::{Confidence, Result, Space, input_of};

/// What may happen at a place is drawn this many times.
pub(super) const OUTCOMES: usize = 6;
/// A part without a law is drawn this many times.
const DRAWS: usize = 48;
/// The places of a law are drawn this many times, which costs a few additions each.
const SUMS: usize = 128;
/// Words that are named as a threat, at most.
const THREATS: usize = 3;
/// Changed texts are asked in batches of this many.
const BATCH: usize = 256;

/// The forecasts of several parts for one model.
#[derive(Debug)]
pub struct PartForecaster<'a> {
    model: &'a dyn WhiteBox,
    chains: Vec<&'a Chain>,
    readings: Readings<'a>,
    exact: Option<ExactModel<'a>>,
    /// One for each chain; `None` if it changed no text that it could be calibrated on.
    pub calibrations: Vec<Option<PartCalibration>>,
    seed: u64,
}

/// What the forecasts know of a text.
#[derive(Debug, Clone)]
pub struct TextOutlook {
    pub confidence: Confidence,
    pub log_lambda_max: f64,
    /// One for each chain; `None` if it would not change the text, or was not calibrated.
    pub parts: Vec<Option<PartOutlook>>,
}

/// What a part would do to one answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartOutlook {
    pub forecast: Forecast,
    /// The probability of each class after the change.
    pub becomes: Vec<f64>,
    /// The probability of a flip by the calibrated margin alone.
    pub baseline: f64,
    /// The words whose change would do most, the worst first.
    pub threats: Vec<Threat>,
    /// What calibrations on other texts would have said.
    #[serde(skip)]
    pub replicates: Vec<f64>,
}

/// An edit that moves the answer towards another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Threat {
    pub field: usize,
    pub start: usize,
    pub end: usize,
    pub old: String,
    pub new: String,
    /// The shift of the margin to the class that most threatens the answer, to first order; below 0 it falls.
    pub shift: f64,
}

/// What a part does to a text, to first order.
struct Priced {
    shifts: Vec<Shift>,
    /// (edits, shift of every margin) of what may happen.
    outcomes: Vec<(Vec<Edit>, Vec<f64>)>,
    /// Whole edits as the part draws them: the shift of every margin.
    draws: Vec<Vec<f64>>,
    /// How a drawn text is priced to be comparable.
    pricing: Pricing,
}

impl<'a> PartForecaster<'a> {
    /// Calibrates each chain on the first of `texts` that it changes, [`CALIBRATION_TEXTS`] of them at most.
    pub fn calibrated(
        model: &'a dyn WhiteBox,
        chains: impl IntoIterator<Item = &'a Chain>,
        texts: &[Sample],
        seed: u64,
    ) -> Result<Self> {
        let mut forecaster = Self::with_calibrations(model, chains, Vec::new(), seed);
        let inputs: Vec<Input<'_>> = texts.iter().map(input_of).collect();
        let points = model.embed(&inputs)?;
        let surveys = survey(model, &points, Space::Tokens)?;
        for chain in forecaster.chains.clone() {
            let observed = forecaster.observe(chain, texts, &points, &surveys)?;
            forecaster.calibrations.push(PartCalibration::new(chain.name(), &observed, seed));
        }
        Ok(forecaster)
    }

    /// With what was learned before about the same model and chains.
    pub fn with_calibrations(
        model: &'a dyn WhiteBox,
        chains: impl IntoIterator<Item = &'a Chain>,
        calibrations: Vec<Option<PartCalibration>>,
        seed: u64,
    ) -> Self {
        let chains = chains.into_iter().collect();
        Self { model, chains, readings: Readings::new(model), exact: ExactModel::of(model), calibrations, seed }
    }

    /// The names of the chains.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.chains.iter().map(|chain| chain.name())
    }

    /// The probability that each chain flips the answer to a text, for those that would change it.
    pub fn by_name(&self, text: &TextOutlook) -> BTreeMap<String, f64> {
        let known = self.names().zip(&text.parts);
        known.filter_map(|(name, part)| Some((name.to_owned(), part.as_ref()?.forecast.probability))).collect()
    }

    /// The forecasts for each text.
    pub fn outlook(&self, texts: &[Sample]) -> Result<Vec<TextOutlook>> {
        let inputs: Vec<Input<'_>> = texts.iter().map(input_of).collect();
        let points = self.model.embed(&inputs)?;
        let surveys = survey(self.model, &points, Space::Tokens)?;
        (0..texts.len())
            .into_par_iter()
            .map(|at| {
                let survey = &surveys[at];
                let line = self.line(inputs[at], &points[at], survey);
                let parts = self.chains.iter().zip(&self.calibrations);
                let parts = parts.map(|(chain, calibration)| match calibration {
                    Some(calibration) => Ok(self
                        .price(chain, &texts[at], &line)?
                        .and_then(|it| it.outlook(calibration, survey, &texts[at]))),
                    None => Ok(None),
                });
                Ok(TextOutlook {
                    confidence: survey.confidence.clone(),
                    log_lambda_max: survey.spectrum.log_lambda_max,
                    parts: parts.collect::<Result<_>>()?,
                })
            })
            .collect()
    }

    fn line<'t>(&'t self, input: Input<'t>, point: &Embedded, survey: &Survey) -> EditLine<'t> {
        EditLine::new(input, point, survey, self.exact.as_ref())
    }

    /// What a chain does to a text; `None` if it changes nothing.
    fn price(&self, chain: &Chain, text: &Sample, line: &EditLine<'_>) -> Result<Option<Priced>> {
        let mut draws = Draws { each: OUTCOMES, dice: Dice::new(self.seed, &["forecast", chain.name(), &text.id]) };
        match chain.law(text, &mut draws) {
            Some(law) if law.is_empty() => Ok(None),
            Some(law) => {
                let drawings = law.drawings.iter().filter(|drawing| drawing.taken > 0);
                let places: Vec<_> = drawings.clone().flat_map(|drawing| &drawing.places).collect();
                let lists: Vec<&[Edit]> =
                    places.iter().flat_map(|place| place.outcomes.iter().map(|outcome| &outcome.edits[..])).collect();
                let priced = line.shifts(&lists, Pricing::Together, &self.readings)?;
                let mut shifts: Vec<Shift> = still(line);
                let mut draws = vec![vec![0.0; shifts.len()]; SUMS];
                let mut next = priced.iter();
                let mut dice = Dice::new(self.seed, &["forecast", "sums", chain.name(), &text.id]);
                for drawing in drawings {
                    let places: Vec<Vec<(f64, &Vec<f64>)>> = drawing
                        .places
                        .iter()
                        .map(|place| place.outcomes.iter().map(|one| one.chance).zip(next.by_ref()).collect())
                        .collect();
                    for (rival, shift) in shifts.iter_mut().enumerate() {
                        add_drawing(shift, rival, &places, drawing.taken);
                    }
                    draws.iter_mut().for_each(|draw| add_drawn(draw, &places, drawing.taken, &mut dice));
                }
                let outcomes = lists.into_iter().map(<[Edit]>::to_vec).zip(priced.iter().cloned()).collect();
                Ok(Some(Priced { shifts, outcomes, draws, pricing: Pricing::Apart }))
            }
            None => {
                let lists: Vec<Vec<Edit>> =
                    self.drawn(chain, text, "draws", DRAWS).into_iter().map(|(edits, _)| edits).collect();
                if lists.is_empty() {
                    return Ok(None);
                }
                let priced = line.shifts(
                    &lists.iter().map(Vec::as_slice).collect::<Vec<_>>(),
                    Pricing::Together,
                    &self.readings,
                )?;
                let mut shifts = still(line);
                for (rival, shift) in shifts.iter_mut().enumerate() {
                    let even: Vec<(f64, &Vec<f64>)> =
                        priced.iter().map(|one| (1.0 / priced.len() as f64, one)).collect();
                    add_drawing(shift, rival, &[even], 1);
                }
                let draws = priced.clone();
                let outcomes = lists.into_iter().zip(priced).collect();
                Ok(Some(Priced { shifts, outcomes, draws, pricing: Pricing::Together }))
            }
        }
    }

    /// The chain drawn several times: its edits and what they made.
    fn drawn(&self, chain: &Chain, text: &Sample, purpose: &str, times: usize) -> Vec<(Vec<Edit>, Sample)> {
        let seed = Dice::new(self.seed, &["forecast", purpose]).bits();
        let changed = |number| match chain.run(text, seed, number) {
            Outcome::Changed(variant) => Some((edits_of(text, &variant.trail.edits), variant.sample)),
            _ => None,
        };
        let mut drawn: Vec<_> = (0..times.min(8)).filter_map(changed).collect();
        // What is not changed by eight throws of the dice is hardly ever changed.
        if !drawn.is_empty() {
            drawn.extend((8..times.max(8)).filter_map(changed));
        }
        drawn
    }

    /// Texts that the chain changes, with changed copies that the model is asked about.
    fn observe(
        &self,
        chain: &Chain,
        texts: &[Sample],
        points: &[Embedded],
        surveys: &[Survey],
    ) -> Result<Vec<Observed>> {
        let mut all = Vec::new();
        let mut copies: Vec<(usize, Sample)> = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            if all.len() == CALIBRATION_TEXTS {
                break;
            }
            let drawn = self.drawn(chain, text, "calibration", CALIBRATION_COPIES);
            let line = self.line(input_of(text), &points[at], &surveys[at]);
            let Some(priced) = self.price(chain, text, &line)?.filter(|_| !drawn.is_empty()) else { continue };
            let lists: Vec<&[Edit]> = drawn.iter().map(|(edits, _)| edits.as_slice()).collect();
            let after = |shift: Vec<f64>| line.margins().zip(shift).map(|(margin, shift)| margin + shift).collect();
            let linear = line.shifts(&lists, priced.pricing, &self.readings)?.into_iter().map(after).collect();
            copies.extend(drawn.into_iter().map(|(_, changed)| (all.len(), changed)));
            all.push((at, Observed { shifts: priced.shifts, linear, margins: Vec::new() }));
        }
        for batch in copies.chunks(BATCH) {
            let inputs: Vec<Input<'_>> = batch.iter().map(|(_, changed)| input_of(changed)).collect();
            let logits = self.model.logits_at(&self.model.embed(&inputs)?)?;
            for ((number, _), logits) in batch.iter().zip(logits) {
                let (at, observed) = &mut all[*number];
                let survey = &surveys[*at];
                let of = |class: usize| f64::from(logits[survey.confidence.predicted]) - f64::from(logits[class]);
                observed.margins.push(survey.rivals.iter().map(|rival| of(rival.class)).collect());
            }
        }
        Ok(all.into_iter().map(|(_, observed)| observed).collect())
    }
}

impl Priced {
    fn outlook(self, calibration: &PartCalibration, survey: &Survey, text: &Sample) -> Option<PartOutlook> {
        let (forecast, each) = calibration.forecast(&self.shifts, &self.draws)?;
        let mut becomes = vec![0.0; survey.confidence.classes()];
        becomes[survey.confidence.predicted] = 1.0 - forecast.probability;
        survey.rivals.iter().zip(&each).for_each(|(rival, probability)| becomes[rival.class] = *probability);
        let rival = (0..each.len()).max_by(|a, b| each[*a].total_cmp(&each[*b]))?;
        Some(PartOutlook {
            forecast,
            becomes,
            baseline: calibration.baseline(&self.shifts)?,
            replicates: calibration.replicated(&self.shifts).collect(),
            threats: self.threats(rival, text),
        })
    }

    /// The outcomes that lower a margin most, each place once.
    fn threats(&self, rival: usize, text: &Sample) -> Vec<Threat> {
        let mut ranked: Vec<&(Vec<Edit>, Vec<f64>)> =
            self.outcomes.iter().filter(|(edits, shifts)| !edits.is_empty() && shifts[rival] < 0.0).collect();
        ranked.sort_by(|a, b| a.1[rival].total_cmp(&b.1[rival]));
        let mut threats: Vec<Threat> = Vec::new();
        for (edits, shifts) in ranked {
            let Edit { field, span: Span { start, end }, with, .. } = &edits[0];
            let Some(old) = text.fields.get(*field).and_then(|text| text.text.get(*start..*end)) else { continue };
            if threats.len() < THREATS && !threats.iter().any(|known| (known.field, known.start) == (*field, *start)) {
                let (old, new) = (old.to_owned(), with.clone());
                threats.push(Threat { field: *field, start: *start, end: *end, old, new, shift: shifts[rival] });
            }
        }
        threats
    }
}

/// The margins of a text that nothing happens to.
fn still(line: &EditLine<'_>) -> Vec<Shift> {
    line.margins().map(|margin| Shift { margin, mean: 0.0, variance: 0.0 }).collect()
}

/// Adds the moments of a drawing: `taken` of the places without replacement, at each an outcome by its chance.
fn add_drawing(shift: &mut Shift, rival: usize, places: &[Vec<(f64, &Vec<f64>)>], taken: usize) {
    let (n, k) = (places.len() as f64, taken as f64);
    let (mut sum, mut squares, mut within) = (0.0, 0.0, 0.0);
    for outcomes in places {
        let mean: f64 = outcomes.iter().map(|(chance, shifts)| chance * shifts[rival]).sum();
        within += outcomes.iter().map(|(chance, shifts)| chance * (shifts[rival] - mean).powi(2)).sum::<f64>();
        sum += mean;
        squares += mean * mean;
    }
    let mean = sum / n;
    let between = (squares / n - mean * mean).max(0.0);
    shift.mean += k * mean;
    shift.variance += k * within / n + k * (n - k) / (n - 1.0).max(1.0) * between;
}

/// Adds one drawing as it falls: `taken` of the places, at each an outcome by its chance.
fn add_drawn(sum: &mut [f64], places: &[Vec<(f64, &Vec<f64>)>], taken: usize, dice: &mut Dice) {
    for place in dice.choose(places.len(), taken) {
        let mut left = dice.unit();
        let outcome = places[place].iter().find(|(chance, _)| {
            left -= chance;
            left < 0.0
        });
        // Chances that add up to a little less than 1 leave the last one.
        if let Some((_, shifts)) = outcome.or(places[place].last()) {
            sum.iter_mut().zip(*shifts).for_each(|(sum, shift)| *sum += shift);
        }
    }
}

/// The edits of a trail.
fn edits_of(text: &Sample, edits: &[TrailEdit]) -> Vec<Edit> {
    let edit = |edit: &TrailEdit| {
        let field = text.fields.iter().position(|field| field.name == edit.field)?;
        Some(Edit::replace(edit.start..edit.end, edit.new.as_str()).on(field))
    };
    edits.iter().filter_map(edit).collect()
}
