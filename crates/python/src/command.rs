//! The command line inside the wheel.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs `fissure` with these words, the first being its own name, and gives its exit code. It is the program itself, so
/// it runs on the threads that the program would start, not on those of the package.
#[pyfunction]
pub fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| fissure::run_with(words))
}
