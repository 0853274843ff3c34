//! Chains of transformations on texts, rows and tables.

mod made;

use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Field, Schema};
use fissure_core::{
    Chain, Entry, Expectation, Filter, FilterError, Label, Need, Pipeline, Resources, Sample, Thresholds, Transform,
};
use fissure_kit::resources::check_programs;
use fissure_probes::{TRANSFORMS, VALIDATORS};
use fissure_tasks::{Gathered, Task};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use serde_json::{Number, Value};

use crate::input::{self, Read, Reading, Rows};
use crate::resources::Lent;
use crate::strings::{column as column_of, kind_beside};
use crate::table::Table;
use crate::values::of_row;
use crate::{arrow, errors, windows};
use made::{Made, Plan, Stretch};

/// A chain of parts with their knobs.
#[pyclass(frozen, module = "fissure._native")]
pub struct NativeChain {
    /// Each part with the settings that differ from its defaults: the description of the chain.
    #[pyo3(get)]
    parts: Parts,
    entries: Vec<&'static Entry<dyn Transform>>,
    settings: Vec<(String, String)>,
    chain: Chain,
    lent: Lent,
}

/// How a chain is run.
#[derive(FromPyObject)]
pub struct How {
    #[pyo3(item)]
    seed: u64,
    /// `VALIDATOR>=NUMBER`.
    #[pyo3(item)]
    keep: Vec<String>,
    #[pyo3(item("where"))]
    condition: Option<String>,
    /// `LABEL=SENSE`.
    #[pyo3(item)]
    senses: Vec<String>,
    /// Whether this is all of the data, which may then be donors for one another; else a piece of them, as on a cluster.
    #[pyo3(item)]
    whole: bool,
    /// Whether to stay on the thread of the caller.
    #[pyo3(item)]
    alone: bool,
    #[pyo3(item)]
    skip_bad: bool,
}

/// Parts by name, each with its settings.
type Parts = Vec<(String, Vec<(String, String)>)>;

/// What happened to texts: the changed ones, what was done, why not, and the edits as JSON.
type Lists<'py> = (Bound<'py, PyList>, Bound<'py, PyList>, Bound<'py, PyList>, Bound<'py, PyList>);

#[pymethods]
impl NativeChain {
    /// The chain of these parts, each with its settings, and their resources.
    #[new]
    #[pyo3(signature = (parts, lent = None))]
    fn new(py: Python<'_>, parts: Parts, lent: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let lent = Lent::new(py, lent)?;
        let mut entries = Vec::new();
        let mut described = Vec::new();
        let mut settings: Vec<(String, String)> = Vec::new();
        for (name, own) in parts {
            let entry = TRANSFORMS.find(&name).map_err(|error| errors::core(py, &error))?;
            let name = entry.card.name;
            let knobs = entry.knobs();
            let usual = |(knob, value): &(String, String)| {
                let number = |text: &str| text.parse::<f64>().ok();
                let same =
                    |default: &str| default == value || number(default).is_some_and(|x| number(value) == Some(x));
                knobs.iter().any(|card| card.name == knob && same(&card.default))
            };
            let own: Vec<_> = own.into_iter().filter(|setting| !usual(setting)).collect();
            described.push((name.to_owned(), own.clone()));
            let own: Vec<_> = own.into_iter().map(|(knob, value)| (format!("{name}.{knob}"), value)).collect();
            let first = entries.iter().any(|known: &&Entry<dyn Transform>| known.card.name == name);
            let known: Vec<_> = settings.iter().filter(|(knob, _)| knob.split('.').next() == Some(name)).collect();
            if first && !known.into_iter().eq(&own) {
                let message = format!("`{name}` is twice in the chain, with different knobs; give both the same ones");
                return Err(errors::raise(py, "BadKnob", &message, &[]));
            }
            entries.push(entry);
            settings.extend(own.into_iter().filter(|_| !first));
        }
        let chain = Chain::of(&entries, &settings).map_err(|error| errors::core(py, &error))?;
        Ok(Self { parts: described, entries, settings, chain, lent })
    }

    #[getter]
    fn name(&self) -> &str {
        self.chain.name()
    }

