//! The forecast of a part: the probability that its changes flip the answer to a text, from one gradient shared by all parts.
//!
//! Which edits a part makes is its [law](fissure_core::Law); a part without one, or a chain, is drawn [`DRAWS`] times instead.
//! Either way no changed text is asked: new words are looked up in the model's table and priced along the gradient. The model
//! is asked about changed texts only while calibrating.

use std::collections::BTreeMap;

use fissure_core::{Chain, Dice, Draws, Edit, Outcome, Sample, Span, TrailEdit};
use fissure_models::{Embedded, Input, WhiteBox};
use fissure_statistics::Estimate;
use rayon::prelude::*;
use serde::Serialize;

use super::blend::{Blend, Price};
use super::edit_line::{EditLine, Pricing};
use super::exact::ExactModel;
use super::fit::Observed;
use super::part_calibration::PartCalibration;
use super::quote::{Priced, Quote};
use super::readings::Readings;
use super::{CALIBRATION_COPIES, CALIBRATION_TEXTS, Forecast};
use crate::survey::{Decision, RivalsFn, decide, strongest};
use crate::{Confidence, Result, input_of};

/// What may happen at a place is drawn this many times.
pub(super) const OUTCOMES: usize = 6;
/// A part without a law is drawn this many times.
const DRAWS: usize = 48;
/// Words that are named as a threat, at most.
const THREATS: usize = 3;
/// Of this many of the worst outcomes that have several edits, each edit is looked at by itself, and this many edits at most.
const WORST: usize = 4;
const PRICED_APART: usize = 32;
/// Changed texts are asked in batches of this many.
const BATCH: usize = 256;
/// A rival, other than the nearest, whose margin is more than this many times the root mean square of the shifts seen while
/// calibrating gets no backward pass: the changes do not reach it.
const FAR: f64 = 6.0;

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
    pause: Pause<'a>,
}

/// What is called between two pieces of the work, from any thread; it may unwind.
#[derive(Clone, Copy)]
struct Pause<'a>(&'a (dyn Fn() + Sync));

impl std::fmt::Debug for Pause<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pause")
    }
}

/// What the forecasts know of a text.
#[derive(Debug, Clone)]
pub struct TextOutlook {
    pub confidence: Confidence,
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
    /// The share of the calibration's copies that flipped, if the forecast is no more than a calibrated margin.
    #[serde(skip)]
    pub seen: Option<Estimate>,
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

/// A text with changed copies that the model is asked about.
struct Copied {
    at: usize,
    quote: Quote,
    /// For each copy the price of every margin.
    prices: Vec<Vec<Price>>,
    /// The margins now, and those of each copy.
    before: Vec<f64>,
    margins: Vec<Vec<f64>>,
}

impl<'a> PartForecaster<'a> {
    /// Calibrates each chain on the first of `texts` that it changes, [`CALIBRATION_TEXTS`] of them at most.
    pub fn calibrated(
        model: &'a dyn WhiteBox,
        chains: impl IntoIterator<Item = &'a Chain>,
        texts: &[Sample],
        seed: u64,
    ) -> Result<Self> {
        Self::with_calibrations(model, chains, Vec::new(), seed).calibrate(texts)
    }

    /// The same, with something to be called between two pieces of the work, then and later: whoever waits for it may want it
    /// to stop.
    pub fn calibrated_with_pauses(
        model: &'a dyn WhiteBox,
        chains: impl IntoIterator<Item = &'a Chain>,
        texts: &[Sample],
        seed: u64,
        pause: &'a (dyn Fn() + Sync),
    ) -> Result<Self> {
        let forecaster = Self::with_calibrations(model, chains, Vec::new(), seed);
        Self { pause: Pause(pause), ..forecaster }.calibrate(texts)
    }

