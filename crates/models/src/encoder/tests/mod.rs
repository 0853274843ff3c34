//! What only the inside of the encoder can show: weight gradients, and bits that do not depend on the batch.

mod bad_directories;
mod bits;
mod gradients;

use std::path::{Path, PathBuf};

use super::*;
use crate::train::random::Random;

pub(super) fn family_directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(name)
}

/// Numbers from -size to size, the same at every run.
pub(super) fn numbers(count: usize, size: f32, seed: u64) -> Vec<f32> {
    Random::of(&[seed]).between(count, size)
}