    /// What the chain does to the right answer of a task.
    #[pyo3(signature = (task = input::PLAIN))]
    fn expectation(&self, py: Python<'_>, task: &str) -> PyResult<&'static str> {
        let task = fissure_tasks::find(task).map_err(|error| errors::task(py, &error))?;
        Ok(self.chain.expects_on(&task.facts).name())
    }

    /// Whether parts take words or meanings from the data as a whole. With `senses` the user says what labels mean.
    fn gathers(&self, senses: bool) -> bool {
        let needs = self.gathered_needs().into_iter().filter(|need| !senses || *need != Need::LabelSenses);
        !Gathered::is_idle(&needs.collect::<Vec<_>>())
    }

    /// Changes plain texts.
    #[pyo3(signature = (texts, ids, how))]
    fn texts<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyList>,
        ids: Option<&Bound<'py, PyList>>,
        how: How,
    ) -> PyResult<Lists<'py>> {
        let given = input::given(py, texts, ids, how.skip_bad)?;
        let bytes = |range: Range<usize>| given[range].iter().flatten().map(|(text, _)| text.len()).sum::<usize>();
        let made = self.stretches(py, given.len(), |at| input::of_given(&given[at]), bytes, &how)?;
        let text = |(at, changed): (usize, Option<&str>)| match changed {
            Some(text) => Ok(PyString::new(py, text).into_any()),
            // What was not changed is the user's own object.
            None => texts.get_item(at),
        };
        let changed = made.iter().flat_map(Stretch::changed).enumerate().map(text).collect::<PyResult<Vec<_>>>()?;
        // Texts share the few objects that name their status.
        let mut known: Vec<(&str, Bound<'py, PyString>)> = Vec::new();
        let mut status = |made: &'static str| {
            if let Some((_, object)) = known.iter().find(|(status, _)| *status == made) {
                return object.clone();
            }
            let object = PyString::intern(py, made);
            known.push((made, object.clone()));
            object
        };
        let status: Vec<_> = made.iter().flat_map(Stretch::status).map(&mut status).collect();
        let reasons: Vec<_> = made.iter().flat_map(Stretch::reasons).collect();
        let edits: Vec<_> = made.iter().flat_map(Stretch::edits).flatten().map(|one| PyString::new(py, one)).collect();
        Ok((PyList::new(py, changed)?, PyList::new(py, status)?, PyList::new(py, reasons)?, PyList::new(py, edits)?))
    }

    /// Changes rows of a task: for each `(row, status, reason, edits, labels)`.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyList>,
        reading: Reading,
        how: How,
    ) -> PyResult<Bound<'py, PyList>> {
        let task = reading.task(py)?;
        let (given, read) = reading.samples(py, rows, how.skip_bad)?;
        let made = self.run(py, task, &read, &how)?;
        let list = PyList::empty(py);
        for (at, made) in made.iter().enumerate() {
            let row = match &made.row {
                Some(row) => of_row(py, row, &given[at], &rows.get_item(at)?)?.into_any(),
                None => rows.get_item(at)?,
            };
            list.append((row, made.status, made.reason.as_deref(), &*made.edits, &*made.labels))?;
        }
        Ok(list)
    }

    /// Changes a column of a table: the same table with the columns `changed`, `status`, `reason` and `edits`.
    #[pyo3(signature = (table, column, id, how))]
    fn table(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        column: Option<String>,
        id: Option<&str>,
        how: How,
    ) -> PyResult<Table> {
        let (schema, batches) = arrow::read(table)?;
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        if let Some(taken) = NEW.iter().find(|new| names.iter().any(|name| name == *new)) {
            let message = format!("the table has a column `{taken}` already, which the result would have; rename it");
            return Err(errors::raise(py, "BadRow", &message, &[("column", Some((*taken).into()))]));
        }
        let at = input::text_columns(py, names, column, id)?;
        let mut rows = Vec::with_capacity(batches.len());
        let mut starts = Vec::with_capacity(batches.len());
        let mut count = 0;
        for batch in &batches {
            let batch = Rows::of(py, batch, at, count, how.skip_bad)?;
            starts.push(count);
            count += batch.len();
            rows.push(batch);
        }
        // The batch that a row is in, and its number there.
        let find = |at: usize| {
            let batch = starts.partition_point(|start| *start <= at) - 1;
            (&rows[batch], at - starts[batch])
        };
        let read = |at: usize| {
            let (batch, at) = find(at);
            batch.read(at)
        };
        let length = |at: usize| {
            let (batch, at) = find(at);
            batch.text(at).map_or(0, str::len)
        };
        let made = self.stretches(py, count, read, |range| range.map(length).sum(), &how)?;
        let kind = kind_beside(schema.field(at.0).data_type());
        let new = NEW.iter().map(|name| Arc::new(Field::new(*name, kind.clone(), true)));
        let fields: Vec<_> = schema.fields().iter().cloned().chain(new).collect();
        let schema = Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone()));
        let (bytes, bytes_of_edits) = made.iter().map(Stretch::bytes).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        let mut changed = made.iter().flat_map(Stretch::changed);
        let mut status = made.iter().flat_map(Stretch::status).map(Some);
        let mut reasons = made.iter().flat_map(Stretch::reasons);
        let mut edits = made.iter().flat_map(Stretch::edits);
        let mut given = Vec::with_capacity(batches.len());
        for (batch, rows) in batches.iter().zip(&rows) {
            let number = rows.len();
            // The share of the room that is this batch's.
            let room = |bytes: usize| (number, (bytes as f64 * number as f64 / count.max(1) as f64) as usize);
            let texts = changed.by_ref().take(number).enumerate().map(|(at, text)| text.or_else(|| rows.text(at)));
            let mut columns = batch.columns().to_vec();
            columns.push(column_of(&kind, room(bytes), texts));
            columns.push(column_of(&kind, room(8 * count), status.by_ref().take(number)));
            columns.push(column_of(&kind, room(0), reasons.by_ref().take(number)));
            columns.push(column_of(&kind, room(bytes_of_edits), edits.by_ref().take(number)));
            given.push(RecordBatch::try_new(Arc::clone(&schema), columns).map_err(errors::broken)?);
        }
        Ok(Table::new(schema, given))
    }
}

