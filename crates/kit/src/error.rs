//! What the kit can fail with; the crates below bring their own words.

use std::io;

/// A result of the kit.
pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{place} was cut or edited since the attack, or written by an older version; run the attack again")]
    AttacksChanged { place: String },
    #[error(
        "the attack in {place} was cut or edited, so it is not removed: move it away, or give another directory with --out"
    )]
    EditedAttack { place: String },
    #[error("{place}, line {line} is not a line of a run of attacks: {why}; run the attack again")]
    BrokenAttacks { place: String, line: usize, why: String },
    #[error(transparent)]
    Core(#[from] fissure_core::Error),
    #[error(transparent)]
    Data(#[from] fissure_data::Error),
    #[error(transparent)]
    Hub(#[from] fissure_data::hub::HubError),
    #[error(transparent)]
    Model(#[from] fissure_models::Error),
    #[error(transparent)]
    Geometry(#[from] fissure_geometry::Error),
    #[error(transparent)]
    Rule(#[from] fissure_evaluate::gate::BadRule),
    #[error(
        "no attack `{name}` was run beside {run}; `fissure evaluate --suite attacks` runs a few, `fissure attack` any"
    )]
    NoAttack { name: String, run: String },
    #[error("there is no rule to check: give `--rule 'drop(universal) <= 0.05'`, or --rules FILE")]
    NoRules,
    #[error("there is no run in {place}; `fissure evaluate --out {place}` makes one")]
    NoRun { place: String },
    #[error("{place} holds several runs of attacks: name one of them, such as {one}")]
    SeveralAttacks { place: String, one: String },
    #[error("{first}, {second}: two runs can be compared only if task and metric are the same")]
    Incomparable { first: String, second: String },
    #[error(transparent)]
    OtherMeaning(Box<OtherMeaning>),
    #[error(
        "what the model calls `{}` is the label `{}` in {} and `{}` in {}, so they would differ by what labels mean and not by how the \
         model answers. Run one of them again with the --label-names of the other",
        .0.label, .0.one, .0.first, .0.other, .0.second
    )]
    OtherName(Box<OtherMeaning>),
    #[error(transparent)]
    Task(#[from] fissure_tasks::Error),
    #[error("--senses: {0}")]
    Senses(String),
    #[error(
        "a part takes words or meanings from the whole data, which are then read twice; standard input can be read once: \
         give a file"
    )]
    GatherFromInput,
    #[error(transparent)]
    Ask(#[from] fissure_ask::Error),
    #[error(transparent)]
    Evaluate(#[from] fissure_evaluate::Error),
    #[error(transparent)]
    Labels(#[from] fissure_evaluate::LabelError),
    #[error(
        "the run asked the model at {address}, and what may be a key to it was not kept: give the whole address again \
         with --model"
    )]
    AddressNotKept { address: String },
    #[error("`{name}` is none of {known}")]
    NoChoice { name: String, known: String },
    #[error("`--label-names {0}` is not LABEL=SHOWN,...: write 0=negative,1=positive, each label once")]
    LabelNames(String),
    #[error("{place} is not a prompt: {why}")]
    Prompt { place: String, why: String },
    #[error("{0}")]
    Body(String),
    #[error("standard input can be read only once, and a plan reads the data: write it to a file first")]
    InputTwice,
    #[error(transparent)]
    Translator(#[from] fissure_models::resources::TranslatorError),
    #[error(transparent)]
    Phrases(#[from] fissure_translate::Error),
    #[error(transparent)]
    Repair(#[from] fissure_repair::Error),
    #[error(
        "`{name}` is a suite of several parts, each of which writes a file: `fissure transform --suite {name} --out DIR`"
    )]
    IsSuite { name: String },
    #[error("there is no sample in {files}")]
    NoSamples { files: String },
    #[error("the task `{task}` is not one for a classifier; those are classification, sa, nli and sm")]
    NotClassified { task: &'static str },
    #[error("no model of Fissure is trained for the task `{task}`; those are {known}")]
    NotTrained { task: &'static str, known: String },
    #[error("`{part}` does not serve the task `{task}`: it {why}. `fissure explain {part}` lists the tasks it serves")]
    WrongTask { part: &'static str, task: &'static str, why: String },
    #[error("`{part}` cannot be run: {advice}")]
    Lacks { part: &'static str, advice: &'static str },
    #[error(
        "`{chain}` turns the right answer into its opposite, and which of the labels {labels} are opposites is not known: its rows \
         would have wrong labels. Say what they mean (--senses 0=negative,1=positive), or write JSON lines, whose rows say what to expect"
    )]
    OppositeUnknown { chain: String, labels: String },
    #[error(
        "the stopped run had other settings or another model. It was started with\n  {command}\nGive the same, or start over with --force instead of --resume"
    )]
    OtherSettings { command: String },
    #[error(
        "the data are not those of the stopped run, which was started with\n  {command}\nPut them back, or start over with --force instead of --resume"
    )]
    OtherData { command: String },
    #[error(
        "{place} exists and no stopped run of it is left to continue. Whether these settings made it was not checked; --force instead \
         of --resume makes it again"
    )]
    Complete { place: String },
    #[error("{place} exists already, and a run would replace it. Give another --out")]
    NotFree { place: String },
    #[error("the parts in {place} cannot be used: {why}")]
    Parts { place: String, why: String },
    #[error("cannot write to {place}")]
    Write { place: String, source: io::Error },
    #[error("cannot read {place}")]
    Read { place: String, source: io::Error },
    #[cfg(feature = "pdf")]
    #[error(transparent)]
    Pdf(#[from] fissure_report::PdfError),
    #[cfg(feature = "pdf")]
    #[error("{} is not a font that can be put into a PDF: give a .ttf, .otf or .ttc file", path.display())]
    NoFont { path: std::path::PathBuf },
    #[cfg(not(feature = "pdf"))]
    #[error("this Fissure was built without PDF; write the others with `--format html,tex,json`")]
    WithoutPdf,
    #[error("{place} is not a file of word vectors")]
    Vectors { place: String, source: fissure_probes::VectorsError },
}

impl From<fissure_core::FilterError> for Error {
    fn from(bad: fissure_core::FilterError) -> Self {
        Self::Core(bad.into())
    }
}

impl Error {
    /// Why a part of a suite is left out, if the others can be run all the same.
    pub fn leaves_out(&self) -> Option<String> {
        match self {
            Self::Lacks { advice, .. } => Some((*advice).to_owned()),
            Self::OppositeUnknown { .. } => Some(self.to_string()),
            _ => None,
        }
    }

    /// Whether what was made until now may belong to other samples, and must not be gone on with.
    pub fn is_of_answers(&self) -> bool {
        match self {
            Self::Model(fissure_models::Error::Program(fault)) => fault.is_of_answers(),
            Self::Evaluate(fissure_evaluate::Error::Mixed { .. }) => true,
            _ => false,
        }
    }

    /// For `map_err` on reads: names the place that could not be read.
    pub fn reading(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let place = place.into();
        move |source| Self::Read { place, source }
    }

    /// For `map_err` on writes: names the place that could not be written.
    pub fn writing(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let place = place.into();
        move |source| Self::Write { place, source }
    }
}

/// A label of the data that two runs of one model read differently.
#[derive(Debug, thiserror::Error)]
#[error(
    "the label `{label}` of the data means `{one}` in {first} and `{other}` in {second}, so they would differ by what labels mean \
     and not by how the models answer. Run one of them again with the --label-map of the other"
)]
pub struct OtherMeaning {
    pub label: String,
    pub one: String,
    pub first: String,
    pub other: String,
    pub second: String,
}
