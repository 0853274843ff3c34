//! What can go wrong with a model: each error names the file or part, the value found, and the next step.

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
