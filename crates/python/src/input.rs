//! Samples from what Python has: texts, rows, columns of Arrow. They are named as the command line names them: by an id
//! column, else by their texts.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema};
use fissure_core::Sample;
use fissure_data::arrow::value;
use fissure_tasks::{
    ColumnPlan, Columns, Fault, Row, RowMemory, RowReader, SampleId, Task, content_id, find, id_of, shorten,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyList, PyString};
use serde_json::Value;

use crate::strings::Texts;
use crate::values::{to_carried_row, to_json};
use crate::{errors, windows};

/// A sample, or why there is none.
pub type Read = Result<Sample, Fault>;

/// The task of plain texts: what the command line takes unless it is given another.
pub const PLAIN: &str = "classification";

/// How rows become samples.
#[derive(FromPyObject)]
pub struct Reading {
    #[pyo3(item)]
    task: String,
    /// `(role, column)`.
    #[pyo3(item)]
    columns: Vec<(String, String)>,
    #[pyo3(item)]
    id: Option<String>,
    #[pyo3(item)]
    fields: Option<Vec<String>>,
    #[pyo3(item)]
    labelled: bool,
}

impl Reading {
    pub fn task(&self, py: Python<'_>) -> PyResult<&'static Task> {
        find(&self.task).map_err(|error| errors::task(py, &error))
    }

    pub fn reader(&self, py: Python<'_>) -> PyResult<RowReader> {
        let task = self.task(py)?;
        let columns = Columns::of(self.columns.clone());
        columns.check(task).map_err(|error| errors::task(py, &error))?;
        if let Some(fields) = &self.fields {
            fissure_data::check_fields(task, fields).map_err(|error| errors::data(py, &error))?;
        }
        let id = self.id.as_deref().map_or(SampleId::Usual, SampleId::parse);
        Ok(RowReader {
            task,
            columns,
            id,
            unlabelled: !self.labelled,
            minus_one_is_label: false,
            fields: self.fields.clone(),
        })
    }

    /// The rows as they are read, and their samples; the first row that is at fault ends it, unless such rows are skipped.
    pub fn samples(&self, py: Python<'_>, rows: &Bound<'_, PyList>, skip_bad: bool) -> PyResult<(Vec<Row>, Vec<Read>)> {
        let reader = self.reader(py)?;
        let rows: Vec<Row> = rows.iter().map(|row| to_carried_row(&row)).collect::<PyResult<_>>()?;
        let mut memory = RowMemory::default();
        // The first row settles what the columns are.
        if let Some(first) = rows.first() {
            let first = reader.sample(first.clone(), &mut memory);
            if let Err(fault) = first.as_ref().map_err(Clone::clone).map(|_| ()).or_else(of_columns) {
                return Err(errors::row(py, 0, &fault));
            }
        }
        let read = windows::each(py, &rows, false, |row| reader.sample(row.clone(), &mut memory.clone()))?;
        check(py, &read, skip_bad)?;
        Ok((rows, read))
    }
}

/// Only faults of the columns as a whole.
fn of_columns(fault: Fault) -> Result<(), Fault> {
    if fault.of_columns { Err(fault) } else { Ok(()) }
}

/// Which column holds the texts, and which the ids (`None`: the texts name the samples).
#[pyfunction]
#[pyo3(signature = (names, column = None, id = None))]
pub fn text_columns(
    py: Python<'_>,
    names: Vec<String>,
    column: Option<String>,
    id: Option<&str>,
) -> PyResult<(usize, Option<usize>)> {
    let task = find(PLAIN).map_err(|error| errors::task(py, &error))?;
    let doubled = |wanted: &str| names.iter().filter(|name| *name == wanted).count() > 1;
    if let Some(name) = column.as_deref().into_iter().chain(id).find(|name| doubled(name)) {
        return Err(two_columns(py, name));
    }
    if let Some(column) = column.as_ref().filter(|column| !names.contains(column)) {
        return Err(no_column(py, column, &names));
    }
    if let Some(id) = id.filter(|id| *id != "content" && !names.iter().any(|name| name == id)) {
        return Err(no_column(py, id, &names));
    }
    let given = Columns::of(column.into_iter().map(|column| ("text".into(), column)).collect());
    let id = id.map_or(SampleId::Usual, SampleId::parse);
    let shared = names.iter().map(|name| Arc::<str>::from(name.as_str())).collect();
    let plan = ColumnPlan::new(task, shared, &given, &id, true).map_err(|fault| errors::row(py, 0, &fault))?;
    let text = task.roles.iter().position(|role| role.name == "text").and_then(|role| plan.columns[role].first());
    let text = text.copied().ok_or_else(|| errors::broken("the task of plain texts has no text"))?;
    match [Some(text), plan.id].into_iter().flatten().find(|at| doubled(&names[*at])) {
        Some(at) => Err(two_columns(py, &names[at])),
        None => Ok((text, plan.id)),
    }
}

/// One of several columns of a name cannot be meant by it.
fn two_columns(py: Python<'_>, name: &str) -> PyErr {
    let message = format!("several columns are called `{}`; rename them, so that one can be named", shorten(name));
    errors::raise(py, "BadRow", &message, &[("column", Some(name.into()))])
}

fn no_column(py: Python<'_>, column: &str, names: &[String]) -> PyErr {
    let near = fissure_core::nearest(column, names.iter().map(String::as_str));
    let shown: Vec<String> = names.iter().map(|name| shorten(name)).collect();
    let message = format!("there is no column `{}`; the columns are `{}`", shorten(column), shown.join("`, `"));
    errors::raise(py, "UnknownName", &message, &[("name", Some(column.into())), ("nearest", Some(near.join("\n")))])
}

/// After this many rows Ctrl-C is asked for, while rows are read on the thread of the user.
const OFTEN: usize = 4096;

/// A text that Python keeps, with the id it was given, or why it cannot be used.
pub type Given = Result<(PyBackedStr, Option<Value>), Fault>;

/// Plain texts as Python has them; samples are made of them without the interpreter, by [`of_given`].
pub fn given(
    py: Python<'_>,
    texts: &Bound<'_, PyList>,
    ids: Option<&Bound<'_, PyList>>,
    skip_bad: bool,
) -> PyResult<Vec<Given>> {
    let mut given = Vec::with_capacity(texts.len());
    for (at, text) in texts.iter().enumerate() {
        if at % OFTEN == 0 {
            py.check_signals()?;
        }
        let id = ids.map(|ids| ids.get_item(at)).transpose()?;
        let id = match id.as_ref().map(|id| (id, to_json(id))) {
            Some((_, Ok(id))) if id.is_null() || id_of(&id).is_some() => Some(id),
            Some((id, _)) => {
                given.push(Err(Fault::at(
                    "id",
                    format!("{} where a text or a number is needed", kind(id)?),
                    id.str()?,
                )));
                continue;
            }
            None => None,
        };
        given.push(match text.cast::<PyString>().map(|text| PyBackedStr::try_from(text.clone())) {
            Ok(Ok(text)) => Ok((text, id)),
            Ok(Err(_)) => {
                Err(Fault::at("text", "half of a character (a lone surrogate), which is no text", text.repr()?))
            }
            Err(_) => Err(Fault::at("text", format!("{} where a text is needed", kind(&text)?), text.str()?)),
        });
    }
    check(py, &given, skip_bad)?;
    Ok(given)
}

/// The sample of a text.
pub fn of_given(given: &Given) -> Read {
    given.as_ref().map(|(text, id)| sample(text, id.as_ref())).map_err(Clone::clone)
}

/// Samples of plain texts.
pub fn of_texts(py: Python<'_>, texts: &Bound<'_, PyList>, skip_bad: bool) -> PyResult<Vec<Read>> {
    windows::each(py, &given(py, texts, None, skip_bad)?, false, of_given)
}

/// The texts and the ids of a batch of Arrow.
pub struct Rows<'a> {
    texts: Texts<'a>,
    ids: Option<&'a ArrayRef>,
    /// The ids as texts, if some of them are none.
    broken: Option<(Arc<str>, Texts<'a>)>,
    name: Arc<str>,
    count: usize,
}

impl<'a> Rows<'a> {
    /// The rows of a batch, by the columns with the texts and the ids. Rows count on from `first`; the first one without
    /// a text is an error, unless such rows are skipped.
    pub fn of(
        py: Python<'_>,
        batch: &'a RecordBatch,
        (text, id): (usize, Option<usize>),
        first: usize,
        skip_bad: bool,
    ) -> PyResult<Self> {
        let (column, schema) = (batch.column(text), batch.schema_ref());
        let texts = Texts::of(column).ok_or_else(|| no_texts(py, schema, text, column))?;
        if let Some(id) = id.filter(|id| !names_rows(batch.column(*id).data_type())) {
            return Err(no_ids(py, schema, id));
        }
        let name = |at: usize| Arc::<str>::from(schema.field(at).name().as_str());
        let broken = id.and_then(|id| Some((name(id), Texts::of(batch.column(id)).filter(Texts::has_broken)?)));
        let (ids, name) = (id.map(|id| batch.column(id)), name(text));
        let rows = Self { texts, ids, broken, name, count: batch.num_rows() };
        // Most columns have no nulls, and say so.
        if !skip_bad
            && (column.is_nullable() || rows.texts.has_broken() || rows.broken.is_some())
            && let Some((at, fault)) = (0..rows.count).find_map(|at| Some((at, rows.read(at).err()?)))
        {
            return Err(errors::row(py, first + at, &fault));
        }
        Ok(rows)
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// The text of a row; `None` if it has none.
    pub fn text(&self, at: usize) -> Option<&'a str> {
        self.texts.get(at)
    }

