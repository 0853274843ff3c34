//! What the package `fissure` of Python calls. It converts, asks the crates behind it, and gives
//! back what they say; it has no logic of its own, so that Python and the command line give the same bytes.
//!
//! The Python half (`python/fissure`) tells frames and models apart without importing their libraries; this half sees
//! lists of texts, rows, Arrow streams and callables.

#![allow(clippy::needless_pass_by_value, reason = "what comes from Python is converted for the call, and owned by it")]

mod aligned;
mod arrow;
mod call;
mod cards;
mod chain;
mod command;
mod door;
mod errors;
mod input;
mod pool;
mod resources;
mod slices;
mod strings;
mod table;
mod torch;
mod validators;
mod values;
mod windows;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::call::{NativePage, arguments, call, explore};
    #[pymodule_export]
    use super::cards::{card, cards};
    #[pymodule_export]
    use super::chain::{NativeChain, split_settings};
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::input::text_columns;
    #[pymodule_export]
    use super::pool::threads;
    #[pymodule_export]
    use super::resources::lendable;
    #[pymodule_export]
    use super::slices::NativeSlice;
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::validators::NativeKeep;

    /// Which process this is, so that a child of `fork` knows that it is one.
    #[pymodule_init]
    #[allow(clippy::unnecessary_wraps, reason = "the form that a module has")]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::pool::loaded();
        Ok(())
    }

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python programs look for")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
