//! A run with `--precision`: asks only what the interval of each part needs.
//!
//! First come all originals, and the forecasts of every change. Then up to four times: the texts that the design of each
//! part takes are asked, and each part whose interval is narrow enough stops ([`Stage`]). What was asked is kept in a
//! [`Journal`]; the run file is written at the end, sample by sample, with the design of every case.

use std::path::{Path, PathBuf};

use fissure_core::{Dice, Sample, Variant};
use fissure_geometry::{CALIBRATION_POOL, PartForecaster};
use fissure_models::resources::{check_programs, finish_programs};
use fissure_statistics::{Design, Sampled, Stage};
use rayon::prelude::*;

use super::file::{Damage, RunFile};
use super::journal::{Asked, JOURNAL_FILE, Journal};
use super::questions::{Questions, Reply};
use super::record::CaseDesign;
use super::samples;
use super::window::{Case, Window, line};
use super::{OpenData, Prepared, RUN_FILE, distrusted};
use crate::plan::{ForecastBy, PrecisionPlan};
use crate::{Error, Response, Result};

/// Samples that are held at a time.
const WINDOW: usize = 256;
/// Variants of a sample that are tried for one that is changed, beyond those that are wanted.
const TRIES: usize = 8;
/// What is forecast where nothing is known.
const UNKNOWN: f64 = 0.05;

/// What is known of a sample under a chain that changes it.
#[derive(Debug, Clone, Copy)]
struct Forecast {
    flips: f64,
    fixes: Option<f64>,
    /// Decides with the design how often the sample is asked.
    unit: f64,
    hits: u16,
    asked: u16,
}

/// A chain that is asked about some samples.
struct Part {
    chain: usize,
    name: String,
    /// One for each sample; `None` if it is not changed, or its original got no answer.
    samples: Vec<Option<Forecast>>,
    stage: Option<Stage>,
    done: bool,
}

/// What a run tells while it is at work.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// This many samples were looked at; `true` if the pass is over.
    Samples(usize, bool),
    /// Answers of a run that was stopped are not as they were written, and are asked again.
    Damaged(Damage),
    /// A look at a part: its name, the half width of its interval, the questions so far, and whether it is done.
    Look { part: String, half_width: f64, questions: usize, of: usize, done: bool },
}

impl Prepared {
    /// How the run asks by precision; an error if it cannot. Asked before anything is written, since a run that cannot
    /// start cannot be continued either.
    pub fn check_precision(&self) -> Result<&PrecisionPlan> {
        let Some(plan) = &self.header.plan.precision else {
            return Err(Error::NotPrecisely { why: "the run was planned without it".into() });
        };
        if self.header.shard.is_some() {
            let why = "a piece cannot know when the interval of the whole is narrow enough: leave out --shard".into();
            return Err(Error::NotPrecisely { why });
        }
        if let Some(budget) = plan.budget.filter(|budget| *budget <= self.samples()) {
            let samples = self.samples();
            let why =
                format!("a budget of {budget} does not reach: {samples} questions are for the originals; give more");
            return Err(Error::NotPrecisely { why });
        }
        Ok(plan)
    }

    /// Runs with a precision from beginning to end, or goes on with such a run.
    pub fn run_precisely(
        &self,
        folder: &Path,
        open: &OpenData<'_>,
        resume: bool,
        tell: &mut dyn FnMut(Progress) -> Result<()>,
    ) -> Result<PathBuf> {
        let plan = self.check_precision()?;
        let path = folder.join(RUN_FILE);
        let (mut file, done) = if resume {
            let (file, done, _) = RunFile::resume(&path, &self.header)?;
            (file, done)
        } else {
            (RunFile::create(&path, &self.header)?, 0)
        };
        let journal = folder.join(JOURNAL_FILE);
        let (asked, damage) = Journal::open(&journal, resume)?;
        if let Some(damage) = damage {
            tell(Progress::Damaged(damage))?;
        }
        let done = self.ask_all(plan, asked, open, tell, (&mut file, done));
        // What was asked about such texts is in the journal, and what was written before it in the run file.
        done.map_err(|error| distrusted(&journal, error)).map_err(|error| match error {
            Error::Mixed { fault, .. } => distrusted(&path, fissure_models::Error::from(fault).into()),
            error => error,
        })?;
        file.finish(self.samples())
    }

    fn ask_all(
        &self,
        plan: &PrecisionPlan,
        journal: Journal,
        open: &OpenData<'_>,
        tell: &mut dyn FnMut(Progress) -> Result<()>,
        (file, done): (&mut RunFile, usize),
    ) -> Result<()> {
        let mut run = Precise::new(self, plan, journal, open)?;
        run.ask_originals(open, tell)?;
        run.plan_questions(plan)?;
        while run.parts.iter().any(|part| !part.done) {
            run.ask(open, tell)?;
            run.look(plan, tell)?;
        }
        run.write(open, file, done)?;
        Ok(finish_programs().map_err(fissure_models::Error::from)?)
    }
}