    /// The sample of a row.
    pub fn read(&self, at: usize) -> Read {
        if let Some((name, ids)) = self.broken.as_ref().filter(|(_, ids)| ids.is_broken(at)) {
            return Err(no_utf8(name, ids, at));
        }
        let id = self.ids.map(|ids| value(ids, at));
        match self.texts.get(at) {
            None if self.texts.is_broken(at) => Err(no_utf8(&self.name, &self.texts, at)),
            Some(text) => Ok(sample(text, id.as_ref())),
            None => Err(Fault::at(Arc::clone(&self.name), "nothing (null) where a text is needed", "")),
        }
    }
}

fn no_utf8(name: &Arc<str>, texts: &Texts<'_>, at: usize) -> Fault {
    Fault::at(Arc::clone(name), "bytes that are not UTF-8, which are no text", texts.shown(at))
}

/// Whether values of this type are ids: texts and numbers.
fn names_rows(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => names_rows(values),
        DataType::Null | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Float32 | DataType::Float64 => true,
        kind => kind.is_integer(),
    }
}

fn no_ids(py: Python<'_>, schema: &Schema, at: usize) -> PyErr {
    let (name, kind) = (schema.field(at).name(), schema.field(at).data_type());
    let message = format!(
        "column `{}` holds values of type {kind}, which name no rows: cast it to texts, or give another: id=..., \
         id=\"content\"",
        shorten(name)
    );
    errors::raise(py, "BadRow", &message, &[("column", Some(name.clone())), ("value", Some(kind.to_string()))])
}

