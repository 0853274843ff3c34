//! Progress and cost of asking a model, in the terminal.

use std::sync::Arc;

use fissure_kit::classes::Tally;
use fissure_kit::remote::Asking;
use fissure_kit::resources::finish_programs;
use fissure_settings::Price;
use serde_json::json;

use super::{Progress, Ui, note};
use crate::Result;

/// Progress of work that asks a model.
pub fn asking_progress(asking: &Asking, what: &'static str, total: Option<u64>) -> Progress {
    Progress::asking(what, total, Arc::clone(&asking.asked), None)
}

/// The same for work of which only the questions can be counted, at most `expected` of them.
pub fn question_progress(asking: &Asking, expected: Option<u64>) -> Progress {
    Progress::asking("", None, Arc::clone(&asking.asked), expected)
}

/// Ends the programs that were asked, and prints what asking took, for a remote model. To be called before results are written
/// or shown: a program that gave more answers than it was asked for may have given them to other questions.
pub fn end_asking(asking: &Asking, price: Option<Price>, ui: Ui) -> Result<()> {
    finish_programs()?;
    match asking.account(price) {
        Some(account) if ui.json => note(&json!({ "asked": account }).to_string()),
        Some(account) => note(&account.summary()),
        None => {}
    }
    Ok(())
}

/// The share of right answers, for people or programs.
pub fn accuracy(tally: &Tally, ui: Ui) -> String {
    let accuracy = tally.accuracy();
    if ui.json {
        return json!({
            "samples": tally.read, "labelled": tally.labelled, "right": tally.right, "truncated": tally.truncated,
            "unanswered": tally.unanswered, "accuracy": accuracy,
        })
        .to_string();
    }
    let shown = match accuracy {
        Some(a) => {
            let interval = format!("95 % interval {:.4} to {:.4}", a.low, a.high);
            let on = match tally.labelled {
                labelled if labelled == tally.read => String::new(),
                labelled => format!(" on the {labelled} with a label and an answer"),
            };
            format!("accuracy {:.4}{on} ({interval})", a.value)
        }
        None if tally.unanswered == tally.read => "accuracy not measured: no sample got an answer".into(),
        None => "accuracy not measured: no sample that got an answer has a label that is scored".into(),
    };
    let counted = |count: usize, what: &str| if count > 0 { format!(", {count} {what}") } else { String::new() };
    let cut = counted(tally.truncated, "longer than the model reads");
    let unanswered = counted(tally.unanswered, "without an answer");
    format!("{}{cut}{unanswered}; {shown}", fissure_core::counted(tally.read, "sample"))
}
