//! The sections of a report, one file each: from findings to words, figures and tables.

mod asking;
mod bias;
mod calibration;
mod clean;
mod drops;
mod families;
mod forecast;
mod fragility;
mod interactions;
mod next;
mod not_run;
mod reproduce;
mod salad;
mod slices;
mod telling;
mod verdict;

use fissure_evaluate::{AskedFile, Findings};

use crate::document::{Document, Section, Words};
use crate::numbers::count;

pub use next::next_commands;
pub use telling::shown_change;
pub use verdict::verdict;

/// The whole report of a run.
pub fn document(findings: &Findings) -> Document {
    document_with(findings, None)
}

/// The same, with what asking the model took.
pub fn document_with(findings: &Findings, asked: Option<&AskedFile>) -> Document {
    let about = &findings.about;
    let sections: [Option<Section>; 16] = [
        Some(verdict::section(findings)),
        Some(clean::section(findings)),
        Some(drops::section(findings)),
        forecast::section(findings),
        Some(families::section(findings)),
        salad::section(findings),
        calibration::section(findings),
        slices::section(findings),
        bias::section(findings),
        interactions::section(findings),
        fragility::section(findings),
        telling::section(findings),
        Some(next::section(findings)),
        Some(not_run::section(findings)),
        asked.map(asking::section),
        Some(reproduce::section(findings)),
    ];
    let subtitle = Words::new().code(&about.model.name).say(" on ").list(about.data.files.iter().map(String::as_str));
    let subtitle = subtitle.say(format!(
        " · task {} · suite {} · {} samples, {} of them labelled",
        about.task,
        about.suite,
        count(about.data.samples),
        count(about.data.labelled)
    ));
    Document {
        title: "Where the model breaks".to_owned(),
        subtitle,
        headline: verdict::headline(findings),
        facts: verdict::facts(findings),
        sections: sections.into_iter().flatten().collect(),
    }
}
