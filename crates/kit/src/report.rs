//! Writing the pages of a report beside a run.

use std::path::Path;

use fissure_evaluate::{Findings, read_asked};
use fissure_report::{Document, attacks_section, document_with};
use fissure_settings::ReportFormat;
use serde_json::json;

use crate::{Result, outputs};

/// The formats that this build can write; the one that takes longest comes last.
pub const EVERY: &[ReportFormat] = if cfg!(feature = "pdf") {
    &[ReportFormat::Html, ReportFormat::Tex, ReportFormat::Json, ReportFormat::Pdf]
} else {
    &[ReportFormat::Html, ReportFormat::Tex, ReportFormat::Json]
};

/// The report of a run and its numbers, with what the questions to a remote model cost.
pub fn of_run(folder: &Path, found: &Findings) -> Result<(Document, serde_json::Value)> {
    // Findings may lie alone, without their run.
    let folder = if folder.is_dir() { folder } else { folder.parent().unwrap_or(folder) };
    let asked = read_asked(folder)?;
    let mut numbers = json!(found);
    if let Some(asked) = &asked {
        numbers["asked"] = json!(asked);
    }
    let mut document = document_with(found, asked.as_ref());
    let attacks = crate::attacks::beside(folder)?;
    if !attacks.is_empty() {
        // Before what to do next.
        let place =
            document.sections.iter().position(|section| section.id == "next").unwrap_or(document.sections.len());
        document.sections.insert(place, attacks_section(&attacks));
        numbers["attacks"] = json!(attacks);
    }
    Ok((document, numbers))
}

/// Writes the pages of a run that has just ended into its directory.
pub fn write_beside(run: &Path, found: &Findings) -> Result<()> {
    let (document, numbers) = of_run(run, found)?;
    write_pages(run, &document, &numbers, false)
}

/// Writes a report in every format. Unless `force` is set, a page that was edited since an earlier time is kept under another name.
pub fn write_pages(folder: &Path, document: &Document, numbers: &serde_json::Value, force: bool) -> Result<()> {
    for format in EVERY {
        let path = folder.join(format!("report.{}", ending(*format)));
        outputs::write_again(&path, &page(*format, document, numbers, None)?, force)?;
    }
    Ok(())
}

pub const fn ending(format: ReportFormat) -> &'static str {
    match format {
        ReportFormat::Html => "html",
        ReportFormat::Pdf => "pdf",
        ReportFormat::Tex => "tex",
        ReportFormat::Json => "json",
    }
}

/// A page as the bytes of its file.
pub fn page(
    format: ReportFormat,
    document: &Document,
    numbers: &serde_json::Value,
    font: Option<&Path>,
) -> Result<Vec<u8>> {
    Ok(match format {
        ReportFormat::Html => fissure_report::html(document).into_bytes(),
        ReportFormat::Tex => fissure_report::tex(document).into_bytes(),
        ReportFormat::Json => format!("{numbers:#}\n").into_bytes(),
        #[cfg(feature = "pdf")]
        ReportFormat::Pdf => fissure_report::pdf(document, crate::font::of(document, font)?.as_ref())?,
        #[cfg(not(feature = "pdf"))]
        ReportFormat::Pdf => {
            let _ = font;
            return Err(crate::Error::WithoutPdf);
        }
    })
}
