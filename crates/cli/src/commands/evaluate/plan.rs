//! The plan, for people and programs.

use fissure_core::counted;
use fissure_evaluate::Prepared;
use serde_json::json;

use crate::ui::{self, Ui};
use crate::{Error, Result};

/// The plan in a line.
pub fn line(run: &Prepared) -> String {
    let left_out = match run.facts.left_out {
        0 => String::new(),
        count => format!(" ({count} left out: --where does not hold for them)"),
    };
    let piece = match run.header.shard {
        Some(shard) => format!(" in piece {shard}, of {}", run.facts.samples),
        None => String::new(),
    };
    format!(
        "{}{piece}{left_out}, {} and {} of the suite {}: at most {} to the model",
        counted(run.samples(), "sample"),
        counted(run.plan.chains.len(), "chain"),
        counted(run.plan.slices.len(), "slice"),
        run.header.config.suite(),
        counted(run.calls(), "question")
    )
}

/// How the labels of the data were matched with those of the model, in a line.
pub fn labels(run: &Prepared) -> String {
    match &run.header.label_match {
        Some(told) => format!("labels of the data: {told}"),
        None => "labels of the data: not matched with classes of the model".to_owned(),
    }
}

/// Everything that would be run, and what could not be and why.
pub fn show(run: &Prepared, ui: Ui) -> Result<()> {
    let plan = &run.plan.written;
    if ui.json {
        let json = json!({
            "samples": run.samples(), "shard": run.header.shard, "left_out": run.facts.left_out, "calls": run.calls(), "suite": run.header.config.suite(),
            "model": run.header.model, "data": run.header.data,
            "label_match": run.header.label_match, "plan": plan,
        });
        return ui::print(&format!("{json:#}\n")).map_err(Error::writing("standard output"));
    }
    let mut text = format!("{}\n{}\n\n", line(run), labels(run));
    let chains = plan.chains.iter().map(|chain| {
        vec![chain.name.clone(), chain.expectation.name().into(), chain.variants.to_string(), chain.summary.clone()]
    });
    let slices =
        plan.slices.iter().map(|slice| vec![slice.name.clone(), "slice".into(), String::new(), slice.summary.clone()]);
    text += &ui::table(&["part", "label", "variants", "what it does"], &chains.chain(slices).collect::<Vec<_>>());
    if !plan.not_run.is_empty() {
        let rows: Vec<Vec<String>> =
            plan.not_run.iter().map(|part| vec![part.name.clone(), part.reason.clone()]).collect();
        text += "\n\n";
        text += &ui::table(&["not run", "because"], &rows);
    }
    ui::print(&(text + "\n")).map_err(Error::writing("standard output"))
}
