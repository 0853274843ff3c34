//! A sentence encoder on this machine, as validators ask it.

use std::path::Path;

use fissure_core::{Similarity, Skip};

use crate::encoder::SentenceEncoder;
use crate::{Input, Result};

/// Compares texts by the vectors of a sentence encoder.
#[derive(Debug)]
pub struct LocalSimilarity {
    encoder: SentenceEncoder,
}

impl LocalSimilarity {
    pub fn open(directory: &Path) -> Result<Self> {
        Ok(Self { encoder: SentenceEncoder::open(directory)? })
    }
}

impl Similarity for LocalSimilarity {
    fn cosine(&self, one: &str, other: &str) -> std::result::Result<f64, Skip> {
        let inputs = [Input::from(one), Input::from(other)];
        let vectors = self.encoder.encode(&inputs).map_err(|error| Skip(error.to_string().into()))?;
        let [one, other] = vectors.as_slice() else { return Err(Skip("the encoder gave no vectors".into())) };
        Ok(one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum())
    }
}
