//! The arguments of `fissure compare`.

use clap::{Args as ClapArgs, ValueEnum};
use fissure_settings::LabelMapping as Labels;

use crate::args::share::some;
use crate::args::{Data, Remote};

#[derive(Debug, ClapArgs)]
pub struct Compare {
    /// A model: a directory, http(s)://..., or process:COMMAND; give --model once for each. One without gradients is ranked
    /// by 1 - max p
    #[arg(long, value_name = "MODEL", required = true)]
    pub model: Vec<String>,
    #[command(flatten)]
    pub remote: Remote,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// What to rank by
    #[arg(long, value_enum, default_value_t = By::Forecast)]
    pub by: By,
    /// The share of each model's examples that counts as fragile
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = some::<f64>)]
    pub share: f64,
    /// Read at most N tokens of a text
    #[arg(long, value_name = "N")]
    pub max_length: Option<usize>,
    /// Show N examples
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

impl By {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forecast => "forecast",
            Self::Lambda => "lambda",
            Self::Uncertainty => "uncertainty",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// The forecast of flips by random words
    Forecast,
    /// lambda_max
    Lambda,
    /// 1 - max p
    Uncertainty,
}
