//! Between values of Python and JSON: rows, labels, questions and answers.

use std::sync::Arc;

use fissure_tasks::Row;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString};
use serde_json::{Map, Number, Value};

/// Values may be nested this deep; a list that holds itself would never end.
const DEEPEST: usize = 64;

/// A value of Python as JSON. NumPy's numbers and arrays are taken for what they hold.
pub fn to_json(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    nested(value, 0)
}

fn nested(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err(format!("a value is nested more than {DEEPEST} deep")));
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_str()?.into());
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    if value.is_instance_of::<PyInt>() {
        return whole_number(value);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(Number::from_f64(number.value()).map_or(Value::Null, Value::Number));
    }
    if let Ok(map) = value.cast::<PyMapping>() {
        let mut object = Map::new();
        for item in map.items()?.iter() {
            let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            object.insert(name.str()?.to_str()?.to_owned(), nested(&value, depth + 1)?);
        }
        return Ok(Value::Object(object));
    }
    // Numbers and arrays of NumPy, tensors.
    if let Ok(plain) = value.call_method0("tolist") {
        return nested(&plain, depth + 1);
    }
    if let Ok(list) = value.cast::<PySequence>() {
        return list.try_iter()?.map(|item| nested(&item?, depth + 1)).collect();
    }
    let kind = value.get_type().fully_qualified_name()?;
    Err(PyTypeError::new_err(format!("a value of type {kind} is neither text, number, truth value, list nor dict")))
}

fn whole_number(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(number) = value.extract::<i64>() {
        return Ok(number.into());
    }
    if let Ok(number) = value.extract::<u64>() {
        return Ok(number.into());
    }
    Err(PyValueError::new_err(format!("{value} is beyond 64-bit numbers")))
}

/// JSON as a value of Python.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (_, Some(number)) => number.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            for (name, value) in map {
                dict.set_item(name, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// A dict, or what behaves like one, as a row.
pub fn to_row(value: &Bound<'_, PyAny>) -> PyResult<Row> {
    row_by(value, to_json)
}

/// As [`to_row`], but a value that JSON does not have (a date, bytes, a number of 100 digits) is an object with its type
/// and its spelling. It is no text and no label; as another column it is carried along, and comes back as it was.
pub fn to_carried_row(value: &Bound<'_, PyAny>) -> PyResult<Row> {
    row_by(value, |value| to_json(value).or_else(|_| carried(value)))
}

fn carried(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let kind = value.get_type().fully_qualified_name()?.to_string();
    Ok(Value::Object(Map::from_iter([(kind, value.repr()?.to_str()?.into())])))
}

fn row_by(value: &Bound<'_, PyAny>, read: impl Fn(&Bound<'_, PyAny>) -> PyResult<Value>) -> PyResult<Row> {
    let map = value.cast::<PyMapping>().map_err(|_| {
        let kind = value.get_type().fully_qualified_name().map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("a row is a dict with columns, not a {kind}"))
    })?;
    let mut row = Row::default();
    for item in map.items()?.iter() {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        row.push(Arc::<str>::from(name.str()?.to_str()?), read(&value)?);
    }
    Ok(row)
}

/// A row as a dict. What is as it was in `given`, the row that `original` was read into, is the user's own object.
pub fn of_row<'py>(
    py: Python<'py>,
    row: &Row,
    given: &Row,
    original: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in &row.0 {
        let own = if given.get(name) == Some(value) { original.get_item(&**name).ok() } else { None };
        dict.set_item(&**name, own.map_or_else(|| to_python(py, value), Ok)?)?;
    }
    Ok(dict)
}
