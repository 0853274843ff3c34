//! Errors of a model: each error names the file or part, the value found, and the next step.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Program(#[from] crate::resources::ProgramFault),

    #[error("cannot {action} {}: {source}; {}", path.display(), advice(source))]
    Io { action: &'static str, path: PathBuf, source: std::io::Error },

    #[error("{} is missing; {next}", path.display())]
    MissingFile { path: PathBuf, next: &'static str },

    #[error(
        "{} is a pickle, which can run code when it is read, so Fissure does not read it; convert the model to \
         safetensors first (in Python: `model.save_pretrained(\"DIR\", safe_serialization=True)`) and give that directory",
        path.display()
    )]
    Pickle { path: PathBuf },

    #[error("{} is not a safetensors file: {why}; copy or convert the model again", path.display())]
    NotSafetensors { path: PathBuf, why: String },

    #[error(
        "{} is truncated or has bytes too many: its header asks for {expected} bytes, the file has {found}; \
         copy it again from where it came",
        path.display()
    )]
    Truncated { path: PathBuf, expected: u64, found: u64 },

    #[error("{} has no tensor `{name}`{hint}; check that config.json describes this file", path.display())]
    MissingTensor { path: PathBuf, name: String, hint: String },

    #[error(
        "tensor `{name}` in {} has shape {found:?} where config.json asks for {expected:?}; \
         the two files do not belong together",
        path.display()
    )]
    WrongShape { path: PathBuf, name: String, expected: Vec<usize>, found: Vec<usize> },

    #[error("tensor `{name}` in {} holds {found} numbers; Fissure reads F32, F16 and BF16: convert it", path.display())]
    WrongType { path: PathBuf, name: String, found: String },

    #[error(
        "tensor `{name}` in {} holds {value} at element {at}; a model with such weights gives no answers: \
         train or convert it again",
        path.display()
    )]
    NotFinite { path: PathBuf, name: String, at: usize, value: f32 },

    #[error(
        "the model gave the logit {value} for class {class} of input {input} of this batch; its weights hold numbers \
         that are not finite or overflow: load an intact checkpoint"
    )]
    Logit { input: usize, class: usize, value: f32 },

    #[error(
        "`{}` is no directory; a model is a directory with config.json and model.safetensors, hf:OWNER/NAME, \
         process:COMMAND for a program, or the address of an endpoint (https://...)",
        path.display()
    )]
    NoDirectory { path: PathBuf },

    #[error("{} is not the JSON it should be: {why}; restore the file that came with the model", path.display())]
    NotJson { path: PathBuf, why: String },

    #[error("`{key}` in {} is {found}; it should be {expected}", path.display())]
    BadConfig { path: PathBuf, key: String, found: String, expected: String },

    #[error("{} describes {found}, which Fissure cannot read; it reads {known}", path.display())]
    UnknownArchitecture { path: PathBuf, found: String, known: String },

    #[error(
        "{} knows the id {id} (`{word}`), but the embedding table has only {rows} rows; \
         the tokenizer and the weights do not belong together",
        path.display()
    )]
    VocabularyTooLarge { path: PathBuf, id: u32, word: String, rows: usize },

    #[error("{} is not a tokenizer that can be used: {why}; restore the file that came with the model", path.display())]
    Tokenizer { path: PathBuf, why: String },

    #[error("a length of {limit} pieces is outside what this model reads: give {least} to {most}")]
    BadLength { limit: usize, least: usize, most: usize },

    #[error(
        "point {at} has {count} rows of {found} numbers for {pieces} pieces; \
         this model takes 1 to {longest} rows of {width} numbers, one for each piece"
    )]
    BadPoint { at: usize, found: usize, count: usize, pieces: usize, width: usize, longest: usize },

    #[error(
        "this model reads single texts only: its vocabulary has no `{separator}`; train one on pairs, or give one text"
    )]
    NoPairs { separator: &'static str },

    #[error("point {point} is not valid for this model: {why}; take points from `embed` and move those")]
    WrongPoint { point: usize, why: String },

    #[error("a weight vector for point {point} has {found} numbers where the model has {expected} classes")]
    WrongWeights { point: usize, expected: usize, found: usize },

    #[error("the training option `{option}` is {found}; it should be {expected}")]
    BadOption { option: &'static str, found: String, expected: &'static str },

    #[error("example {example} has label {label}, but there are only {labels} labels, counted from 0")]
    BadLabel { example: usize, label: usize, labels: usize },

    #[error("the answer of example {example} is not a piece of its passage")]
    BadAnswer { example: usize },

    #[error("example {example} has {tags} tags for {tokens} tokens")]
    BadTags { example: usize, tags: usize, tokens: usize },

    #[error(
        "a {family} encoder answers and gives gradients here, but cannot be trained; fine-tune it in `transformers`"
    )]
    NotTrainable { family: String },

    #[error("{found} examples are too few to train on when {held_out} of them are held out for validation; give more")]
    TooFewExamples { found: usize, held_out: usize },

    #[error("training diverged in epoch {epoch}: the loss is {loss} at batch {batch}; take a lower rate than {rate}")]
    Diverged { epoch: usize, batch: usize, loss: f64, rate: f32 },

    #[error("{place}: {why}")]
    Remote { place: String, why: String },

    #[error("{place}: neither its greeting nor its scores list its labels: give --labels")]
    NoLabels { place: String },

    /// Said by those who watch over a model, never by a model itself.
    #[error("the work was stopped")]
    Stopped,

    #[error("line {line} of {} is not a word vector: {why}; give a text file of GloVe's form", path.display())]
    BadVectors { path: PathBuf, line: usize, why: String },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Wraps an input/output error: what was being done, and to which file.
    pub fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}

/// What to do about a file that cannot be read or written.
fn advice(source: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    match source.kind() {
        StorageFull | QuotaExceeded => "free some space, or give a place on another disk",
        _ => "check the path and its permissions",
    }
}