/// The columns that a changed table has besides its own.
const NEW: [&str; 4] = ["changed", "status", "reason", "edits"];

/// The parts of `a+b` with what each gets of the settings: `knob` goes to every part that has it, `part.knob` to one.
#[pyfunction]
pub fn split_settings(py: Python<'_>, names: &str, settings: Vec<(String, String)>) -> PyResult<Parts> {
    // Names and knobs that nothing has are refused as everywhere.
    Chain::build(&TRANSFORMS, names, &settings).map_err(|error| errors::core(py, &error))?;
    let part = |name: &str| {
        let entry = TRANSFORMS.find(name.trim())?;
        let knobs = entry.knobs();
        let own = settings.iter().filter_map(|(name, value)| {
            let knob = match name.split_once('.') {
                Some((part, knob)) => Some(knob).filter(|_| entry.card.is_called(part)),
                None => Some(name.as_str()).filter(|name| knobs.iter().any(|card| card.name == *name)),
            };
            Some((knob?.to_owned(), value.clone()))
        });
        Ok((entry.card.name.to_owned(), own.collect()))
    };
    let parts: fissure_core::Result<Vec<_>> = names.split('+').map(part).collect();
    parts.map_err(|error| errors::core(py, &error))
}

fn plain(py: Python<'_>) -> PyResult<&'static Task> {
    fissure_tasks::find(input::PLAIN).map_err(|error| errors::task(py, &error))
}

impl NativeChain {
    fn needs(&self) -> Vec<Need> {
        self.chain.cards().flat_map(|card| card.needs).copied().collect()
    }

    /// What happens to plain texts: `read` makes the sample of a number below `count`, and `bytes` says how long some texts
    /// are. A sample is made, changed and written down on one thread.
    fn stretches(
        &self,
        py: Python<'_>,
        count: usize,
        read: impl Fn(usize) -> Read + Sync,
        bytes: impl Fn(Range<usize>) -> usize + Sync,
        how: &How,
    ) -> PyResult<Vec<Stretch>> {
        // All at once only if parts learn from all of them.
        let numbers: Vec<usize> = if self.gathers(false) { (0..count).collect() } else { Vec::new() };
        let known = windows::each(py, &numbers, how.alone, |at| read(*at))?;
        self.planned(py, plain(py)?, &known, how, |plan| {
            windows::ranges(py, count, how.alone, |range| {
                let mut stretch = Stretch::with_room(range.len(), bytes(range.clone()));
                for at in range {
                    stretch.push(match known.get(at) {
                        Some(known) => plan.make(known)?,
                        None => plan.make(&read(at))?,
                    });
                }
                Ok(stretch)
            })
        })
    }

    /// What happens to every sample, in order.
    fn run(&self, py: Python<'_>, task: &'static Task, read: &[Read], how: &How) -> PyResult<Vec<Made>> {
        self.planned(py, task, read, how, |plan| {
            Ok(windows::each(py, read, how.alone, |read| plan.make(read))?.into_iter().collect())
        })
    }

    /// Does the work with the chain and all that it needs; `read` are the samples, if parts learn from all of them.
    fn planned<R>(
        &self,
        py: Python<'_>,
        task: &'static Task,
        read: &[Read],
        how: &How,
        work: impl FnOnce(&Plan<'_>) -> PyResult<Result<R, FilterError>>,
    ) -> PyResult<R> {
        if let Some((card, why)) = self.chain.cards().find_map(|card| Some((card, card.refuses(&task.facts)?))) {
            let (part, task) = (card.name, task.name());
            let message = format!("`{part}` does not serve the task `{task}`: it {why}");
            return Err(errors::raise(py, "NotOffered", &message, &[]));
        }
        let resources = self.resources(py, task, read, how)?;
        let keeps = Thresholds::parse(&VALIDATORS, &how.keep, &resources).map_err(|error| errors::core(py, &error))?;
        let condition = how.condition.as_deref().map(Filter::parse).transpose();
        let condition = condition.map_err(|error| errors::core(py, &error.into()))?;
        let lent;
        let chain = if self.needs().is_empty() {
            &self.chain
        } else {
            let chain = Chain::of(&self.entries, &self.settings).map_err(|error| errors::core(py, &error))?;
            lent = chain.with(resources.clone());
            &lent
        };
        if let Some((part, need)) = chain.lacks() {
            let message = format!("`{part}` cannot be run: {}", need.advice());
            return Err(errors::raise(py, "NotOffered", &message, &[]));
        }
        let pipeline = Pipeline { chain, keep: &keeps, resources: &resources };
        let plan = Plan { pipeline, condition: condition.as_ref(), task, seed: how.seed };
        let made = work(&plan)?;
        check_programs().map_err(|error| errors::of_command(py, &error.into()))?;
        made.map_err(|error| errors::core(py, &error.into()))
    }

    /// The needs that the data themselves must meet.
    fn gathered_needs(&self) -> Vec<Need> {
        let lent = |need: &Need| *need == Need::Donors && !self.lent.files.donors.is_empty();
        self.needs().into_iter().filter(|need| !lent(need)).collect()
    }

    /// The resources that the user and the data themselves provide.
    fn resources(&self, py: Python<'_>, task: &'static Task, read: &[Read], how: &How) -> PyResult<Resources> {
        let mut resources = self.lent.open(py, task)?;
        let mut needs = self.gathered_needs();
        // What turns the right answer writes the opposite label if that can be known.
        if (how.whole || !how.senses.is_empty()) && self.chain.expects_on(&task.facts) == Expectation::Flipped {
            needs.push(Need::LabelSenses);
        }
        if Gathered::is_idle(&needs) {
            return Ok(resources);
        }
        let mut gathered = Gathered::for_needs(&needs);
        for sample in read.iter().flatten().filter(|_| how.whole) {
            gathered.add(sample);
        }
        if !how.whole {
            name_classes(&mut gathered, read, &how.senses);
        }
        let gathered = gathered.finish();
        if !how.senses.is_empty() {
            let spelling = gathered.spelling(&how.senses);
            resources.spelling = Some(Arc::new(spelling.map_err(|why| errors::raise(py, "BadKnob", &why, &[]))?));
        }
        gathered.add_to(task, &mut resources);
        Ok(resources)
    }
}

/// The labels that the user gives a sense to, in the type of those in a piece of the data, which need not hold them all.
fn name_classes(gathered: &mut Gathered, read: &[Read], senses: &[String]) {
    let is_number = |sample: &Sample| matches!(sample.label, Some(Label(Value::Number(_))));
    let has_numbers = read.iter().flatten().any(is_number);
    for name in senses.iter().filter_map(|pair| Some(pair.split_once('=')?.0.trim())) {
        let number = has_numbers.then(|| name.parse::<Number>().ok()).flatten();
        let label = Label(number.map_or_else(|| name.into(), Value::Number));
        gathered.add_class(&Sample { label: Some(label), ..Sample::default() });
    }
}
