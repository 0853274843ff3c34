//! The words of `fissure gate`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::args::Force;

#[derive(Debug, ClapArgs)]
pub struct Gate {
    /// The run: its directory, or its findings.json
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// A rule that the findings must keep, as 'drop(universal) <= 0.05'; may be given many times
    #[arg(long = "rule", value_name = "RULE")]
    pub rules: Vec<String>,
    /// A file with one rule a line; what follows # is a comment
    #[arg(long = "rules", value_name = "FILE")]
    pub rule_file: Option<PathBuf>,
    /// An earlier run, for change(...); without rules: nothing may have become worse than in it
    #[arg(long, value_name = "RUN")]
    pub baseline: Option<PathBuf>,
    /// Pass only what is proven: the whole interval must lie on the right side
    #[arg(long)]
    pub strict: bool,
    /// Let rules about what was not measured pass
    #[arg(long)]
    pub allow_unmeasured: bool,
    /// Also write the outcome as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub force: Force,
    /// Also print annotations for GitHub Actions
    #[arg(long)]
    pub github: bool,
}
