//! The arguments of `fissure demo`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, value_parser};
use fissure_core::Language;
use fissure_data::demo::LANGUAGES;

use crate::commands::TRIED;

#[derive(Debug, ClapArgs)]
pub struct Demo {
    /// The directory for the reviews, the model, the run and its report; an earlier tour there is replaced
    #[arg(long, short, value_name = "DIR", default_value = "fissure-demo")]
    pub out: PathBuf,
    /// How many reviews to try the model on
    #[arg(long, value_name = "N", default_value_t = TRIED as u32, value_parser = value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    /// Only write the reviews (train.jsonl, validation.jsonl, test.jsonl) into this folder, and stop
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub write: Option<PathBuf>,
    /// With --write: replace the files if they exist
    #[arg(long, requires = "write")]
    pub force: bool,
    /// The language of the reviews: en or zh
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = written_in)]
    pub language: Language,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// One of the languages that the reviews are written in.
fn written_in(code: &str) -> Result<Language, String> {
    let known = || LANGUAGES.map(Language::code).join(" and ");
    let found = Language::find(code).filter(|language| LANGUAGES.contains(language));
    found.ok_or_else(|| format!("the reviews are written in {}", known()))
}
