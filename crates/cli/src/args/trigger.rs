//! The words of `fissure trigger`.

use clap::Args as ClapArgs;
use fissure_settings::LabelMapping as Labels;

use crate::args::Data;

#[derive(Debug, Clone, ClapArgs)]
pub struct Trigger {
    /// The model: a directory with config.json and model.safetensors
    #[arg(long, value_name = "DIR")]
    pub model: String,
    #[command(flatten)]
    pub data: Data,
    #[command(flatten)]
    pub labels: Labels,
    /// The label whose texts are attacked [default: each label of the model]
    #[arg(long, value_name = "LABEL")]
    pub label: Option<String>,
    /// How many words the trigger has
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub words: u8,
    /// How many words of the vocabulary are tried at each place in each round
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub tried: u16,
    /// The most texts of a label that the trigger is made on; as many others measure it
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub texts: u32,
}
