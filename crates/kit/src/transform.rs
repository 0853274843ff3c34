//! Changing a data set with a chain: streaming, in parallel, and so that it can be continued after a stop.

mod counts;
mod line;
mod out;

use std::path::Path;
use std::time::{Duration, Instant};

use fissure_core::{Chain, Copies, Expectation, Filter, Label, Need, Pipeline, Resources, Sample, Thresholds};
use fissure_data::{Skipped, Task};
use fissure_evaluate::suite::SUITES;
use fissure_probes::{TRANSFORMS, VALIDATORS};
use fissure_repair::SOURCE;
use fissure_settings::{ChangeOptions, DataSource, ResourceFiles};
use rayon::prelude::*;
use serde_json::Value;

use crate::notice::note;
use crate::outputs::Inputs;
use crate::resume::{self, Begin, Resumable};
use crate::{Error, Result, data, resources};
pub use counts::Counts;
pub use line::turn;
use line::{Made, Plan};
use out::Out;

/// A data set to change, and how.
#[derive(Debug, Clone)]
pub struct Transformation<'a> {
    /// A part, or several with `+` between them.
    pub chain: &'a str,
    pub data: &'a DataSource,
    pub changes: &'a ChangeOptions,
    pub resources: &'a ResourceFiles,
    /// A model that says which words carry its answer.
    pub model: Option<&'a str>,
    /// Leave out samples that stay as they were.
    pub only_changed: bool,
    /// Where the result goes; its ending says the format. Standard output if there is none.
    pub out: Option<&'a Path>,
    pub begin: Begin,
    /// Refuse a chain that lacks a resource, instead of skipping every sample.
    pub refuse_lacking: bool,
    /// What is written of each sample.
    pub rows: Rows,
}

/// What is written of each sample.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rows {
    /// As JSON lines, what happened and how; in other formats the changed data set.
    #[default]
    Trails,
    /// The changed data set, in every format.
    Changed,
    /// The original of every changed row, in its place.
    Originals,
}

/// What came of it.
#[derive(Debug)]
pub struct Transformed {
    pub chain: String,
    pub expectation: Expectation,
    pub counts: Counts,
    /// Samples with texts of their own that have the id of one before them.
    pub shared_ids: usize,
    /// Rows that could not be read and were left out.
    pub bad_rows: Skipped,
}

/// Samples that are changed before the first are written. A part may be a program, or ask a translator, and take long for each;
/// what is written is kept. As long as they take less than `SHORT`, more are changed at a time, so that fast parts do not wait.
const FIRST: usize = 16;
const MOST: usize = 4096;
const SHORT: Duration = Duration::from_millis(250);

/// At most this many labels are named in a message.
const SHOWN: usize = 8;

