//! Samples from files: cut in order, made many at a time, handed out in batches.

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use fissure_core::{Language, Sample, choices, nearest};
use fissure_tasks::{ColumnPlan, Columns, Fault, Presence, Role, RowMemory, RowReader, SampleId, Task, is_content_id};
use rayon::prelude::*;
use serde_json::Value;

use crate::formats::{Hints, Parser, Raw, Reader, Record, Shape};
use crate::input::Input;
use crate::{BadRow, Error, Format, Result};

/// A batch holds no more than this many bytes of rows, as they will be in memory, so that long texts do not fill it.
const BATCH_BYTES: usize = 64 << 20;

/// How many rows one thread makes at a stretch.
const STRETCH: usize = 64;

/// How many skipped rows are kept for the report.
const SHOWN: usize = 5;

choices! {
    /// What to do about a row that cannot be used.
    pub enum OnBadRow {
        /// End with an error that names it.
        Stop = "stop",
        /// Go on without it, and count it.
        Skip = "skip",
    }
}

/// How files are to be read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    pub task: &'static Task,
    /// Which column is what; the common names if it says nothing.
    pub columns: Columns,
    /// What names a sample.
    pub id: SampleId,
    /// Guessed from the file's name and content if `None`.
    pub format: Option<Format>,
    pub on_bad_row: OnBadRow,
    /// The fields that parts may edit; the task's own choice where `None`.
    pub fields: Option<Vec<String>>,
    /// The language of all texts; by the letters of each where `None`.
    pub language: Option<Language>,
    /// Whether data without labels will do.
    pub unlabelled: bool,
    /// Whether the first row of CSV or TSV is a header. Where `None`: yes, unless `columns` gives numbers.
    pub header: Option<bool>,
    /// Whether the number -1 is a label like any other; in the usual data sets it stands for no label.
    pub minus_one_is_label: bool,
    /// Whether cells of TSV are quoted; guessed from the content if `None`.
    pub quoting: Option<bool>,
    /// Called once for each file with what was guessed about it, as soon as its first row is read.
    pub report: Option<fn(&ReadAs)>,
    /// Called once, with the name of the file, if the label of a row is the number -1: it counts as no label, as in the usual
    /// data sets, but may have been meant as one.
    pub report_minus_one: Option<fn(&str)>,
}

/// How a file is read: what was guessed, or given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadAs {
    pub file: Arc<str>,
    pub format: &'static str,
    /// What each column is to the task, `(role, columns)`.
    pub columns: Vec<(&'static str, Vec<Arc<str>>)>,
    /// The column with the ids; `None` if the texts name the samples.
    pub id: Option<Arc<str>>,
    /// The languages of the open texts of the first rows, those of the most texts first, each with the number of texts.
    pub languages: Vec<(Language, usize)>,
    /// Labels that no column was found for, and the columns that are nothing to the task: one may be misnamed.
    pub unlabelled: Vec<&'static str>,
    pub others: Vec<Arc<str>>,
}

/// Rows that were passed over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipped {
    pub count: u64,
    /// The first few of them.
    pub first: Vec<BadRow>,
}

/// The samples of one file or several.
pub struct Samples {
    options: ReadOptions,
    binding: RowReader,
    files: VecDeque<PathBuf>,
    current: Option<Current>,
    /// How the first file looks.
    shape: Option<Shape>,
    /// Rows cut so far, over all files.
    number: u64,
    skipped: Skipped,
    /// What [`Iterator`] has read and not handed out yet.
    ahead: std::vec::IntoIter<Sample>,
}

struct Current {
    file: Arc<str>,
    reader: Box<dyn Reader>,
    parser: Parser,
    /// Rows cut from this file.
    rows: u64,
    shape: Shape,
    memory: RowMemory,
}

impl ReadOptions {
    /// The defaults for a task: everything guessed, and a bad row ends the reading.
    pub fn new(task: &'static Task) -> Self {
        Self {
            task,
            columns: Columns::default(),
            id: SampleId::default(),
            format: None,
            on_bad_row: OnBadRow::Stop,
            fields: None,
            language: None,
            unlabelled: false,
            minus_one_is_label: false,
            header: None,
            quoting: None,
            report: None,
            report_minus_one: None,
        }
    }
}

