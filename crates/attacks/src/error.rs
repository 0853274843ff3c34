//! Errors of an attack as a whole. What goes wrong with one text is an outcome.

use fissure_core::nearest;

use crate::Resource;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "there is no attack called `{name}`{nearest} `fissure list attacks` shows all, and a path to a .toml file is read"
    )]
    UnknownRecipe { name: String, nearest: String },
    #[error("{place} is not a recipe: {why}")]
    BadRecipe { place: String, why: String },
    #[error("attack `{attack}`: {source}")]
    Part { attack: String, source: Box<fissure_core::Error> },
    #[error(
        "attack `{attack}` cannot run: its part `{part}` needs {}; {}", need.what(), need.advice()
    )]
    Lacks { attack: String, part: String, need: Resource },
    #[error("attack `{attack}` has no candidates without {}: it cannot run with `--without {}`", need.what(), need.name())]
    NothingLeft { attack: String, need: Resource },
    #[error(
        "attack `{attack}` has no candidates: name where they come from with [[source]] (`fissure list attacks` has the sources), or give \
         --candidates FILE"
    )]
    NoSource { attack: String },
    #[error(
        "attack `{attack}` cannot run with `--without {}`: its part `{part}` is made of {}, and only a limit or a source can be left \
         out. Take another attack, such as pwws or deepwordbug, which only ask", need.name(), need.what()
    )]
    MadeOf { attack: String, part: String, need: Resource },
    #[error("attack `{attack}` does not use {}: leave `--without {}` out", need.what(), need.name())]
    NotUsed { attack: String, need: Resource },
    #[error("`{name}` is not a resource of an attack{nearest} There are {}", Resource::NAMES.join(", "))]
    UnknownResource { name: String, nearest: String },
    #[error(
        "the model gave no probabilities for a trial question, and an attack needs them to know whether it gets nearer: let it \
         answer with `scores` for all labels (docs/protocol.md). `fissure predict --limit 5` shows what it answers"
    )]
    NoProbabilities,
    #[error("`{goal}` is no goal: write the name of one (`fissure list attacks` has them), or `confidence<0.7`")]
    BadGoal { goal: String },
    #[error("attack `{attack}` goes for one label: say which with --target LABEL")]
    NoTarget { attack: String },
    #[error(
        "the goal of attack `{attack}` is about labels and their probabilities, and this task has none for a whole text: take another \
         attack, or `--goal untargeted`"
    )]
    NoLabels { attack: String },
    #[error("attack `{attack}` cannot be run here: {why}")]
    Cannot { attack: String, why: String },
    #[error("the model has no label `{label}`; it has {known}")]
    NoLabel { label: String, known: String },
    #[error("the model can no longer be asked: {0}")]
    Unavailable(String),
    #[error(transparent)]
    Model(Box<fissure_models::Error>),
}

impl From<fissure_models::Error> for Error {
    fn from(error: fissure_models::Error) -> Self {
        Self::Model(Box::new(error))
    }
}

impl Error {
    pub(crate) fn unknown_recipe(name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        Self::UnknownRecipe { name: name.into(), nearest: did_you_mean(name, known) }
    }

    pub(crate) fn unknown_resource(name: &str) -> Self {
        Self::UnknownResource { name: name.into(), nearest: did_you_mean(name, Resource::NAMES.into_iter()) }
    }
}

/// The end of a sentence about a name that is not known: the names that look like it, if there are any.
fn did_you_mean(name: &str, known: impl Iterator<Item = &'static str>) -> String {
    let near = nearest(name, known);
    if near.is_empty() { ".".into() } else { format!("; did you mean `{}`?", near.join("` or `")) }
}
