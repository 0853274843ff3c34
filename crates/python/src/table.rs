//! A table that libraries of Python read by the C interface of Arrow, without a copy: what is found comes as one of these.

use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use fissure_data::Row;
use fissure_data::arrow::value;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};

use crate::values::{to_python, to_row};
use crate::{arrow, errors};

/// Rows and named columns; `__arrow_c_stream__` gives them to pandas, polars, pyarrow, DuckDB and others.
#[pyclass(frozen, module = "fissure._native")]
pub struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    /// A table of rows; columns have the type that their values have in common.
    pub fn of_row_list(rows: &[Row]) -> Result<Self, String> {
        let schema = Arc::new(fissure_data::arrow::schema(rows)?);
        if rows.is_empty() {
            return Ok(Self { schema, batches: Vec::new() });
        }
        let batch = fissure_data::arrow::batch(&schema, rows)?;
        Ok(Self { schema, batches: vec![batch] })
    }

    /// Refuses columns that are not what their type says, such as texts that are not UTF-8: a table only carries them, and
    /// whoever looks at them must be able to.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        for (at, field) in self.schema.fields().iter().enumerate() {
            for batch in &self.batches {
                if let Err(why) = batch.column(at).to_data().validate_full() {
                    let message = format!("column `{}` cannot be read: {why}", field.name());
                    return Err(errors::raise(py, "BadRow", &message, &[("column", Some(field.name().clone()))]));
                }
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Table {
    /// Takes over any table that speaks the C interface of Arrow.
    #[new]
    fn of(table: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (schema, batches) = arrow::read(table)?;
        Ok(Self { schema, batches })
    }

    /// A table of rows, each a dict.
    #[staticmethod]
    fn of_rows(py: Python<'_>, rows: &Bound<'_, PyList>) -> PyResult<Self> {
        let rows: Vec<Row> = rows.iter().map(|row| to_row(&row)).collect::<PyResult<_>>()?;
        Self::of_row_list(&rows).map_err(|why| errors::other(py, &why))
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The columns as lists, by name.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.check(py)?;
        let dict = PyDict::new(py);
        for (at, field) in self.schema.fields().iter().enumerate() {
            let list = PyList::empty(py);
            for column in self.batches.iter().map(|batch| batch.column(at)) {
                for row in 0..column.len() {
                    list.append(to_python(py, &value(column, row))?)?;
                }
            }
            dict.set_item(field.name(), list)?;
        }
        Ok(dict)
    }

    /// The rows as dicts.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.check(py)?;
        let list = PyList::empty(py);
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                let dict = PyDict::new(py);
                for (field, column) in self.schema.fields().iter().zip(batch.columns()) {
                    dict.set_item(field.name(), to_python(py, &value(column, row))?)?;
                }
                list.append(dict)?;
            }
        }
        Ok(list)
    }

    /// A pandas frame, made without pyarrow.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?.getattr("DataFrame")?.call1((self.to_dict(py)?,))
    }

    /// A polars frame, without a copy.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.getattr("DataFrame")?.call1((slf,))
    }

    /// A table of pyarrow, without a copy.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.getattr("table")?.call1((slf,))
    }

    /// The first rows.
    #[pyo3(signature = (count = 5))]
    fn head(&self, count: usize) -> Self {
        let mut left = count;
        let mut batches = Vec::new();
        for batch in &self.batches {
            let taken = left.min(batch.num_rows());
            batches.push(batch.slice(0, taken));
            left -= taken;
        }
        Self { schema: self.schema.clone(), batches }
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer that asks for another schema must take what it gets, says the protocol.
        let _ = requested_schema;
        arrow::give(py, self.schema.clone(), self.batches.clone())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::give_schema(py, &self.schema)
    }

    /// The only batch, as a schema and an array; for tables that came as one.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        match &self.batches[..] {
            [batch] => arrow::give_batch(py, batch),
            [] => arrow::give_batch(py, &RecordBatch::new_empty(self.schema.clone())),
            _ => Err(errors::other(py, &"the table has several batches: read it with __arrow_c_stream__")),
        }
    }

    /// Rows of texts, numbers and lists pickle as such, and other columns as the table of pyarrow that they came from.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let (table, class) = (slf.get(), slf.get_type());
        if table.schema.fields().iter().all(|field| is_of_rows(field.data_type())) {
            return Ok((class.getattr("of_rows")?, (table.to_dicts(slf.py())?.into_any(),)));
        }
        Ok((class.into_any(), (Self::to_pyarrow(slf)?,)))
    }

    /// The first rows, for notebooks.
    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.head(SHOWN).to_dicts(py)?;
        py.import("fissure._show")?.call_method1("table_html", (rows, self.columns(), self.__len__()))
    }

    fn __repr__(&self) -> String {
        format!("<fissure.Table: {} rows of {}>", self.__len__(), self.columns().join(", "))
    }
}

/// A notebook shows this many rows.
const SHOWN: usize = 20;

/// Whether a column of rows has this type.
fn is_of_rows(kind: &DataType) -> bool {
    match kind {
        DataType::Null | DataType::Boolean | DataType::Utf8 | DataType::Int64 | DataType::Float64 => true,
        DataType::List(item) => is_of_rows(item.data_type()),
        _ => false,
    }
}
