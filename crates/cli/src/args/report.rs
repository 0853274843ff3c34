//! The words of `fissure report`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

#[derive(Debug, ClapArgs)]
pub struct Report {
    /// The directory of a run; two of them are compared
    #[arg(value_name = "RUN", required = true, num_args = 1..=2)]
    pub runs: Vec<PathBuf>,
    /// The formats to write, with commas between them [default: all]
    #[arg(long, value_name = "FORMATS", value_enum, value_delimiter = ',')]
    pub format: Vec<ReportFormat>,
    /// Where to write them [default: the directory of the (first) run]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// With --out: replace the pages that are there
    #[arg(long)]
    pub force: bool,
    /// Show the page in the browser
    #[arg(long)]
    pub open: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// One page that needs nothing else
    Html,
    /// The same on paper
    Pdf,
    /// Tables to paste into a paper
    Tex,
    /// The findings, for programs
    Json,
}
