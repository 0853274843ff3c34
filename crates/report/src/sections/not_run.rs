//! What was not run or not measured, and why.

use fissure_core::Expectation;
use fissure_evaluate::{Findings, NotRun};

use crate::charts::ChartTable;
use crate::document::{Block, Section, Words};
use crate::interpret::{expecting, family_rows};
use crate::numbers::count;

pub fn section(findings: &Findings) -> Section {
    let mut section = Section::new("not-run", "What was not measured");
    let missing = missing(findings);
    section = if missing.is_empty() {
        section.words("Every kind of measurement was made at least once.".into())
    } else {
        section.words(
            Words::new()
                .say("Not measured at all in this run, and so neither good nor bad: ")
                .say(missing.join("; "))
                .say("."),
        )
    };
    if !findings.not_run.is_empty() {
        let mut table = ChartTable::new("Asked for and not run", &["what", "why"]);
        // A reason may name the part it is about, which the first column has said.
        let reason = |found: &NotRun| {
            let said = [format!("`{}`: ", found.name), format!("`{}` ", found.name)];
            let reason = said.iter().find_map(|said| found.reason.strip_prefix(said)).unwrap_or(&found.reason);
            reason.replace('`', "")
        };
        let mut rows: Vec<(String, String)> = Vec::new();
        for found in &findings.not_run {
            let reason = reason(found);
            match rows.iter_mut().find(|(_, known)| *known == reason) {
                Some((names, _)) => *names = format!("{names}, {}", found.name),
                None => rows.push((found.name.clone(), reason)),
            }
        }
        table.rows = rows.into_iter().map(|(names, reason)| vec![names, reason]).collect();
        section = section.block(Block::Table(table));
    }
    if !findings.unanswered.is_empty() {
        let mut table = ChartTable::new("Questions that got no answer, and are left out", &["why", "questions"]);
        table.rows = findings.unanswered.iter().map(|(why, number)| vec![why.clone(), count(*number)]).collect();
        section = section.block(Block::Table(table));
    }
    let skipped = skipped(findings);
    if !skipped.rows.is_empty() {
        section = section.block(Block::Table(skipped));
    }
    section
}

/// The kinds of measurement that a reader could expect and that are not here.
fn missing(findings: &Findings) -> Vec<String> {
    let mut missing = Vec::new();
    for row in family_rows(findings).iter().filter(|row| row.mean.is_none() && row.absent == "not measured") {
        missing.push(format!("the family {}", row.name));
    }
    let kinds = [
        (findings.clean.is_empty(), "the score on clean data"),
        (findings.reliability.is_none(), "calibration"),
        (findings.salad.iter().all(|row| row.counts.changed == 0), "word salad"),
        (expecting(findings, Expectation::Flipped).all(|part| part.evidence.is_none()), "changes that flip the answer"),
        (findings.slices.is_empty(), "slices"),
        (findings.bias.is_empty(), "bias"),
        (findings.interactions.is_empty(), "changes together"),
        (findings.fragility.is_none(), "fragility from gradients"),
    ];
    missing.extend(kinds.iter().filter(|(absent, _)| *absent).map(|(_, name)| (*name).to_owned()));
    missing
}

/// Parts that touched no sample, or refused some.
fn skipped(findings: &Findings) -> ChartTable {
    let mut table = ChartTable::new(
        "Samples that a change left alone",
        &["change", "changed", "nothing to do", "skipped", "filtered", "why skipped"],
    );
    for part in &findings.parts {
        let counts = part.counts;
        if counts.unchanged + counts.skipped + counts.filtered == 0 {
            continue;
        }
        let reasons: Vec<String> =
            part.skips.iter().map(|(reason, number)| format!("{reason} ({})", count(*number))).collect();
        table.rows.push(vec![
            part.name.clone(),
            count(counts.changed),
            count(counts.unchanged),
            count(counts.skipped),
            count(counts.filtered),
            if reasons.is_empty() { crate::numbers::DASH.to_owned() } else { reasons.join("; ") },
        ]);
    }
    table.without_empty_columns()
}
