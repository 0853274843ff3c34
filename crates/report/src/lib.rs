//! Reports: charts, and the pages of a report. Everything here is a pure function of findings, and of
//! what the questions to a remote model cost; the same findings give the same bytes.

mod attacks;
pub mod charts;
mod compare;
pub mod document;
mod escape;
mod interpret;
mod numbers;
mod pages;
mod sections;

use fissure_evaluate::{Findings, TellingExample};

pub use attacks::{attack_comparison, attack_document, attacks_section};
pub use charts::{Chart, ChartTable};
pub use compare::{RunComparison, compare};
pub use document::Document;
pub use interpret::{counts_samples, sure};
#[cfg(feature = "pdf")]
pub use pages::pdf::{Font, PdfError, pdf};
pub use sections::{document, document_with};

/// The report as one page that needs nothing else.
pub fn html(document: &Document) -> String {
    pages::html::html(document)
}

/// The tables of the report, for a paper.
pub fn tex(document: &Document) -> String {
    pages::tex::tex(document)
}

/// The findings as they are; what each field means is in `docs/report.md`.
pub fn json(findings: &Findings) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(findings)? + "\n")
}

/// The verdict of the report in plain words: a paragraph for each thing found.
pub fn verdict(findings: &Findings) -> Vec<String> {
    sections::verdict(findings).iter().map(|words| words.plain().trim().to_owned()).collect()
}

/// A text before and after a change, cut to the places that changed.
pub fn shown_change(pair: &TellingExample) -> document::Change {
    sections::shown_change(pair)
}

/// The commands that a report suggests, in its order.
pub fn next_commands(findings: &Findings) -> Vec<String> {
    sections::next_commands(findings).into_iter().map(|(_, command)| command).collect()
}
