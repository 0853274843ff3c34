//! What the command line can fail with; the crates behind it bring their own words.

use std::io;

/// A result of the command line.
pub type Result<T> = std::result::Result<T, Error>;

/// An error shown to the user, who then gets exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum Error {
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
    Explorer(#[from] fissure_explorer::Error),
    #[error("there is data but no model to look at: give `--model DIR`, or leave `--data` out for the demo")]
    DataWithoutModel,
    #[error("no original and revision belong together; give files with the same ids or the same rows")]
    NoPairs,
    #[error("the task `{task}` is not one for a classifier; those are classification, sa, nli and sm")]
    NotClassified { task: &'static str },
    #[error("the model {model} does not show its inside, which {what} needs; give a model directory")]
    BlackBox { model: String, what: &'static str },
    #[error(
        "`{part}` does not serve the task `{task}`: its edits could not carry the labels. `fissure explain {part}` says which tasks it serves"
    )]
    WrongTask { part: &'static str, task: &'static str },
    #[error("`{part}` cannot be run: {advice}")]
    Lacks { part: &'static str, advice: &'static str },
    #[error("cannot write to {place}")]
    Write { place: String, source: io::Error },
    #[error("cannot read {place}")]
    Read { place: String, source: io::Error },
    #[error("{place} is not a config that Fissure understands (its schema is docs/config.schema.json)")]
    Config { place: String, source: toml::de::Error },
    #[error("{place} is not a file of word vectors")]
    Vectors { place: String, source: fissure_probes::VectorsError },
    #[error("`--set {0}` says no value: write `--set knob=value`")]
    SetWithoutValue(String),
    #[error("there is nothing called `{name}` in the catalog{nearest} `fissure list` shows everything")]
    Nowhere { name: String, nearest: String },
}

impl Error {
    /// For `map_err` on writes: names the place that could not be written.
    pub fn writing(place: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let place = place.into();
        move |source| Self::Write { place, source }
    }
}
