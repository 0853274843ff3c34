//! The plan: what will be run, what cannot be and why, and how many questions the model will be asked at most.

use fissure_core::{Card, Chain, Cut, Expectation, Family, HumanScores, Need, Resources, Slice, Tag, TaskFacts};
use fissure_probes::{SLICES, TRANSFORMS};
use fissure_tasks::Task;
use serde::{Deserialize, Serialize};

use crate::run::DataFacts;
use crate::suite::{self, is_bias};
use crate::{Error, ModelAbout, NotRun, Result};
use fissure_settings::{ChainConfig, Knobs, RunConfig, SliceConfig};

/// What will be run: the live parts, and the same written down.
#[derive(Debug)]
pub struct Plan {
    pub chains: Vec<Chain>,
    pub slices: Vec<Box<dyn Slice>>,
    pub written: PlanRecord,
}

/// A plan as the run file keeps it: all that findings need to know of the parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanRecord {
    pub chains: Vec<PlannedChain>,
    pub slices: Vec<PlannedSlice>,
    /// Whether fragility is scored with gradients.
    pub fragility: bool,
    pub not_run: Vec<NotRun>,
    /// How few questions are asked; absent if all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionPlan>,
}

/// The design of a run that asks only what its intervals need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PrecisionPlan {
    /// The wanted half width of the interval of each part's share of flips.
    pub precision: f64,
    pub budget: Option<usize>,
    /// What decides whom to ask.
    pub forecast: ForecastBy,
    /// Standard errors on either side of an estimate at each look.
    pub looks: Vec<f64>,
    /// The chains that are asked by this design, by their numbers; all others are asked in full.
    pub chains: Vec<usize>,
}

/// What says which answers are in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForecastBy {
    /// The forecast of the part.
    Gradients,
    /// The square of 1 - max p.
    Probabilities,
    /// Nothing: every text is as likely to be asked.
    Nothing,
}

impl ForecastBy {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Gradients => "the forecast of each part",
            Self::Probabilities => "1 - max p, because the model has no gradients",
            Self::Nothing => "chance alone, because the model gives labels without probabilities",
        }
    }
}

/// A chain that will be run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedChain {
    /// `typos`, or with what sets it apart: `prejudice (change=names)`.
    pub name: String,
    /// The parts, in order.
    pub parts: Vec<String>,
    pub settings: Vec<(String, String)>,
    pub variants: usize,
    pub summary: String,
    pub family: Option<Family>,
    pub expectation: Expectation,
    pub human: Option<HumanScores>,
    /// Whether it changes whom the text is about.
    pub bias: bool,
    /// For copying destroyers: the label they should give.
    pub default_label: Option<String>,
    /// How token importance is found, where a part needs it.
    pub importance: Option<String>,
}

/// A slice that will be measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedSlice {
    pub name: String,
    pub settings: Vec<(String, String)>,
    /// The values of all its knobs.
    #[serde(default)]
    pub knobs: Vec<(String, String)>,
    pub summary: String,
    pub cut: Cut,
}

const LISTED_TWICE: &str = "it is listed twice, and is run once";

impl Plan {
    /// Plans a run on data of which `facts` are known, with a model that is as `model` says, and with resources for the parts.
    pub fn new(config: &RunConfig, facts: &DataFacts, model: &ModelAbout, resources: &Resources) -> Result<Self> {
        let task = config.task()?;
        let suites = suite::named(config.selection.suite.as_deref().unwrap_or("default"))?;
        let mut settings = Settings::of(config);
        let mut plan = Self {
            chains: Vec::new(),
            slices: Vec::new(),
            written: PlanRecord {
                chains: Vec::new(),
                slices: Vec::new(),
                fragility: false,
                not_run: Vec::new(),
                precision: None,
            },
        };
        for chain in wanted(config, task)? {
            plan.add_chain(&chain, config, &mut settings, facts, model, resources)?;
        }
        let of_suites = || each_once(suites.iter().flat_map(|suite| suite.slices()));
        let slices = config.selection.slices.clone().unwrap_or_else(of_suites);
        for slice in slices {
            plan.add_slice(&slice, &task.facts)?;
        }
        settings.check()?;
        plan.look_inside(config, &task.facts, model);
        plan.look_for_singles();
        plan.ask_precisely(config, &task.facts, model)?;
        if plan.chains.is_empty() && plan.slices.is_empty() {
            let reasons: Vec<String> =
                plan.written.not_run.iter().map(|part| format!("{}: {}", part.name, part.reason)).collect();
            return Err(Error::NothingToRun { reasons: reasons.join("; ") });
        }
        Ok(plan)
    }

