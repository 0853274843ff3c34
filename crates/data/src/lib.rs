//! The pantry of Fissure: readers, writers, task layouts and the built-in demo corpus.

pub mod demo;
pub mod hub;