struct Precise<'a> {
    run: &'a Prepared,
    window: Window<'a>,
    forecaster: Option<PartForecaster<'a>>,
    forecast: ForecastBy,
    journal: Journal,
    parts: Vec<Part>,
    /// Chains that are asked in full.
    full: Vec<usize>,
    /// Questions for originals and for chains that are asked in full.
    others: usize,
}

impl<'a> Precise<'a> {
    fn new(run: &'a Prepared, plan: &PrecisionPlan, journal: Journal, open: &OpenData<'_>) -> Result<Self> {
        let chains = &run.plan.chains;
        let inside = run.respondent.inside().filter(|_| plan.forecast == ForecastBy::Gradients);
        let forecaster = match inside {
            None => None,
            Some(model) => {
                let first: Vec<Sample> =
                    samples(open, &run.header.config)?.take(CALIBRATION_POOL).collect::<Result<_>>()?;
                let some = plan.chains.iter().map(|at| &chains[*at]);
                Some(PartForecaster::calibrated(model, some, &first, run.header.config.seed())?)
            }
        };
        let part = |chain: &usize| Part {
            chain: *chain,
            name: run.plan.written.chains[*chain].name.clone(),
            samples: Vec::new(),
            stage: None,
            done: false,
        };
        Ok(Self {
            run,
            window: Window::new(run)?,
            forecaster,
            forecast: plan.forecast,
            journal,
            parts: plan.chains.iter().map(part).collect(),
            full: (0..chains.len()).filter(|at| !plan.chains.contains(at)).collect(),
            others: 0,
        })
    }

    /// Asks the originals and the chains that are asked in full, and forecasts all others.
    fn ask_originals(&mut self, open: &OpenData<'_>, tell: &mut dyn FnMut(Progress) -> Result<()>) -> Result<()> {
        let mut seen = 0;
        for window in windows(open, self.run)? {
            let window = window?;
            let places: Vec<(usize, usize)> =
                (0..window.len()).flat_map(|at| self.full.iter().map(move |chain| (at, *chain))).collect();
            let full: Vec<(Asked, Box<Variant>)> = places
                .par_iter()
                .filter_map(|&(at, chain)| match self.window.make(&window[at], chain, 0) {
                    Case::Changed(variant) => Some((Asked { n: seen + at, chain: Some(chain), variant: 0 }, variant)),
                    _ => None,
                })
                .collect();
            let originals = window.iter().enumerate().map(|(at, sample)| (original(seen + at), sample));
            let changed = full.iter().map(|(asked, variant)| (*asked, &variant.sample));
            let all: Vec<(Asked, &Sample)> = originals.chain(changed).collect();
            self.others += all.len();
            ask(self.run, &mut self.journal, &all)?;
            self.forecast_window(&window, seen)?;
            seen += window.len();
            tell(Progress::Samples(window.len(), false))?;
        }
        tell(Progress::Samples(0, true))
    }

    fn forecast_window(&mut self, window: &[Sample], first: usize) -> Result<()> {
        let outlooks = self.forecaster.as_ref().map(|forecaster| forecaster.outlook(window)).transpose()?;
        let labels = &self.run.header.model.labels;
        let seed = self.run.header.config.seed();
        for (number, part) in self.parts.iter_mut().enumerate() {
            let chain = part.chain;
            let changed: Vec<bool> = window
                .par_iter()
                .map(|sample| matches!(self.window.make(sample, chain, 0), Case::Changed(_)))
                .collect();
            for (at, sample) in window.iter().enumerate() {
                let said = self.journal.get(&original(first + at)).and_then(|reply| reply.as_ref().ok());
                let Some(said) = said.filter(|_| changed[at]) else {
                    part.samples.push(None);
                    continue;
                };
                let gold = self.run.gold_labels.class(sample);
                let outlook = outlooks.as_ref().and_then(|outlooks| outlooks[at].parts[number].as_ref());
                let flips = match (outlook, self.forecast) {
                    (Some(outlook), _) => outlook.forecast.probability,
                    (None, ForecastBy::Nothing) => UNKNOWN,
                    // At the boundary half of the changes flip at most, and far from it hardly any.
                    (None, _) => said.confidence().map_or(UNKNOWN, |sure| (1.0 - sure).powi(2)),
                };
                let is_wrong = matches!((said, &gold), (Response::Class { label, .. }, Some(gold)) if label != gold);
                let fixes = is_wrong.then(|| {
                    let class = gold.and_then(|gold| labels.iter().position(|label| *label == gold));
                    class.and_then(|class| outlook?.becomes.get(class).copied()).unwrap_or(flips)
                });
                let unit = Dice::new(seed, &["precision", &part.name, &sample.id]).unit();
                part.samples.push(Some(Forecast { flips, fixes, unit, hits: 0, asked: 0 }));
            }
        }
        Ok(())
    }