    /// The most questions that `samples` samples will be asked.
    pub fn calls(&self, samples: usize) -> usize {
        samples * (1 + self.cases())
    }

    /// How many cases there are of each sample besides the original.
    pub fn cases(&self) -> usize {
        self.written.cases()
    }

    fn add_chain(
        &mut self,
        wanted: &ChainConfig,
        config: &RunConfig,
        settings: &mut Settings,
        facts: &DataFacts,
        model: &ModelAbout,
        resources: &Resources,
    ) -> Result<()> {
        let task = config.task()?;
        let (parts, variants, own) = match wanted {
            ChainConfig::Name(name) => (name, None, Vec::new()),
            ChainConfig::Full { parts, variants, knobs } => (parts, *variants, written(knobs)),
        };
        let mut all = settings.for_chain(parts)?;
        all.extend(own.iter().cloned());
        let chain = Chain::build(&TRANSFORMS, parts, &all)?.with(resources.clone());
        let shown: Vec<String> = own.iter().map(|(knob, value)| format!("{knob}={value}")).collect();
        let mut name = chain.name().to_owned();
        if !shown.is_empty() {
            name = format!("{name} ({})", shown.join(", "));
        }
        if let Some(reason) = refusal(&chain, &task.facts, facts, model) {
            self.written.not_run.push(NotRun { name, reason });
            return Ok(());
        }
        // Rules, tables and comparisons go by the name.
        if self.written.chains.iter().any(|chain| chain.name == name) {
            self.written.not_run.push(NotRun { name: format!("{name} once more"), reason: LISTED_TWICE.into() });
            return Ok(());
        }
        let cards: Vec<_> = chain.cards().collect();
        let copies = cards.iter().any(|card| card.tags.contains(&Tag::Copies));
        self.written.chains.push(PlannedChain {
            name,
            parts: cards.iter().map(|card| card.name.to_owned()).collect(),
            settings: all,
            variants: variants.or(config.changes.variants).unwrap_or(1).max(1),
            summary: cards.iter().map(|card| card.summary()).collect::<Vec<_>>().join(" Then: "),
            family: cards.first().and_then(|card| card.family).filter(|_| cards.len() == 1),
            expectation: chain.expects_on(&task.facts),
            human: cards.first().and_then(|card| card.human).filter(|_| cards.len() == 1),
            bias: cards.iter().any(|card| is_bias(card)),
            default_label: copies.then(|| task.label_of_copies(&model.labels)).flatten(),
            importance: resources
                .importance
                .as_ref()
                .filter(|_| cards.iter().any(|card| card.needs.contains(&Need::TokenImportance)))
                .map(|importance| importance.method().to_owned()),
        });
        self.chains.push(chain);
        Ok(())
    }

    fn add_slice(&mut self, wanted: &SliceConfig, task: &TaskFacts) -> Result<()> {
        let (name, settings) = match wanted {
            SliceConfig::Name(name) => (name, Vec::new()),
            SliceConfig::Full { name, knobs } => (name, written(knobs)),
        };
        let entry = SLICES.find(name)?;
        if let Some(why) = entry.card.refuses(task) {
            let reason = format!("`{}` does not serve the task `{}`: it {why}", entry.card.name, task.name);
            self.written.not_run.push(NotRun { name: entry.card.name.into(), reason });
            return Ok(());
        }
        let (slice, knobs) = entry.build(&settings)?;
        let shown: Vec<String> = settings.iter().map(|(knob, value)| format!("{knob}={value}")).collect();
        let name = match shown.is_empty() {
            true => entry.card.name.to_owned(),
            false => format!("{} ({})", entry.card.name, shown.join(", ")),
        };
        if self.written.slices.iter().any(|slice| slice.name == name) {
            self.written.not_run.push(NotRun { name: format!("{name} once more"), reason: LISTED_TWICE.into() });
            return Ok(());
        }
        self.written.slices.push(PlannedSlice {
            name,
            settings,
            knobs: knobs.into_iter().map(|(knob, value)| (knob.to_owned(), value)).collect(),
            summary: entry.card.summary(),
            cut: finite(slice.cut()),
        });
        self.slices.push(slice);
        Ok(())
    }