    fn calibrate(self, texts: &[Sample]) -> Result<Self> {
        let (model, seed) = (self.model, self.seed);
        let mut forecaster = self;
        let inputs: Vec<Input<'_>> = texts.iter().map(input_of).collect();
        let points = model.embed(&inputs)?;
        let decisions = forecaster.decisions(&points, &strongest)?;
        for chain in forecaster.chains.clone() {
            let (blend, observed) = forecaster.observe(chain, texts, &points, &decisions)?;
            forecaster.calibrations.push(PartCalibration::new(chain.name(), blend, &observed, seed));
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
        Self {
            model,
            chains,
            readings: Readings::new(model),
            exact: ExactModel::of(model),
            calibrations,
            seed,
            pause: Pause(&|| ()),
        }
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
        let near = self.nearness();
        let decisions = self.decisions(&points, &|confidence| near_rivals(confidence, near))?;
        (0..texts.len())
            .into_par_iter()
            .map(|at| {
                let decision = &decisions[at];
                let line = self.line(inputs[at], &points[at], decision);
                let parts = self.chains.iter().zip(&self.calibrations);
                let parts = parts.map(|(chain, calibration)| match calibration {
                    Some(calibration) => {
                        (self.pause.0)();
                        let Some(quote) = self.quote(chain, &texts[at], &line)? else { return Ok(None) };
                        let mut dice = Dice::new(self.seed, &["forecast", "sums", chain.name(), &texts[at].id]);
                        let priced = quote.priced(calibration.blend, line.margins(), &mut dice);
                        let Some((mut outlook, rival)) = outlook(&priced, calibration, decision) else {
                            return Ok(None);
                        };
                        outlook.threats = self.threats(&priced, calibration.blend, rival, &texts[at], &line)?;
                        Ok(Some(outlook))
                    }
                    None => Ok(None),
                });
                Ok(TextOutlook { confidence: decision.confidence.clone(), parts: parts.collect::<Result<_>>()? })
            })
            .collect()
    }

    fn line<'t>(&'t self, input: Input<'t>, point: &Embedded, decision: &Decision) -> EditLine<'t> {
        EditLine::new(input, point, decision, self.exact.as_ref())
    }

    /// What the model decides, with slopes towards the rivals that are `wanted` if it needs any.
    fn decisions(&self, points: &[Embedded], wanted: &RivalsFn<'_>) -> Result<Vec<Decision>> {
        match &self.exact {
            Some(_) => Decision::without_slopes(self.model, points),
            None => decide(self.model, points, wanted),
        }
    }

    /// Margins above this are out of reach: [`FAR`] times the size of the shifts that were observed.
    fn nearness(&self) -> f64 {
        let variances = self.calibrations.iter().flatten().map(|calibration| calibration.margin_variance);
        FAR * variances.fold(0.0, f64::max).sqrt()
    }

    /// What a chain does to a text; `None` if it changes nothing.
    fn quote(&self, chain: &Chain, text: &Sample, line: &EditLine<'_>) -> Result<Option<Quote>> {
        let mut draws = Draws { each: OUTCOMES, dice: Dice::new(self.seed, &["forecast", chain.name(), &text.id]) };
        match chain.law(text, &mut draws) {
            Some(law) if law.is_empty() => Ok(None),
            Some(law) => Quote::of_law(law, line, &self.readings).map(Some),
            None => {
                let lists: Vec<Vec<Edit>> =
                    self.drawn(chain, text, "draws", DRAWS).into_iter().map(|(edits, _)| edits).collect();
                if lists.is_empty() { Ok(None) } else { Quote::of_draws(lists, line, &self.readings).map(Some) }
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

    /// The edits that lower a margin most, each place once.
    fn threats(
        &self,
        priced: &Priced<'_>,
        blend: Blend,
        rival: usize,
        text: &Sample,
        line: &EditLine<'_>,
    ) -> Result<Vec<Threat>> {
        let mut ranked: Vec<(&[Edit], f64)> = priced
            .outcomes()
            .map(|(edits, shifts)| (edits, shifts[rival]))
            .filter(|(edits, shift)| !edits.is_empty() && *shift < 0.0)
            .collect();
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        // What several edits do together says nothing of each: those of the worst outcomes are priced one by one.
        let mut each: Vec<&Edit> = Vec::new();
        for edit in ranked.iter().filter(|(edits, _)| edits.len() > 1).take(WORST).flat_map(|(edits, _)| *edits) {
            if each.len() < PRICED_APART && !each.contains(&edit) {
                each.push(edit);
            }
        }
        let lists: Vec<&[Edit]> = each.iter().map(|edit| std::slice::from_ref(*edit)).collect();
        let prices = line.prices(&lists, Pricing::Together, &self.readings)?;
        let alone = ranked.iter().filter_map(|(edits, shift)| match edits {
            [edit] => Some((edit, *shift)),
            _ => None,
        });
        let apart = each.iter().zip(&prices).map(|(edit, prices)| (*edit, blend.shift(prices[rival])));
        let mut edits: Vec<(&Edit, f64)> = alone.chain(apart).filter(|(_, shift)| *shift < 0.0).collect();
        edits.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut threats: Vec<Threat> = Vec::new();
        for (Edit { field, span: Span { start, end }, with, .. }, shift) in edits {
            let Some(old) = text.fields.get(*field).and_then(|text| text.text.get(*start..*end)) else { continue };
            if threats.len() < THREATS && !threats.iter().any(|known| (known.field, known.start) == (*field, *start)) {
                let (old, new) = (old.to_owned(), with.clone());
                threats.push(Threat { field: *field, start: *start, end: *end, old, new, shift });
            }
        }
        Ok(threats)
    }

    /// Texts that the chain changes, with changed copies that the model is asked about, and what these say about the prices.
    fn observe(
        &self,
        chain: &Chain,
        texts: &[Sample],
        points: &[Embedded],
        decisions: &[Decision],
    ) -> Result<(Blend, Vec<Observed>)> {
        let mut all: Vec<Copied> = Vec::new();
        let mut copies: Vec<(usize, Sample)> = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            if all.len() == CALIBRATION_TEXTS {
                break;
            }
            (self.pause.0)();
            let drawn = self.drawn(chain, text, "calibration", CALIBRATION_COPIES);
            let line = self.line(input_of(text), &points[at], &decisions[at]);
            let Some(quote) = self.quote(chain, text, &line)?.filter(|_| !drawn.is_empty()) else { continue };
            let lists: Vec<&[Edit]> = drawn.iter().map(|(edits, _)| edits.as_slice()).collect();
            let prices = line.prices(&lists, quote.pricing, &self.readings)?;
            copies.extend(drawn.into_iter().map(|(_, changed)| (all.len(), changed)));
            all.push(Copied { at, quote, prices, before: line.margins().collect(), margins: Vec::new() });
        }
        for batch in copies.chunks(BATCH) {
            (self.pause.0)();
            let inputs: Vec<Input<'_>> = batch.iter().map(|(_, changed)| input_of(changed)).collect();
            let logits = self.model.logits_at(&self.model.embed(&inputs)?)?;
            for ((number, _), logits) in batch.iter().zip(logits) {
                let copied = &mut all[*number];
                let Decision { confidence, rivals } = &decisions[copied.at];
                let of = |class: usize| f64::from(logits[confidence.predicted]) - f64::from(logits[class]);
                copied.margins.push(rivals.iter().map(|rival| of(rival.class)).collect());
            }
        }
        let blend = Blend::fit(&all.iter().flat_map(Copied::observed).collect::<Vec<_>>());
        Ok((blend, all.into_iter().map(|copied| copied.under(blend)).collect()))
    }
}

impl Copied {
    /// The price of each copy for each margin, and how far the margin moved.
    fn observed(&self) -> impl Iterator<Item = (Price, f64)> + '_ {
        self.prices.iter().zip(&self.margins).flat_map(|(prices, margins)| {
            let shifts = margins.iter().zip(&self.before).map(|(after, before)| after - before);
            prices.iter().copied().zip(shifts)
        })
    }

    fn under(self, blend: Blend) -> Observed {
        let after = |prices: &Vec<Price>| {
            self.before.iter().zip(prices).map(|(margin, price)| margin + blend.shift(*price)).collect()
        };
        let linear = self.prices.iter().map(after).collect();
        let shifts = self.quote.shifts(blend, self.before.iter().copied());
        Observed { shifts, linear, margins: self.margins }
    }
}

/// The nearest rival, and the others within reach.
fn near_rivals(confidence: &Confidence, near: f64) -> Vec<usize> {
    let mut rivals = strongest(confidence);
    let within = rivals.iter().filter(|rival| confidence.margin_to(**rival) <= near).count();
    rivals.truncate(within.max(1));
    rivals
}

/// What a part would do, but for its threats, and the rival that threatens the answer most.
fn outlook(priced: &Priced<'_>, calibration: &PartCalibration, decision: &Decision) -> Option<(PartOutlook, usize)> {
    let Decision { confidence, rivals } = decision;
    let (forecast, each) = calibration.forecast(&priced.shifts, &priced.draws)?;
    let mut becomes = vec![0.0; confidence.classes()];
    becomes[confidence.predicted] = 1.0 - forecast.probability;
    rivals.iter().zip(&each).for_each(|(rival, probability)| becomes[rival.class] = *probability);
    let rival = (0..each.len()).max_by(|a, b| each[*a].total_cmp(&each[*b]))?;
    let outlook = PartOutlook {
        forecast,
        becomes,
        baseline: calibration.baseline(&priced.shifts)?,
        replicates: calibration.replicated(&priced.shifts).collect(),
        seen: calibration.seen_by_copies(),
        threats: Vec::new(),
    };
    Some((outlook, rival))
}

/// The edits of a trail.
fn edits_of(text: &Sample, edits: &[TrailEdit]) -> Vec<Edit> {
    let edit = |edit: &TrailEdit| {
        let field = text.fields.iter().position(|field| field.name == edit.field)?;
        Some(Edit::replace(edit.start..edit.end, edit.new.as_str()).on(field))
    };
    edits.iter().filter_map(edit).collect()
}