    /// The first stage of each part.
    fn plan_questions(&mut self, plan: &PrecisionPlan) -> Result<()> {
        let left = match plan.budget {
            None => None,
            Some(budget) if budget <= self.others => {
                let why = format!(
                    "a budget of {budget} does not reach: {} questions are for the originals and for parts that are asked in \
                     full. Start again in another directory with --budget {} or more",
                    self.others,
                    2 * self.others
                );
                return Err(Error::NotPrecisely { why });
            }
            Some(budget) => Some((budget - self.others) as f64 / self.parts.len().max(1) as f64),
        };
        for part in &mut self.parts {
            let forecasts = part.forecasts();
            part.done = forecasts.is_empty();
            part.stage = Some(Stage::first(&forecasts, plan.precision, part.budget(left)));
        }
        Ok(())
    }

    /// Asks what the designs of the parts that are not done take.
    fn ask(&mut self, open: &OpenData<'_>, tell: &mut dyn FnMut(Progress) -> Result<()>) -> Result<()> {
        let mut seen = 0;
        for window in windows(open, self.run)? {
            let window = window?;
            let wanted: Vec<(usize, usize, usize)> = (0..window.len())
                .flat_map(|at| (0..self.parts.len()).map(move |number| (at, number)))
                .filter_map(|(at, number)| {
                    let part = &self.parts[number];
                    let count = part.count(seen + at).filter(|count| *count > 0 && !part.done)?;
                    Some((at, number, count))
                })
                .collect();
            let variants: Vec<Vec<(usize, Box<Variant>)>> = wanted
                .par_iter()
                .map(|&(at, number, count)| self.variants(&window[at], self.parts[number].chain, count))
                .collect();
            let mut questions: Vec<(Asked, &Sample)> = Vec::new();
            for ((at, number, _), variants) in wanted.iter().zip(&variants) {
                let chain = Some(self.parts[*number].chain);
                questions.extend(
                    variants
                        .iter()
                        .map(|(variant, changed)| (Asked { n: seen + at, chain, variant: *variant }, &changed.sample)),
                );
            }
            ask(self.run, &mut self.journal, &questions)?;
            for ((at, number, _), variants) in wanted.iter().zip(&variants) {
                let n = seen + at;
                let Some(Ok(before)) = self.journal.get(&original(n)) else { continue };
                let chain = Some(self.parts[*number].chain);
                let replies = variants.iter().filter_map(|(variant, _)| {
                    self.journal.get(&Asked { n, chain, variant: *variant }).and_then(|reply| reply.as_ref().ok())
                });
                let turned: Vec<bool> = replies.map(|said| !said.agrees(before)).collect();
                if let Some(Some(forecast)) = self.parts[*number].samples.get_mut(n) {
                    forecast.asked = turned.len() as u16;
                    forecast.hits = turned.iter().filter(|turned| **turned).count() as u16;
                }
            }
            seen += window.len();
            tell(Progress::Samples(window.len(), false))?;
        }
        tell(Progress::Samples(0, true))
    }

    /// The first `count` variants that are changed.
    fn variants(&self, sample: &Sample, chain: usize, count: usize) -> Vec<(usize, Box<Variant>)> {
        let changed = |variant| match self.window.make(sample, chain, variant) {
            Case::Changed(changed) => Some((variant, changed)),
            _ => None,
        };
        (0..2 * count + TRIES).filter_map(changed).take(count).collect()
    }

    /// Looks at every part that is not done, and decides whether more is asked.
    fn look(&mut self, plan: &PrecisionPlan, tell: &mut dyn FnMut(Progress) -> Result<()>) -> Result<()> {
        let left = plan.budget.map(|all| (all.saturating_sub(self.others)) as f64 / self.parts.len().max(1) as f64);
        for part in self.parts.iter_mut().filter(|part| !part.done) {
            let Some(stage) = part.stage else { continue };
            let (sampled, forecasts) = (part.sampled(stage.design), part.forecasts());
            let next = stage.next(&sampled, &forecasts, plan.precision, part.budget(left));
            part.done = next.is_none();
            tell(Progress::Look {
                part: part.name.clone(),
                half_width: stage.half_width(&sampled).unwrap_or(1.0),
                questions: part.samples.iter().flatten().map(|sample| usize::from(sample.asked)).sum(),
                of: forecasts.len(),
                done: part.done,
            })?;
            part.stage = next.or(Some(stage));
        }
        Ok(())
    }