    /// What the model can show of itself.
    fn look_inside(&mut self, config: &RunConfig, task: &TaskFacts, model: &ModelAbout) {
        let mut lacking = |name: &str, reason: &str| {
            self.written.not_run.push(NotRun { name: name.into(), reason: reason.into() });
        };
        if config.selection.fragility == Some(false) {
            lacking("fragility", "it was switched off");
        } else if !model.gradients {
            lacking("fragility", "needs gradients: use a model directory instead of process: or http:");
        }
        if task.has_class() && !model.probabilities {
            lacking("calibration", "the model gives labels without probabilities");
        }
        self.written.fragility = config.selection.fragility != Some(false) && model.gradients;
    }

    /// Which chains are asked about some texts only.
    fn ask_precisely(&mut self, config: &RunConfig, task: &TaskFacts, model: &ModelAbout) -> Result<()> {
        let refused = |why: String| Err(Error::NotPrecisely { why });
        let Some(precision) = config.selection.precision else {
            return match config.selection.budget {
                Some(_) => refused("a budget without a precision says nothing: give both".into()),
                None => Ok(()),
            };
        };
        // A file of settings is not checked by the flag.
        if !(precision > 0.0 && precision < 1.0) {
            return refused(format!("{precision} is not between 0 and 1: write 0.01 for one point"));
        }
        if !task.has_class() {
            return refused(format!(
                "the task `{}` has no single class a sample, whose flips could be forecast",
                task.name
            ));
        }
        if self.written.chains.iter().any(|chain| chain.variants > 1) {
            return refused(
                "how many variants of a text are asked follows from the precision: leave out --variants".into(),
            );
        }
        let forecast = match (model.gradients, model.probabilities) {
            (true, _) => ForecastBy::Gradients,
            (false, true) => ForecastBy::Probabilities,
            (false, false) => ForecastBy::Nothing,
        };
        let some =
            |chain: &PlannedChain| matches!(chain.expectation, Expectation::Kept | Expectation::Unsure) && !chain.bias;
        let chains = self.written.chains.iter().enumerate().filter(|(_, chain)| some(chain));
        self.written.precision = Some(PrecisionPlan {
            precision,
            budget: config.selection.budget,
            forecast,
            looks: fissure_statistics::LOOKS.to_vec(),
            chains: chains.map(|(at, _)| at).collect(),
        });
        let mut lacking = |name: &str| {
            let reason =
                "--precision asks about texts with different probabilities, by part; ask everything to measure it";
            self.written.not_run.push(NotRun { name: name.into(), reason: reason.into() });
        };
        lacking("the mean drop over texts that the changes share");
        lacking("interactions");
        lacking("which score predicts the flips of this run");
        Ok(())
    }

    /// An interaction can only be measured if each part of a chain is run by itself as well.
    fn look_for_singles(&mut self) {
        let chains = &self.written.chains;
        let mut missing = Vec::new();
        for chain in chains.iter().filter(|chain| chain.parts.len() > 1) {
            if let Some(part) = chain.parts.iter().find(|part| single(chains, part).is_none()) {
                let reason = format!("`{part}` is not in the run by itself; add it to the chains");
                missing.push(NotRun { name: format!("interaction of {}", chain.name), reason });
            }
        }
        self.written.not_run.extend(missing);
    }
}

impl PlanRecord {
    /// How many cases there are of each sample besides the original.
    pub fn cases(&self) -> usize {
        self.chains.iter().map(|chain| chain.variants).sum()
    }
}

/// What the parts that a config asks for need besides the sample.
pub(crate) fn needs(config: &RunConfig) -> Result<Vec<Need>> {
    let mut needs = Vec::new();
    for chain in wanted(config, config.task()?)? {
        let (ChainConfig::Name(parts) | ChainConfig::Full { parts, .. }) = &chain;
        for part in parts.split('+') {
            needs.extend(TRANSFORMS.find(part.trim())?.card.needs);
        }
    }
    Ok(needs)
}

