//! `cargo xtask train-taggers`: trains every tagger and writes its weights to `lexicons/`.

use std::fs;
use std::path::Path;

use fissure_text::training::{Weights, sentences};

use super::corpora;
use crate::Result;

pub fn train(_arguments: &[String]) -> Result<()> {
    let treebank = corpora::treebank("train")?;
    write("sentences.weights", &sentences::train(&treebank))?;
    Ok(())
}

fn write(name: &str, weights: &Weights) -> Result<()> {
    let bytes = weights.encode();
    println!("{name}: {} bytes", bytes.len());
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../lexicons").join(name), bytes)?;
    Ok(())
}