impl Samples {
    /// Opens files, read one after the other; `-` is standard input. The first is opened at once, so that a wrong name
    /// is reported before any work is done.
    pub fn open<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>, options: ReadOptions) -> Result<Self> {
        let mut samples = Self::new(options)?;
        samples.files = paths.into_iter().map(Into::into).collect();
        samples.current = samples.next_file()?;
        samples.shape = samples.current.as_ref().map(|current| current.shape.clone());
        Ok(samples)
    }

    /// Reads from any stream; `name` is the name of the file in messages, and its ending gives the format.
    pub fn of_bytes(name: &str, bytes: impl Read + Send + 'static, options: ReadOptions) -> Result<Self> {
        let mut samples = Self::new(options)?;
        samples.current = Some(samples.start(Input::of(name.into(), Box::new(bytes))?)?);
        samples.shape = samples.current.as_ref().map(|current| current.shape.clone());
        Ok(samples)
    }

    /// The next samples, up to `size` of them (fewer at the end of a file, and where texts are long); none at the end.
    /// Neither `size` nor the number of threads changes what comes.
    pub fn batch(&mut self, size: usize) -> Result<Vec<Sample>> {
        loop {
            let Some(current) = &mut self.current else { return Ok(Vec::new()) };
            let mut records = Vec::new();
            let mut bytes = 0;
            while records.len() < size.max(1) && bytes < BATCH_BYTES {
                let Some(record) = current.reader.next_record(current.rows)? else { break };
                bytes += record.raw.size();
                current.rows += 1;
                records.push(record);
            }
            if records.is_empty() {
                self.current = self.next_file()?;
                continue;
            }
            let samples = self.make(records)?;
            if !samples.is_empty() {
                return Ok(samples);
            }
        }
    }

    /// How the first file looks, to write another like it; `None` if there is no file.
    pub fn shape(&self) -> Option<&Shape> {
        self.shape.as_ref()
    }

    /// The rows passed over so far.
    pub fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    fn new(options: ReadOptions) -> Result<Self> {
        options.columns.check(options.task)?;
        if let Some(fields) = &options.fields {
            check_fields(options.task, fields)?;
        }
        let binding = RowReader {
            task: options.task,
            columns: options.columns.clone(),
            id: options.id.clone(),
            unlabelled: options.unlabelled,
            minus_one_is_label: options.minus_one_is_label,
            fields: options.fields.clone(),
        };
        Ok(Self {
            options,
            binding,
            files: VecDeque::new(),
            current: None,
            shape: None,
            number: 0,
            skipped: Skipped::default(),
            ahead: Vec::new().into_iter(),
        })
    }

    fn next_file(&mut self) -> Result<Option<Current>> {
        match self.files.pop_front() {
            None => Ok(None),
            Some(path) => self.start(Input::open(&path)?).map(Some),
        }
    }

    fn start(&self, input: Input) -> Result<Current> {
        let format = self.options.format.unwrap_or_else(|| Format::guess(&input));
        let hints =
            Hints { header: self.options.header, quoting: self.options.quoting, columns: self.options.columns.clone() };
        let file = Arc::clone(&input.name);
        let shape = Shape::of(&input, format, &hints);
        let reader = format.reader(input, &hints)?;
        Ok(Current { file, parser: reader.parser(), reader, rows: 0, shape, memory: RowMemory::default() })
    }

    /// Makes samples of the records just cut, on all threads, in order.
    fn make(&mut self, records: Vec<Record>) -> Result<Vec<Sample>> {
        let Some(current) = &mut self.current else { return Ok(Vec::new()) };
        let first = self.number;
        self.number += records.len() as u64;
        let starts_file = current.rows == records.len() as u64;
        let (parser, binding, file) = (&current.parser, &self.binding, &current.file);
        let make = |memory: &mut RowMemory, (at, record): (usize, Record)| {
            let number = first + at as u64;
            let line = record.line;
            let (row, odd) = match record.raw {
                Raw::Bytes(bytes) => (parser(bytes), Vec::new()),
                Raw::Row(row) => (Ok(row), Vec::new()),
                Raw::NotNumbers(row, odd) => (Ok(row), odd),
            };
            let made = row.and_then(|row| binding.sample(row, memory));
            let made = made.and_then(|sample| match odd.iter().find_map(|at| memory.task_column(*at)) {
                None => Ok(sample),
                Some(column) => Err(Fault::at(column, "not a number (NaN or infinite)", "")),
            });
            made.map_err(|fault| BadRow { file: Arc::clone(file), line, number, fault })
        };

        // The first row settles what the columns are; where that fails, the file is not what the user thinks it is.
        let mut records = records.into_iter().enumerate();
        let mut made = Vec::with_capacity(records.len());
        if let Some(record) = records.next() {
            match make(&mut current.memory, record) {
                Err(BadRow { file, fault: Fault { of_columns: true, why, .. }, .. }) if starts_file => {
                    return Err(Error::Columns { file, why });
                }
                first => made.push(first),
            }
        }
        let memory = &current.memory;
        let rest: Vec<_> = records.collect();
        made.par_extend(rest.into_par_iter().with_min_len(STRETCH).map_init(|| memory.clone(), make));
        if let Some(language) = self.options.language {
            for field in made.iter_mut().flatten().flat_map(|sample: &mut Sample| &mut sample.fields) {
                field.text = std::mem::take(&mut field.text).in_language(language);
            }
        }
        if let (true, Some(report), Some(plan)) = (starts_file, self.options.report, memory.plan()) {
            // A column whose values are no names, such as the numbers of tokens, does not identify a sample.
            let names = !made.iter().flatten().any(|sample: &Sample| is_content_id(&sample.id));
            report(&ReadAs {
                languages: languages(made.iter().flatten()),
                id: plan.id.filter(|_| names).map(|at| Arc::clone(&plan.names[at])),
                ..ReadAs::new(current, self.options.task, plan)
            });
        }
        if let (Some(report), Some(plan)) = (self.options.report_minus_one, memory.plan()) {
            let roles = self.options.task.roles.iter().zip(&plan.columns);
            let labels = roles.filter(|(role, _)| role.need == Presence::Label).flat_map(|(_, columns)| columns);
            let labels: Vec<&Arc<str>> = labels.map(|at| &plan.names[*at]).collect();
            let is_none = |(name, value): &(Arc<str>, Value)| labels.contains(&name) && value.as_i64() == Some(-1);
            if made.iter().flatten().any(|sample| sample.label.is_none() && sample.extra.iter().any(is_none)) {
                report(file);
                self.options.report_minus_one = None;
            }
        }
        let mut samples = Vec::with_capacity(made.len());
        for result in made {
            match result {
                Ok(sample) => samples.push(sample),
                Err(bad) if self.options.on_bad_row == OnBadRow::Stop => return Err(Error::BadRow(bad)),
                Err(bad) => {
                    self.skipped.count += 1;
                    if self.skipped.first.len() < SHOWN {
                        self.skipped.first.push(bad);
                    }
                }
            }
        }
        Ok(samples)
    }
}

