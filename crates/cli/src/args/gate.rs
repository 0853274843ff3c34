//! The arguments of `fissure gate`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::args::Force;

#[derive(Debug, ClapArgs)]
pub struct Gate {
    /// The run: its directory, or its findings.json
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// A rule to check, such as 'drop(universal) <= 0.05'; can be given more than once
    #[arg(long = "rule", value_name = "RULE")]
    pub rules: Vec<String>,
    /// A file with one rule per line; # starts a comment
    #[arg(long = "rules", value_name = "FILE")]
    pub rule_file: Option<PathBuf>,
    /// An earlier run, for change(...). Without rules: nothing may be worse than in that run
    #[arg(long, value_name = "RUN")]
    pub baseline: Option<PathBuf>,
    /// Fail inconclusive rules too: the whole interval must lie on the right side
    #[arg(long)]
    pub strict: bool,
    /// Count rules about what was not measured as inconclusive, not as failed
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
