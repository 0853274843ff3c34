//! Validators: how good a change is, and which are good enough.

use fissure_core::{Resources, Sample, Thresholds};
use fissure_probes::VALIDATORS;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::input::{self, Read};
use crate::resources::Lent;
use crate::{errors, windows};

/// Thresholds such as `edit_distance>=0.7`, all of which a change must meet.
#[pyclass(frozen, module = "fissure._native")]
pub struct NativeKeep {
    keeps: Thresholds,
    resources: Resources,
}

#[pymethods]
impl NativeKeep {
    #[new]
    #[pyo3(signature = (thresholds, lent = None))]
    fn new(py: Python<'_>, thresholds: Vec<String>, lent: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let task = fissure_tasks::find(input::PLAIN).map_err(|error| errors::task(py, &error))?;
        let resources = Lent::new(py, lent)?.open(py, task)?;
        let keeps =
            Thresholds::parse(&VALIDATORS, &thresholds, &resources).map_err(|error| errors::core(py, &error))?;
        Ok(Self { keeps, resources })
    }

    /// For each pair of texts why it is not good enough; `None` if it is. With `skip_bad` a pair that cannot be used is not.
    #[pyo3(signature = (before, after, skip_bad = false))]
    fn failures(
        &self,
        py: Python<'_>,
        before: &Bound<'_, PyList>,
        after: &Bound<'_, PyList>,
        skip_bad: bool,
    ) -> PyResult<Vec<Option<String>>> {
        if before.len() != after.len() {
            let message = format!("there are {} texts and {} changed ones: give as many", before.len(), after.len());
            return Err(errors::raise(py, "BadRow", &message, &[]));
        }
        let (before, after) = (input::of_texts(py, before, skip_bad)?, input::of_texts(py, after, skip_bad)?);
        let pairs: Vec<(Read, Read)> = before.into_iter().zip(after).collect();
        let failure = |before: &Sample, after: &Sample| self.keeps.failure(before, after, &self.resources);
        windows::each(py, &pairs, false, |pair| match pair {
            (Ok(before), Ok(after)) => Some(failure(before, after)?.reason),
            (Err(fault), _) | (_, Err(fault)) => Some(format!("bad row: {fault}")),
        })
    }
}
