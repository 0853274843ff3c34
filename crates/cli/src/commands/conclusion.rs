//! The closing words of `evaluate` and `demo`: what was found, and where the report is.

use std::path::Path;

use crate::ui::wrapped;

/// Each finding as an item of a list, in lines that fit the terminal.
pub fn listed(findings: &[String]) -> String {
    findings.iter().map(|finding| wrapped(finding, "  ").replacen("  ", "- ", 1)).collect()
}

/// Where the report of a run is.
pub fn report_of(run: &Path) -> String {
    let also = if cfg!(feature = "pdf") { "report.pdf, " } else { "" };
    let page = run.join("report.html");
    wrapped(
        &format!(
            "open {} for all charts and tables ({also}report.tex and report.json have the same content)",
            page.display()
        ),
        "",
    )
}
