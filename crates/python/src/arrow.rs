//! Tables from and to Python by the C interface of Arrow: any library that speaks it works, and no byte is copied.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, StructArray, make_array};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::aligned::aligned;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Reads all batches of an object with `__arrow_c_stream__` or `__arrow_c_array__`.
pub fn read(from: &Bound<'_, PyAny>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    if from.hasattr("__arrow_c_stream__")? {
        return stream(&from.call_method0("__arrow_c_stream__")?);
    }
    if from.hasattr("__arrow_c_array__")? {
        let batch = array(&from.call_method0("__arrow_c_array__")?)?;
        return Ok((batch.schema(), vec![batch]));
    }
    let kind = from.get_type().fully_qualified_name()?;
    Err(PyTypeError::new_err(format!("a {kind} is no table: it has neither __arrow_c_stream__ nor __arrow_c_array__")))
}

fn stream(capsule: &Bound<'_, PyAny>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a valid stream (the PyCapsule protocol of Arrow). `from_raw` moves it out and
    // leaves a released one behind, so nothing is released twice; the capsule lives until the end of this function.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    let (schema, batches) = batches(&mut stream).map_err(|error| unreadable(&error))?;
    Ok((schema, batches))
}

/// All batches of a stream: what the reader of Arrow does, but for buffers that it could not look at.
fn batches(stream: &mut FFI_ArrowArrayStream) -> Result<(SchemaRef, Vec<RecordBatch>), ArrowError> {
    let released = || ArrowError::CDataInterface("the stream was read before".into());
    let (get_schema, get_next) = stream.get_schema.zip(stream.get_next).ok_or_else(released)?;
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream is valid and not released, and the schema is one that may be written to.
    let code = unsafe { get_schema(stream, &raw mut schema) };
    if code != 0 {
        return Err(said(stream, code));
    }
    let schema = Arc::new(Schema::try_from(&schema)?);
    let kind = DataType::Struct(schema.fields().clone());
    let mut batches = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as before.
        let code = unsafe { get_next(stream, &raw mut array) };
        if code != 0 {
            return Err(said(stream, code));
        }
        if array.is_released() {
            return Ok((schema, batches));
        }
        // SAFETY: the producer promises that the arrays of a stream have the layout that its schema says.
        let data = unsafe { from_ffi_and_data_type(aligned(array, &kind), kind.clone()) }?;
        let rows = arrow_array::RecordBatchOptions::new().with_row_count(Some(data.len()));
        let columns = StructArray::from(data).into_parts().1;
        batches.push(RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &rows)?);
    }
}

/// What went wrong in a stream, in its words.
fn said(stream: &mut FFI_ArrowArrayStream, code: i32) -> ArrowError {
    // SAFETY: the stream is valid; what it says is text that ends with a zero, and lives until it is asked again.
    let text = stream.get_last_error.and_then(|last| unsafe {
        let text = last(stream);
        (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
    });
    ArrowError::CDataInterface(text.unwrap_or_else(|| format!("its producer gave the code {code}")))
}

fn array(capsules: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = capsules.extract()?;
    let (schema, array) = (schema.cast::<PyCapsule>()?, array.cast::<PyCapsule>()?);
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold a valid schema and a valid array of it (the PyCapsule protocol of Arrow). The
    // schema is only looked at while its capsule lives; `from_raw` moves the array out and leaves a released one behind.
    let (schema, array) = unsafe { (schema.as_ref(), FFI_ArrowArray::from_raw(array.as_ptr())) };
    // SAFETY: the producer promises that the array has the layout its schema says.
    let data = DataType::try_from(schema)
        .and_then(|kind| unsafe { from_ffi(aligned(array, &kind), schema) })
        .map_err(|error| unreadable(&error))?;
    let metadata = Schema::try_from(schema).map(|schema| schema.metadata).unwrap_or_default();
    let array = make_array(data);
    let Some(rows) = array.as_struct_opt() else {
        let kind = array.data_type();
        return Err(PyTypeError::new_err(format!(
            "this is a column of {kind}, not a table: put it into one, with a name"
        )));
    };
    batch(rows, metadata).map_err(|error| unreadable(&error))
}

/// A struct with nulls is no table; one without is, column by column.
fn batch(rows: &StructArray, metadata: std::collections::HashMap<String, String>) -> Result<RecordBatch, ArrowError> {
    if rows.null_count() > 0 {
        return Err(ArrowError::InvalidArgumentError("whole rows are null".into()));
    }
    let schema = Arc::new(Schema::new(rows.fields().clone()).with_metadata(metadata));
    let count = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(schema, rows.columns().to_vec(), &count)
}

fn unreadable(error: &ArrowError) -> PyErr {
    PyTypeError::new_err(format!("the table cannot be read by way of Arrow: {error}"))
}

/// Batches as a stream for whoever reads it.
pub fn give<'py>(py: Python<'py>, schema: SchemaRef, batches: Vec<RecordBatch>) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM)
}

/// The schema of a table.
pub fn give_schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| unreadable(&error))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// One batch, as a schema and an array.
pub fn give_batch<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyTuple>> {
    let rows = StructArray::from(batch.clone());
    let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&rows.to_data()), ARRAY)?;
    PyTuple::new(py, [give_schema(py, &batch.schema())?, array])
}
