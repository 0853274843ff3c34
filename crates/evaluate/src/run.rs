//! The run: samples become cases, cases become questions in batches, and answers go to one append-only file.
//!
//! What stands in the file depends on the model, the data and the config alone: not on threads, on the size of a window
//! or a batch, nor on how often the run was stopped and resumed.

mod answers;
mod checksums;
mod facts;
mod file;
mod fragility;
mod gold_labels;
mod journal;
mod merge;
mod outlook;
mod precise;
mod questions;
mod read;
mod record;
mod samples;
mod shard;
mod window;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fissure_core::{Resources, Sample, Thresholds};
use fissure_data::Skipped;
use fissure_geometry::Vocabulary;
use fissure_models::resources::{check_programs, finish_programs};
use fissure_probes::VALIDATORS;

use crate::plan::Plan;
use crate::{About, Error, Respondent, Result};
use fissure_settings::RunConfig;

pub use answers::{AnsweredSample, read_answers};
pub use facts::DataFacts;
pub use file::Damage;
use file::RunFile;
pub(crate) use gold_labels::GoldLabels;
pub use merge::Pieces;
pub use outlook::{PartPrediction, RunOutlook, TextPart, TextPrediction};
pub use precise::Progress as PreciseProgress;
pub(crate) use read::{Block, Blocks, Next};
pub use record::{CaseDesign, CaseRecord, Header, SampleRecord, Status};
use samples::samples;
pub use shard::Shard;
use window::Window;

/// The name of the run file in its directory.
pub const RUN_FILE: &str = "run.jsonl";

/// Samples as they are read.
pub trait ReadSamples: Iterator<Item = fissure_data::Result<Sample>> {
    /// The rows that could not be read and were passed over until now.
    fn bad_rows(&self) -> Skipped;
}

impl ReadSamples for fissure_data::Samples {
    fn bad_rows(&self) -> Skipped {
        self.skipped().clone()
    }
}

/// Samples that are in memory already.
impl ReadSamples for std::vec::IntoIter<fissure_data::Result<Sample>> {
    fn bad_rows(&self) -> Skipped {
        Skipped::default()
    }
}

/// Opens the data again: it is read once to know what it holds, and once to be run.
pub type OpenData<'a> = dyn Fn() -> Result<Box<dyn ReadSamples>> + 'a;

/// Everything a run needs, checked and planned, before the first question is asked.
#[derive(Debug)]
pub struct Prepared {
    pub header: Header,
    pub plan: Plan,
    pub facts: DataFacts,
    respondent: Box<dyn Respondent>,
    vocabulary: Option<Vocabulary>,
    gold_labels: GoldLabels,
    /// What a change must meet before the model is asked about it, and the help to measure it.
    thresholds: Thresholds,
    resources: Resources,
    /// Questions in a batch; never changes a result.
    pub batch: usize,
}

impl Prepared {
    /// Whether the model is a sum over the words of a text.
    pub fn is_additive(&self) -> bool {
        self.respondent.inside().is_some_and(|inside| inside.bag().is_some())
    }

    /// Looks at the model, and makes the plan for data of which `facts` are known.
    pub fn new(
        config: RunConfig,
        facts: DataFacts,
        respondent: Box<dyn Respondent>,
        resources: &Resources,
    ) -> Result<Self> {
        let about = respondent.about().clone();
        let resources = &with_resources_of_data(&config, &facts, resources)?;
        let thresholds = Thresholds::parse(&VALIDATORS, &config.changes.keep, resources)?;
        let plan = Plan::new(&config, &facts, &about, resources)?;
        let gold_labels = GoldLabels::new(&config, &facts, &*respondent)?;
        let vocabulary = match respondent.inside().filter(|_| plan.written.fragility) {
            Some(inside) if !inside.words().is_empty() => Some(Vocabulary::of(inside)?),
            _ => None,
        };
        let header = Header::new(config, &facts, about, &gold_labels, &plan)?;
        let resources = resources.clone();
        Ok(Self { header, plan, facts, respondent, vocabulary, gold_labels, thresholds, resources, batch: 512 })
    }

    /// The most questions the model will be asked.
    pub fn calls(&self) -> usize {
        self.plan.calls(self.samples())
    }

    /// How many samples will be run: those of the piece, if it is one.
    pub fn samples(&self) -> usize {
        self.shard().samples(self.facts.samples)
    }

    fn shard(&self) -> Shard {
        self.header.shard.unwrap_or(Shard::WHOLE)
    }

    /// Starts a run in a new directory.
    pub fn start<'a>(&'a self, folder: &Path, open: &OpenData<'_>) -> Result<Run<'a>> {
        let file = RunFile::create(&folder.join(RUN_FILE), &self.header)?;
        self.run(file, open, 0, None)
    }

    /// Goes on with the run in a directory, from the last sample that is whole.
    pub fn resume<'a>(&'a self, folder: &Path, open: &OpenData<'_>) -> Result<Run<'a>> {
        let (file, done, damage) = RunFile::resume(&folder.join(RUN_FILE), &self.header)?;
        self.run(file, open, done, damage)
    }

