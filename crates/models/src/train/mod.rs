//! Training.
pub(crate) mod random;
