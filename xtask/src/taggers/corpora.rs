//! The corpora that the taggers are trained on and measured with.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use fissure_text::training::chinese;
use fissure_text::training::entities::Marked;
use fissure_text::training::treebank::Treebank;

use crate::Result;

/// The folder of the corpora: beside the project, not in it.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data")
}

/// A part of UD English EWT: `train`, `dev` or `test`.
pub fn treebank(part: &str) -> Result<Treebank> {
    let file = folder().join(format!("ud_ewt/en_ewt-ud-{part}.conllu"));
    Treebank::read(&text(&file)?).map_err(|error| format!("{}: {error}", file.display()).into())
}

/// A part of UD Chinese GSD in simplified characters: `train` (of version 1), `dev` or `test`.
pub fn chinese(part: &str) -> Result<Vec<chinese::Sentence>> {
    let name =
        if part == "train" { "zh_gsd-simplified-train-ud1.conll" } else { &format!("zh_gsdsimp-ud-{part}.conllu") };
    Ok(chinese::read(&text(&folder().join("ud_zh").join(name))?))
}

/// The entities of UD English EWT: `dev` or `test`.
pub fn entities(part: &str) -> Result<Vec<Marked>> {
    Ok(Marked::read(&text(&folder().join(format!("uner_ewt/en_ewt-ud-{part}.iob2")))?, 1, 2))
}

/// Sentences whose entities another tagger has marked: many, but with its errors.
pub fn silver_entities() -> Result<Vec<Marked>> {
    Ok(Marked::read(&text(&folder().join("silver_ner.iob2"))?, 0, 2))
}

/// The text of a file, or of the file with `.gz` at the end of its name.
fn text(file: &Path) -> Result<String> {
    if let Ok(text) = fs::read_to_string(file) {
        return Ok(text);
    }
    let packed = PathBuf::from(format!("{}.gz", file.display()));
    let bytes = fs::read(&packed)
        .map_err(|error| format!("neither {} nor {} can be read: {error}", file.display(), packed.display()))?;
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    Ok(text)
}

/// Word vectors in the text format of GloVe: a word and its numbers on each line, the most frequent word first.
pub fn vectors(file: &Path) -> Result<Vec<(String, Vec<f32>)>> {
    let read = |(number, line): (usize, &str)| {
        let mut fields = line.split(' ');
        let word = fields.next().unwrap_or_default().to_owned();
        let vector: std::result::Result<Vec<f32>, _> = fields.map(str::parse).collect();
        vector
            .map(|vector| (word, vector))
            .map_err(|error| format!("{}, line {}: {error}", file.display(), number + 1).into())
    };
    text(file)?.lines().enumerate().map(read).collect()
}