    fn run<'a>(&'a self, file: RunFile, open: &OpenData<'_>, done: usize, damage: Option<Damage>) -> Result<Run<'a>> {
        let mut samples = samples(open, &self.header.config)?;
        let shard = self.shard();
        for _ in 0..shard.number(done) {
            match samples.next() {
                Some(sample) => sample?,
                None => break,
            };
        }
        let samples = Box::new(EachNth { samples, step: shard.of() });
        let window = Window::new(self)?;
        Ok(Run { window, samples, file, held: Vec::new(), damage, done, of: self.samples() })
    }
}

/// The first of every `step` samples. A sample between them that cannot be read is an error here too.
struct EachNth<I> {
    samples: I,
    step: usize,
}

impl<I: Iterator<Item = Result<Sample>>> Iterator for EachNth<I> {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Result<Sample>> {
        let sample = self.samples.next();
        for _ in 1..self.step {
            if let Some(Err(error)) = self.samples.next() {
                return Some(Err(error));
            }
        }
        sample
    }
}

/// The resources, with those that the data themselves provide.
fn with_resources_of_data(config: &RunConfig, facts: &DataFacts, resources: &Resources) -> Result<Resources> {
    let mut resources = resources.clone();
    if !config.resources.senses.is_empty() {
        let spelling = facts.gathered.spelling(&config.resources.senses).map_err(|why| Error::Senses { why })?;
        resources.spelling = Some(Arc::new(spelling));
    }
    facts.gathered.add_to(config.task()?, &mut resources);
    Ok(resources)
}

/// A run at work.
pub struct Run<'a> {
    window: Window<'a>,
    samples: Box<dyn Iterator<Item = Result<Sample>>>,
    file: RunFile,
    /// Lines without one answer, held back until there is one: if the model is about to be given up, they are asked again
    /// when the run is resumed.
    held: Vec<Vec<u8>>,
    damage: Option<Damage>,
    done: usize,
    of: usize,
}

/// The most bytes that are held back.
const MOST_HELD: usize = 1 << 20;

impl Run<'_> {
    /// Runs up to `most` further samples; how many it were, 0 at the end. An error leaves what was
    /// done in the file, but for windows without one answer, which are asked again.
    pub fn advance(&mut self, most: usize) -> Result<usize> {
        let mut samples = Vec::new();
        let mut bytes = 0;
        // Long texts make a short window: their changed forms are held all at once.
        while samples.len() < most.max(1) && bytes < window::MOST_BYTES && self.done + samples.len() < self.of {
            let Some(sample) = self.samples.next() else { break };
            let sample = sample?;
            bytes += sample.fields.iter().map(|field| field.text.len()).sum::<usize>() * self.window.cases();
            samples.push(sample);
        }
        let (blocks, answered) =
            self.window.run(&samples, self.done).map_err(|error| distrusted(self.file.path(), error))?;
        self.held.extend(blocks);
        if answered || self.held.iter().map(Vec::len).sum::<usize>() > MOST_HELD {
            self.file.append(&std::mem::take(&mut self.held))?;
        }
        self.done += samples.len();
        Ok(samples.len())
    }

    /// What was wrong with the run file when it was resumed. What came after it is asked again.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// How many samples are done, resumed ones included.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Writes the last line.
    pub fn finish(mut self) -> Result<PathBuf> {
        if self.done < self.of {
            return Err(Error::Unfinished { path: self.file.path().to_owned(), done: self.done, of: self.of });
        }
        finish_programs().map_err(|fault| distrusted(self.file.path(), fissure_models::Error::from(fault).into()))?;
        self.file.append(&self.held)?;
        self.file.finish(self.done)
    }
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("done", &self.done).field("of", &self.of).finish_non_exhaustive()
    }
}

/// Takes a file of a run out of the way if changed texts in it may be those of other samples: a run that went on would keep
/// them.
fn distrusted(path: &Path, error: Error) -> Error {
    let fault = match &error {
        Error::Model(fissure_models::Error::Program(fault)) if fault.is_of_answers() => fault.clone(),
        // A model that cannot be asked any further says so in words; why is known to its program.
        Error::Unavailable(_) => match check_programs() {
            Err(fault) if fault.is_of_answers() => fault,
            _ => return error,
        },
        _ => return error,
    };
    let mut aside = path.as_os_str().to_owned();
    aside.push(".mixed");
    match std::fs::rename(path, &aside) {
        Ok(()) => Error::Mixed { fault, aside: aside.into() },
        Err(_) => error,
    }
}

/// What is said about a run in findings.
pub(crate) fn about(header: &Header) -> About {
    About {
        version: header.fissure.clone(),
        command: header.command.clone(),
        suite: header.config.selection.suite_name().to_owned(),
        seed: header.config.seed(),
        task: header.config.data.task_name().to_owned(),
        metric: header.metrics.first().cloned().unwrap_or_default(),
        model: header.model.clone(),
        data: header.data.clone(),
        reading: record::reading(&header.config),
        label_match: header.label_match.clone(),
    }
}