fn no_texts(py: Python<'_>, schema: &Schema, at: usize, column: &dyn Array) -> PyErr {
    let (name, kind) = (schema.field(at).name(), column.data_type());
    let advice = if kind.is_binary() || matches!(kind, DataType::BinaryView) {
        "decode it to text first: its bytes may not be UTF-8"
    } else {
        "name the column with the texts: column=..."
    };
    let message = format!("column `{}` holds values of type {kind}, not texts; {advice}", shorten(name));
    errors::raise(py, "BadRow", &message, &[("column", Some(name.clone())), ("value", Some(kind.to_string()))])
}

/// A sample of one text, named by its id, else by its text.
fn sample(text: &str, id: Option<&Value>) -> Sample {
    let id = id.and_then(id_of).filter(|id| !id.is_empty());
    let id = id.unwrap_or_else(|| content_id([text]));
    Sample::of_text(id, text)
}

fn check<T>(py: Python<'_>, read: &[Result<T, Fault>], skip_bad: bool) -> PyResult<()> {
    match first_fault(read).filter(|_| !skip_bad) {
        Some((at, fault)) => Err(errors::row(py, at, fault)),
        None => Ok(()),
    }
}

fn first_fault<T>(read: &[Result<T, Fault>]) -> Option<(usize, &Fault)> {
    read.iter().enumerate().find_map(|(at, read)| Some((at, read.as_ref().err()?)))
}

fn kind(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_none() {
        return Ok("nothing (None)".into());
    }
    let name = value.get_type().fully_qualified_name()?.to_string();
    let article = if name.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    Ok(format!("{article} {name}"))
}