/// The chains that a config asks for.
fn wanted(config: &RunConfig, task: &Task) -> Result<Vec<ChainConfig>> {
    if !config.selection.chains.is_empty() {
        return Ok(config.selection.chains.clone());
    }
    let suites = suite::named(config.selection.suite.as_deref().unwrap_or("default"))?;
    Ok(each_once(suites.iter().flat_map(|suite| suite.chains(&task.facts))))
}

/// The chain that is this part alone.
pub(crate) fn single(chains: &[PlannedChain], part: &str) -> Option<usize> {
    chains.iter().position(|chain| chain.parts == [part])
}

/// Why a chain cannot be run, if it cannot.
fn refusal(chain: &Chain, task: &TaskFacts, facts: &DataFacts, model: &ModelAbout) -> Option<String> {
    if let Some((card, why)) = chain.cards().find_map(|card| Some((card, card.refuses(task)?))) {
        return Some(format!("`{}` does not serve the task `{}`: it {why}", card.name, task.name));
    }
    // Each text has its own language; only if no text of the data is in one that the part knows, it is not run at all.
    let knows = |card: &Card| facts.languages.keys().any(|language| card.knows(*language));
    if let Some(card) = chain.cards().find(|card| !facts.languages.is_empty() && !knows(card)) {
        let languages: Vec<&str> = facts.languages.keys().map(|language| language.code()).collect();
        return Some(format!("`{}` does not know the language of the data ({})", card.name, languages.join(", ")));
    }
    match chain.lacks() {
        // A remote model gives importance only by one question for every word.
        Some((part, Need::TokenImportance)) if task.has_class() => {
            return Some(format!(
                "`{part}`: the model is not asked which words carry its answer; give --importance leave_one_out, which \
                 asks it once more for every word"
            ));
        }
        Some((part, need)) => return Some(format!("`{part}`: {}", need.advice())),
        None => {}
    }
    if chain.expects_on(task) == Expectation::Destroyed && (!task.has_class() || model.labels.len() == 1) {
        return Some("agreement against chance is for tasks with one class a sample".into());
    }
    None
}

/// Settings as pairs of texts.
fn written(knobs: &Knobs) -> Vec<(String, String)> {
    knobs.iter().map(|(knob, value)| (knob.clone(), value.to_string())).collect()
}

/// JSON knows no infinity.
fn finite(cut: Cut) -> Cut {
    match cut {
        Cut::Between { least, most } => Cut::Between { least: least.max(f64::MIN), most: most.min(f64::MAX) },
        share => share,
    }
}

/// What two suites both have is run once.
fn each_once<T: PartialEq>(things: impl Iterator<Item = T>) -> Vec<T> {
    things.fold(Vec::new(), |mut all, thing| {
        if !all.contains(&thing) {
            all.push(thing);
        }
        all
    })
}

/// The settings of the whole run, each of which some part must take.
struct Settings {
    all: Vec<(String, String)>,
    used: Vec<bool>,
}

impl Settings {
    fn of(config: &RunConfig) -> Self {
        let all = config.changes.knob_settings();
        Self { used: vec![false; all.len()], all }
    }

    /// Those that concern the parts of a chain.
    fn for_chain(&mut self, parts: &str) -> Result<Vec<(String, String)>> {
        let entries =
            parts.split('+').map(|part| TRANSFORMS.find(part.trim())).collect::<fissure_core::Result<Vec<_>>>()?;
        let mut own = Vec::new();
        for (setting, used) in self.all.iter().zip(&mut self.used) {
            let concerns = match setting.0.split_once('.') {
                Some((part, _)) => entries.iter().any(|entry| entry.card.is_called(part)),
                None => entries.iter().any(|entry| entry.knobs().iter().any(|card| card.name == setting.0)),
            };
            if concerns {
                *used = true;
                own.push(setting.clone());
            }
        }
        Ok(own)
    }

    fn check(&self) -> Result<()> {
        match self.all.iter().zip(&self.used).find(|(_, used)| !**used) {
            Some(((knob, _), _)) => Err(Error::NoKnob { knob: knob.clone() }),
            None => Ok(()),
        }
    }
}