impl ReadAs {
    fn new(current: &Current, task: &Task, plan: &ColumnPlan) -> Self {
        let name = |column: &usize| Arc::clone(&plan.names[*column]);
        let of_role = |(role, columns): (&Role, &Vec<usize>)| (role.name, columns.iter().map(name).collect());
        let columns = task.roles.iter().zip(&plan.columns).filter(|(_, columns)| !columns.is_empty());
        let missing = task.roles.iter().zip(&plan.columns).filter(|(_, columns)| columns.is_empty());
        let unlabelled = missing.filter(|(role, _)| role.need == Presence::Label).map(|(role, _)| role.name);
        let is_other = |at: &usize| plan.roles[*at].is_none() && plan.id != Some(*at);
        Self {
            file: Arc::clone(&current.file),
            format: current.shape.described(),
            columns: columns.map(of_role).collect(),
            id: plan.id.as_ref().map(name),
            languages: Vec::new(),
            unlabelled: unlabelled.collect(),
            others: (0..plan.names.len()).filter(is_other).map(|at| Arc::clone(&plan.names[at])).collect(),
        }
    }
}

/// How many open texts are in each language, the most frequent first.
fn languages<'a>(samples: impl Iterator<Item = &'a Sample>) -> Vec<(Language, usize)> {
    let mut counts: BTreeMap<Language, usize> = BTreeMap::new();
    for field in samples.flat_map(|sample| &sample.fields).filter(|field| field.open) {
        *counts.entry(field.text.language()).or_default() += 1;
    }
    let mut counts: Vec<(Language, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Checks that the task has all of these fields.
pub fn check_fields(task: &Task, fields: &[String]) -> Result<()> {
    for field in fields {
        if !task.fields().any(|known| known == field) {
            let nearest = nearest(field, task.fields()).first().map_or(String::new(), |name| format!(" (`{name}`?)"));
            let known = task.fields().collect::<Vec<_>>().join("`, `");
            return Err(Error::Field { task: task.card.name, field: field.clone(), nearest, known });
        }
    }
    Ok(())
}

impl Iterator for Samples {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Result<Sample>> {
        if let Some(sample) = self.ahead.next() {
            return Some(Ok(sample));
        }
        match self.batch(1024) {
            Ok(samples) => {
                self.ahead = samples.into_iter();
                self.ahead.next().map(Ok)
            }
            Err(error) => {
                // After an error there is nothing more: the file may be broken anywhere behind it.
                (self.current, self.files) = (None, VecDeque::new());
                Some(Err(error))
            }
        }
    }
}

impl std::fmt::Debug for Samples {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Samples").field("options", &self.options).field("number", &self.number).finish_non_exhaustive()
    }
}
