//! What can go wrong in a survey of a model.

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Model(#[from] fissure_models::Error),
    #[error(
        "the model gave the logit {value} for class {class} of input {input} of this batch; its weights hold numbers \
         that are not finite: load an intact checkpoint"
    )]
    NotFinite { input: usize, class: usize, value: f32 },
    #[error(
        "the gradient of the model at input {input} of this batch is not finite; its weights are too large or broken: \
         load an intact checkpoint"
    )]
    GradientNotFinite { input: usize },
    #[error("the model has {classes} class; the geometry of a decision needs at least 2")]
    TooFewClasses { classes: usize },
    #[error("this model gives no gradients; use a checkpoint that Fissure loads itself")]
    NotWhiteBox,
    #[error("the model names no words of its own, so none can be drawn to replace others; give a list of words")]
    NoWords,
    #[error(
        "no substitution moved any margin of the texts given for calibration; give texts with words that the model knows"
    )]
    NothingToCalibrate,
    #[error("none of the {texts} questions about whole texts got an answer that can be read; the first time: {why}")]
    NothingAnswered { texts: usize, why: String },
    #[error("the calibration was made for another model; remove the file, or name another one")]
    ForeignCalibration,
    #[error("{what} is {value}, which is outside {range}")]
    Knob { what: &'static str, value: f64, range: &'static str },
    #[error("{found} texts are too few: some calibrate the forecast and the rest are measured; give at least {needed}")]
    TooFewTexts { found: usize, needed: usize },
    #[error(
        "{originals} originals and {revised} revised texts make no pairs; give at least two of each, and as many of one as of the other"
    )]
    Pairs { originals: usize, revised: usize },
    #[error("{labels} labels were given for {inputs} inputs; give one for each, or none")]
    Labels { inputs: usize, labels: usize },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
