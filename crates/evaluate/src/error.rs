//! Errors of a run: each error names the thing, the value and the next step.

use std::io;
use std::path::{Path, PathBuf};

use fissure_settings::shell_word;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Core(#[from] fissure_core::Error),
    #[error(transparent)]
    Data(#[from] fissure_data::Error),
    #[error(transparent)]
    Task(#[from] fissure_tasks::Error),
    #[error(transparent)]
    Ask(#[from] fissure_ask::Error),
    #[error(transparent)]
    Model(#[from] fissure_models::Error),
    #[error(transparent)]
    Geometry(#[from] fissure_geometry::Error),
    #[error(transparent)]
    Labels(#[from] crate::LabelError),
    #[error("cannot {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("there is no suite called `{name}`{nearest}; there are {known}")]
    NoSuite { name: String, nearest: String, known: String },
    #[error("no part of this run has a knob `{knob}`; write `part.knob=value`, and see `fissure explain PART`")]
    NoKnob { knob: String },
    #[error("there is no forecast: {why}")]
    NoForecast { why: String },
    #[error("--precision: {why}")]
    NotPrecisely { why: String },
    #[error("--senses: {why}")]
    Senses { why: String },
    #[error("there is no sample in the data; give a file that holds some")]
    NoSamples,
    #[error("`--where {condition}` holds for none of the {read} samples that were read")]
    NoneLeft { condition: String, read: usize },
    #[error("nothing is left to run: {reasons}")]
    NothingToRun { reasons: String },
    #[error(
        "{} already holds a run. Continue it with `fissure evaluate --resume {}`, or give another --out",
        folder.display(),
        shell_word(&folder.display().to_string())
    )]
    Exists { folder: PathBuf },
    #[error("{} is a file, and a run needs a directory: give another --out", path.display())]
    NotAFolder { path: PathBuf },
    #[error("{} is being written by another run; wait for it", path.display())]
    Busy { path: PathBuf },
    #[error(
        "{0} holds no run that can be resumed: {why}. Remove {0}, if it is there, and start again with `fissure evaluate`",
        path.display()
    )]
    NoRun { path: PathBuf, why: String },
    #[error(
        "the run cannot be resumed: its {what} was {then}, and now is {now}. Put back what it began with, or start a \
         new run"
    )]
    Differs { what: &'static str, then: String, now: String },
    #[error(
        "the run in {} is not finished ({done} of {of} samples): `fissure evaluate --resume {}` finishes it",
        path.parent().unwrap_or(path).display(),
        shell_word(&path.parent().unwrap_or(path).display().to_string())
    )]
    Unfinished { path: PathBuf, done: usize, of: usize },
    #[error(
        "{} is of file format {format}, and this Fissure reads {reads}: an{} version wrote it. Run `fissure evaluate` again",
        path.display(),
        if format < reads { " older" } else { "other, newer" }
    )]
    OtherFormat { path: PathBuf, format: u32, reads: u32 },
    #[error("{} was changed after it was written. `fissure evaluate --resume {}` writes it again", path.display(), run_of(path))]
    FindingsChanged { path: PathBuf },
    #[error(
        "{} is not the run that {} was made from: it was cut, or changed. `fissure evaluate --resume {}` checks it, asks \
         again what is missing, and writes the findings again",
        run.display(),
        findings.display(),
        run_of(run)
    )]
    RunChanged { run: PathBuf, findings: PathBuf },
    #[error("{} holds no findings of a run: {why}. `fissure evaluate` makes them", path.display())]
    NoFindings { path: PathBuf, why: String },
    #[error(
        "{}, line {line}: the run file is damaged ({why}). `fissure evaluate --resume {}` keeps it, and asks again from there",
        path.display(),
        run_of(path)
    )]
    Broken { path: PathBuf, line: usize, why: String },
    #[error(
        "{} holds piece {shard} of a run, which has no findings of its own. `fissure merge DIR... --out DIR` makes the run of \
         all pieces",
        folder.display()
    )]
    OnlyAPiece { folder: PathBuf, shard: crate::Shard },
    #[error("{} holds a whole run, not a piece of one; `fissure evaluate --shard K/N` writes pieces", folder.display())]
    NotAPiece { folder: PathBuf },
    #[error("no piece is named; give the directories that `fissure evaluate --shard K/N` wrote")]
    NoPieces,
    #[error("{} and {} both hold piece {shard}; name each piece once", first.display(), second.display())]
    PieceTwice { shard: crate::Shard, first: PathBuf, second: PathBuf },
    #[error("the run is not complete: {missing} missing. Make the next with `{command} --shard {next} --out DIR`")]
    PieceMissing { missing: String, next: String, command: String },
    #[error(
        "these pieces are not of one run: the {what} of {} is {then}, and that of {} is {now}. Merge pieces of the same \
         model, data and settings",
        first.display(),
        second.display()
    )]
    PiecesDiffer { what: &'static str, first: PathBuf, then: String, second: PathBuf, now: String },
    #[error("{fault}. What was asked until now is in {}, and is not to be trusted; start the run again", aside.display())]
    Mixed { fault: fissure_models::resources::ProgramFault, aside: PathBuf },
    #[error("the model can no longer be asked: {0}")]
    Unavailable(#[from] crate::Unavailable),
}

/// The directory of a run, as a shell reads it.
fn run_of(file: &Path) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    shell_word(&folder.display().to_string())
}

impl Error {
    /// For `map_err`: what was being done, and to which file.
    pub fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}
