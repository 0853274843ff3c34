//! The formats of a report.

use clap::ValueEnum;

/// The formats of a report.
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
