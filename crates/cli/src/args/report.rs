//! The arguments of `fissure report`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use fissure_settings::ReportFormat;

#[derive(Debug, ClapArgs)]
pub struct Report {
    /// The directory of a run; two of them are compared
    #[arg(value_name = "RUN", required = true, num_args = 1..=2)]
    pub runs: Vec<PathBuf>,
    /// The formats to write, with commas between them [default: all]
    #[arg(long, value_name = "FORMATS", value_enum, value_delimiter = ',')]
    pub format: Vec<ReportFormat>,
    /// A font file for letters that the PDF's own typefaces lack, Han above all [default: one that is installed, if the
    /// texts need it]
    #[arg(long, value_name = "FILE")]
    pub font: Option<PathBuf>,
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
