//! Slices: a number for each sample, and which samples it takes.

use fissure_core::{Sample, Skip, Slice};
use fissure_probes::SLICES;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::input::{self, Read, Reading};
use crate::{arrow, errors, windows};

#[pyclass(frozen, module = "fissure._native")]
pub struct NativeSlice {
    slice: Box<dyn Slice>,
}

type Measures = Vec<Option<f64>>;

#[pymethods]
impl NativeSlice {
    #[new]
    fn new(py: Python<'_>, name: &str, settings: Vec<(String, String)>) -> PyResult<Self> {
        let entry = SLICES.find(name).map_err(|error| errors::core(py, &error))?;
        let (slice, _) = entry.build(&settings).map_err(|error| errors::core(py, &error))?;
        Ok(Self { slice })
    }

    /// The measure of each text; `None` if it has none.
    #[pyo3(signature = (texts, skip_bad = false))]
    fn texts(&self, py: Python<'_>, texts: &Bound<'_, PyList>, skip_bad: bool) -> PyResult<Measures> {
        self.measure(py, &input::of_texts(py, texts, skip_bad)?)
    }

    #[pyo3(signature = (rows, reading, skip_bad = false))]
    fn rows(&self, py: Python<'_>, rows: &Bound<'_, PyList>, reading: Reading, skip_bad: bool) -> PyResult<Measures> {
        self.measure(py, &reading.samples(py, rows, skip_bad)?.1)
    }

    #[pyo3(signature = (table, column = None, skip_bad = false))]
    fn table(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        column: Option<String>,
        skip_bad: bool,
    ) -> PyResult<Measures> {
        let (schema, batches) = arrow::read(table)?;
        let names = schema.fields().iter().map(|field| field.name().clone()).collect();
        let (text, _) = input::text_columns(py, names, column, Some("content"))?;
        let mut measures = Vec::new();
        for batch in &batches {
            let rows = input::Rows::of(py, batch, (text, None), measures.len(), skip_bad)?;
            let read: Vec<Read> = (0..rows.len()).map(|at| rows.read(at)).collect();
            measures.extend(self.measure(py, &read)?);
        }
        Ok(measures)
    }

    /// Which samples with these measures are in.
    fn select(&self, measures: Measures) -> Vec<bool> {
        self.slice.cut().select(&measures)
    }
}

impl NativeSlice {
    fn measure(&self, py: Python<'_>, read: &[Read]) -> PyResult<Measures> {
        let measure = |sample: &Sample| -> Result<f64, Skip> { self.slice.measure(sample) };
        windows::each(py, read, false, |read| measure(read.as_ref().ok()?).ok())
    }
}
