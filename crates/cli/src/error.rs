//! The errors of the command line; those of the other crates are passed on.

use std::io;

/// A result of the command line.
pub type Result<T> = std::result::Result<T, Error>;

/// An error shown to the user, who then gets exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Usage(String),
    #[error("stopped")]
    Stopped,
    #[error(transparent)]
    Kit(#[from] fissure_kit::Error),
    #[error(transparent)]
    Core(#[from] fissure_core::Error),
    #[error(transparent)]
    Data(#[from] fissure_data::Error),
    #[error(transparent)]
    Hub(#[from] fissure_data::hub::HubError),
    #[error(transparent)]
    Model(#[from] fissure_models::Error),
    #[error(transparent)]
    Attack(#[from] fissure_attacks::Error),
    #[error("several attacks need --out DIR: each gets a directory of its own in it")]
    SeveralAttacks,
    #[error(
        "{place} would hold two attacks: `{name}` comes twice, or two files have its name. Leave one out, or give it another file name"
    )]
    AttackTwice { name: String, place: String },
    #[error(
        "{place} holds another attack ({one}), which would be read with this one or in its place: --force removes it, or give \
         another directory with --out"
    )]
    OtherAttacks { place: String, one: String },
    #[error("none of the attacks uses `{name}`: leave `--without {name}` out")]
    NoneUses { name: String },
    #[error("{place} cannot be used for --{flag}: {why}")]
    AttackFile { place: String, flag: &'static str, why: String },
    #[error(transparent)]
    Geometry(#[from] fissure_geometry::Error),
    #[error(transparent)]
    Explorer(#[from] fissure_explorer::Error),
    #[error("{place} already exists and is not from an earlier tour: give another directory with --out DIR")]
    NotADemo { place: String },
    #[error("there is data but no model to look at: give `--model DIR`, or leave `--data` out for the demo")]
    DataWithoutModel,
    #[error("no original and revision belong together; give files with the same ids or the same rows")]
    NoPairs,
    #[error(transparent)]
    Task(#[from] fissure_tasks::Error),
    #[error(transparent)]
    Ask(#[from] fissure_ask::Error),
    #[error(transparent)]
    Evaluate(#[from] fissure_evaluate::Error),
    #[error(transparent)]
    Labels(#[from] fissure_evaluate::LabelError),
    #[error("nothing says {what}: give {flag}, or say it in the config")]
    NotSaid { what: &'static str, flag: &'static str },
    #[error("the run asked the model {then}, not {now}: give the model of the run, or leave --run out")]
    OtherModel { then: String, now: String },
    #[error(
        "the model {model} is not as it was when the run asked it: open it with `fissure explore --model`, or run again"
    )]
    ModelChanged { model: String },
    #[error(
        "a slice reads its data twice, first to measure and then to write; standard input can be read once: give a file"
    )]
    SliceOfInput,
    #[error(transparent)]
    Phrases(#[from] fissure_translate::Error),
    #[error(transparent)]
    Repair(#[from] fissure_repair::Error),
    #[error("there is no data set `{name}` in this experiment; it has {known}")]
    NoSuchSet { name: String, known: String },
    #[error(
        "{model} cannot be retrained from here; leave --model and --test out, and train it yourself on what --out gets"
    )]
    NotOurs { model: String },
    #[error("no text broke in the run of attacks {run}, so there is nothing to take from it")]
    NothingBroke { run: String },
    #[error(
        "none of the {broken} that broke in the run of attacks {run} is in {data}: give the data that were attacked, {attacked}, \
         with the same --id"
    )]
    OtherTexts { broken: String, run: String, data: String, attacked: String },
    #[error(
        "{model} cannot be trained with bounds: give the directory of a cnn or fasttext model that `fissure train` wrote"
    )]
    NoBounds { model: String },
    #[error(
        "{model} is reached by an address or a program, and `repair mitigate` needs gradients: give a model directory, or \
         use `fissure repair threshold`, which works with any model"
    )]
    NoGradients { model: String },
    #[error(
        "all {samples} samples that were read have the label `{label}`, and a classifier tells two or more apart; if the \
         file is sorted by label, shuffle it or read more of it (`--limit`)"
    )]
    OneLabel { label: String, samples: usize },
    #[error(
        "{samples} samples have {values} labels (`{first}`, ...), so the label may be another column: give both with \
         `--columns text=...,label=...`; columns of a file without a header are counted from 1"
    )]
    LabelsLikeTexts { values: usize, samples: usize, first: String },
    #[error("{model} can no longer be asked: {why}; `--resume` continues where it stopped")]
    Gone { model: String, why: String },
    #[error(
        "none of the {questions} questions to {model} got an answer that can be read; the first time: {why}. See \
         docs/protocol.md for what an answer looks like"
    )]
    NothingAnswered { model: String, questions: usize, why: String },
    #[error("--no-aspect is for absa; the task `{task}` has no aspects")]
    NoAspect { task: &'static str },
    #[error("--refit is for models that give a text one label, not for tags or answers in a passage")]
    NoRefit,
    #[error("`--arch {architecture}` is a classifier of texts; a tagger is a bilstm, or an encoder: give --from DIR")]
    NoTagger { architecture: &'static str },
    #[error("a model that reads passages starts from an encoder: give --from DIR")]
    NeedsEncoder,
    #[error("the model {model} gives no gradients, which {what} needs; give a model directory")]
    BlackBox { model: String, what: &'static str },
    #[error("there is no command `{name}`{nearest} `fissure help` lists all")]
    NoCommand { name: String, nearest: String },
    #[error("{file} was changed after it was written. Move it to keep it; --force makes it again")]
    SetEdited { file: String },
    #[error("the suite `{suite}` has no part for the task `{task}`; --suite universal has those that serve every task")]
    EmptySuite { suite: String, task: String },
    #[error("several transformations are written to a folder, each into a file of its own: give --out DIR")]
    SeveralNeedFolder,
    #[error("`{folder}` holds generated data sets already: --resume continues them, --force replaces them")]
    Generated { folder: String },
    #[error("nothing was generated: every part of the suite was left out, for the reasons above")]
    NothingGenerated,
    #[error("several transformations read the data several times; standard input can be read once: give a file")]
    SeveralOfInput,
    #[error(
        "{place} is not a config that Fissure understands (schemas: docs/config.schema.json for `transform`, \
         docs/run.schema.json for `evaluate`)"
    )]
    Config { place: String, source: fissure_settings::ConfigError },
    #[error("{place} is not a calibration file; remove it, or name another")]
    Calibration { place: String, source: serde_json::Error },
    #[error("{place} cannot be used")]
    Foreign { place: String, source: Box<fissure_geometry::Error> },
    #[error("{place} has no two texts with the same `{column}`; name the column that tells which belong together")]
    NothingJoined { place: String, column: String },
    #[error("`--set {0}` says no value: write `--set knob=value`")]
    SetWithoutValue(String),
    #[error("there is nothing called `{name}` in the catalog{nearest} `fissure list` shows everything")]
    Nowhere { name: String, nearest: String },
}

impl From<fissure_core::FilterError> for Error {
    fn from(bad: fissure_core::FilterError) -> Self {
        Self::Core(bad.into())
    }
}

impl Error {
    /// Whether what was made until now may belong to other samples, and must not be gone on with.
    pub fn is_of_answers(&self) -> bool {
        match self {
            Self::Kit(error) => error.is_of_answers(),
            Self::Model(fissure_models::Error::Program(fault)) => fault.is_of_answers(),
            Self::Evaluate(fissure_evaluate::Error::Mixed { .. }) => true,
            _ => false,
        }
    }

    /// For `map_err` on reads: names the place that could not be read.
    pub fn reading(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let of_kit = fissure_kit::Error::reading(place);
        move |source| of_kit(source).into()
    }

    /// For `map_err` on writes: names the place that could not be written.
    pub fn writing(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let of_kit = fissure_kit::Error::writing(place);
        move |source| of_kit(source).into()
    }
}