impl Transformation<'_> {
    /// Changes the data set; `progress` is called with the number of samples that were just done.
    pub fn run(&self, progress: &mut dyn FnMut(u64)) -> Result<Transformed> {
        let done = self.change(progress);
        if let (Err(error), Some(path)) = (&done, self.out)
            && error.is_of_answers()
        {
            // A run that went on from here would keep texts of other samples.
            resume::discard(path);
        }
        done
    }

    fn change(&self, progress: &mut dyn FnMut(u64)) -> Result<Transformed> {
        let inputs = Inputs::of(self.data).and_resources(self.resources).and(self.model);
        inputs.check_resumable(self.out, self.begin)?;
        let task = data::task(self.data)?;
        let condition = self.changes.condition.as_deref().map(Filter::parse).transpose()?;
        let (chain, resources, keep, classes) = self.chain(task)?;
        // A change needs no label; if there is one it is carried along.
        let mut samples = data::open_unlabelled(self.data, task)?;
        let shape = samples.shape().cloned();
        let turns = chain.expects_on(&task.facts) == Expectation::Flipped;
        if turns && out::is_data_set(self.out, shape.as_ref(), self.rows) {
            self.refuse_wrong_labels(&chain, &resources, &classes)?;
        }
        let limit = self.data.limit;
        let mut next = data::next(&mut samples, limit, 0)?;
        // What a stopped run was about is checked first; then no sample means other data.
        if !self.begin.resume {
            data::refuse_empty(self.data, next.as_ref().map_or(0, Vec::len), samples.skipped())?;
        }
        let start = || Out::create(self.out, shape.as_ref(), task, self.begin.existing(), self.rows);
        let go_on = |path: &Path| Out::resume(path, shape.as_ref(), task, self.rows);
        let (mut run, mut out) = Resumable::open(self.out, self.begin.resume, self.settled()?, start, go_on)?;
        let first = next.as_ref().and_then(|batch| batch.first());
        let origins =
            self.changes.variants() > 1 && out.is_table() && first.is_some_and(|first| lacks_origin(first, task));
        if origins {
            note(&format!(
                "the column {SOURCE} says of which sample a row was made, so that `train` keeps forms of one on one side"
            ));
        }
        if self.changes.variants() > 1
            && !origins
            && !out.takes_lines()
            && first.is_some_and(|first| is_nameless(first, task))
        {
            note(
                "the rows written do not say of which sample they are a form: `train` would hold out forms of what it learned from. \
                 Write .jsonl, or a table with names of columns, to train on them",
            );
        }
        let plan = Plan {
            pipeline: Pipeline { chain: &chain, keep: &keep, resources: &resources },
            task,
            seed: self.changes.seed(),
            variants: self.changes.variants(),
            only_changed: self.only_changed,
            as_lines: out.takes_lines(),
            may_refuse: out.may_refuse(),
            originals: self.rows == Rows::Originals,
            turns,
            origins,
        };
        let make = |sample: &Sample| -> Result<Option<Made>> {
            let holds = condition.as_ref().map_or(Ok(true), |condition| condition.holds(sample))?;
            Ok(holds.then(|| plan.make(sample)))
        };
        let mut counts: Counts = run.counts().unwrap_or_default();
        let (mut read, mut copies) = (0, Copies::default());
        let mut size = FIRST;
        while let Some(batch) = next {
            read += batch.len();
            out.columns_of(&batch);
            for sample in &batch {
                copies.add(sample);
            }
            let batch = &batch[run.done_of(&batch)?..];
            let change = || -> Result<()> {
                let mut rest = batch;
                while !rest.is_empty() {
                    let some = rest.split_off(..size.min(rest.len())).unwrap_or_default();
                    let began = Instant::now();
                    let made: Vec<_> = some.par_iter().map(make).collect();
                    resources::check_programs()?;
                    for (sample, made) in some.iter().zip(made) {
                        match made? {
                            Some(made) => {
                                out.write(&made)?;
                                counts.add(made.counts);
                            }
                            None => counts.left_out += 1,
                        }
                        run.wrote(sample, &mut out, &counts)?;
                    }
                    run.batch_ends(&mut out, &counts)?;
                    if began.elapsed() < SHORT {
                        size = (4 * size).min(MOST);
                    }
                }
                Ok(())
            };
            // While these are changed and written, the next are read: what is done waits for no slow pipe and no bad row.
            let (changed, following) = rayon::join(change, || data::next(&mut samples, limit, read));
            changed?;
            progress(batch.len() as u64);
            next = following?;
        }
        run.check_end()?;
        data::refuse_empty(self.data, read, samples.skipped())?;
        out.finish()?;
        Ok(Transformed {
            chain: chain.name().to_owned(),
            expectation: chain.expects_on(&task.facts),
            counts,
            shared_ids: copies.shared_ids(),
            bad_rows: samples.skipped().clone(),
        })
    }

    /// The rows of a data set say nothing but their label, so a change that turns the answer needs to know the other one.
    fn refuse_wrong_labels(&self, chain: &Chain, resources: &Resources, classes: &[Label]) -> Result<()> {
        if self.data.is_input() {
            return Err(Error::GatherFromInput);
        }
        let is_known = resources.spelling.as_ref().is_some_and(|spelling| spelling.has_opposites());
        if is_known || classes.is_empty() {
            return Ok(());
        }
        let mut labels: Vec<String> = classes.iter().take(SHOWN).map(|label| format!("`{label}`")).collect();
        if classes.len() > SHOWN {
            labels.push("...".into());
        }
        Err(Error::OppositeUnknown { chain: chain.name().to_owned(), labels: labels.join(", ") })
    }

    /// The chain with its resources, what its changes must meet, and the classes of the data if they were looked for.
    fn chain(&self, task: &'static Task) -> Result<(Chain, Resources, Thresholds, Vec<Label>)> {
        let settings = self.changes.knob_settings_of(self.chain);
        let resources = resources::open_with_model(self.resources, self.model, self.data)?;
        let keep = Thresholds::parse(&VALIDATORS, &self.changes.keep, &resources)?;
        let chain = Chain::build(&TRANSFORMS, self.chain, &settings).map_err(|error| match error {
            // A suite is several parts, which write a file each.
            fissure_core::Error::UnknownName { .. } if SUITES.iter().any(|suite| suite.name == self.chain) => {
                Error::IsSuite { name: self.chain.to_owned() }
            }
            error => error.into(),
        })?;
        let mut needs: Vec<Need> = chain.cards().flat_map(|card| card.needs).copied().collect();
        if chain.expects_on(&task.facts) == Expectation::Flipped && !self.data.is_input() {
            needs.push(Need::LabelSenses);
        }
        let (resources, classes) = resources::of_data(resources, self.resources, self.data, &needs)?;
        let chain = chain.with(resources.clone());
        if let Some((part, need)) = chain.lacks().filter(|_| self.refuse_lacking) {
            return Err(Error::Lacks { part, advice: need.advice() });
        }
        if let Some((card, why)) = chain.cards().find_map(|card| Some((card, card.refuses(&task.facts)?))) {
            return Err(Error::WrongTask { part: card.name, task: task.name(), why });
        }
        Ok((chain, resources, keep, classes))
    }

    /// Everything that the changed texts depend on besides the data.
    fn settled(&self) -> Result<String> {
        let Self { chain, data, changes, resources, model, only_changed, rows, .. } = self;
        let printed = format!("{chain} {data:?} {changes:?} {resources:?} {model:?} {only_changed} {rows:?}");
        resume::settings(&printed, resume::used(resources, *model))
    }
}

/// Whether the row of a sample says nowhere which sample it is, and has room for that: a table without a head has none.
fn lacks_origin(sample: &Sample, task: &Task) -> bool {
    let row = task.row(sample);
    let has_names = !row.names().enumerate().all(|(at, name)| **name == *(at + 1).to_string());
    has_names && is_nameless(sample, task)
}

/// Whether the row of a sample says nowhere which sample it is.
fn is_nameless(sample: &Sample, task: &Task) -> bool {
    let row = task.row(sample);
    let is_id = |value: &Value| match value {
        Value::String(text) => *text == sample.id,
        other => sample.id == other.to_string().as_str(),
    };
    row.get(SOURCE).is_none() && !row.0.iter().any(|(_, value)| is_id(value))
}