    /// Writes the run file, from sample number `done` on.
    fn write(&self, open: &OpenData<'_>, file: &mut RunFile, done: usize) -> Result<()> {
        let mut seen = 0;
        for window in windows(open, self.run)? {
            let window = window?;
            if seen + window.len() > done {
                let fragility = self.window.inside.as_ref().map(|inside| inside.scores(&window)).transpose()?;
                let blocks: Vec<Vec<u8>> = (done.saturating_sub(seen)..window.len())
                    .into_par_iter()
                    .map(|at| {
                        let n = seen + at;
                        let unasked = Err("it was not asked".to_owned());
                        let said = self.journal.get(&original(n)).unwrap_or(&unasked);
                        let mut record = self.window.sample(&window[at], n, said);
                        record.fragility = fragility.as_ref().map(|records| records[at]);
                        let mut lines = Vec::new();
                        line(&mut lines, &record);
                        for chain in 0..self.run.plan.chains.len() {
                            self.write_cases(&window[at], (n, chain), said, &mut lines);
                        }
                        lines
                    })
                    .collect();
                file.append(&blocks)?;
            }
            seen += window.len();
        }
        Ok(())
    }

    fn write_cases(&self, sample: &Sample, (n, chain): (usize, usize), said: &Reply, lines: &mut Vec<u8>) {
        let part = self.parts.iter().find(|part| part.chain == chain);
        let design = part.and_then(|part| part.design(n));
        let count = part.map_or(1, |part| part.count(n).unwrap_or(0));
        let mut cases: Vec<(usize, Case)> = match design {
            Some(_) => self
                .variants(sample, chain, count)
                .into_iter()
                .map(|(variant, changed)| (variant, Case::Changed(changed)))
                .collect(),
            None => Vec::new(),
        };
        if cases.is_empty() {
            cases.push((0, self.window.make(sample, chain, 0)));
        }
        for (variant, case) in &cases {
            let reply = self.journal.get(&Asked { n, chain: Some(chain), variant: *variant }).filter(|_| count > 0);
            let mut record = self.window.case(sample, case, reply, (n, chain, *variant));
            record.design = design;
            if let (Case::Changed(changed), Ok(before)) = (case, said) {
                record.before = self.window.before(sample, changed, before, chain);
            }
            line(lines, &record);
        }
    }
}

impl Part {
    fn forecasts(&self) -> Vec<f64> {
        self.samples.iter().flatten().map(|sample| sample.flips).collect()
    }

    /// The most questions: what is left of the user's, or as many as asking each sample once.
    fn budget(&self, left: Option<f64>) -> f64 {
        left.unwrap_or_else(|| self.samples.iter().flatten().count() as f64)
    }

    /// How many variants of a sample are asked.
    fn count(&self, n: usize) -> Option<usize> {
        let (sample, stage) = ((*self.samples.get(n)?)?, self.stage?);
        Some(stage.design.count(sample.flips, sample.unit))
    }

    fn design(&self, n: usize) -> Option<CaseDesign> {
        let (sample, stage) = ((*self.samples.get(n)?)?, self.stage?);
        let expected = stage.design.expected(sample.flips);
        Some(CaseDesign { flips: sample.flips, fixes: sample.fixes, expected, look: stage.look })
    }

    fn sampled(&self, design: Design) -> Sampled {
        let mut sampled = Sampled::default();
        for sample in self.samples.iter().flatten() {
            let (hits, asked) = (usize::from(sample.hits), usize::from(sample.asked));
            sampled.add(sample.flips, 1.0, design.expected(sample.flips), hits, asked);
        }
        sampled
    }
}

fn original(n: usize) -> Asked {
    Asked { n, chain: None, variant: 0 }
}

/// Asks what the journal does not know.
fn ask(run: &Prepared, journal: &mut Journal, all: &[(Asked, &Sample)]) -> Result<()> {
    check_programs().map_err(fissure_models::Error::from)?;
    let mut questions = Questions::default();
    let new: Vec<(Asked, usize)> = all
        .iter()
        .filter(|(asked, _)| journal.get(asked).is_none())
        .map(|(asked, sample)| (*asked, questions.add(sample)))
        .collect();
    if new.is_empty() {
        return Ok(());
    }
    let said = questions.ask(&*run.respondent, run.batch)?;
    journal.keep(new.into_iter().map(|(asked, number)| (asked, said[number].clone())).collect())
}

/// The samples of a run, a window at a time.
fn windows(open: &OpenData<'_>, run: &Prepared) -> Result<impl Iterator<Item = Result<Vec<Sample>>> + use<>> {
    let mut samples = samples(open, &run.header.config)?;
    Ok(std::iter::from_fn(move || {
        let window: Result<Vec<Sample>> = samples.by_ref().take(WINDOW).collect();
        match window {
            Ok(window) if window.is_empty() => None,
            other => Some(other),
        }
    }))
}
