//! What happened over a whole run, on standard error.

use std::collections::BTreeMap;

use fissure_core::{Chain, Trail, Yield};
use fissure_data::Samples;
use fissure_tasks::Task;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::commands::data;
use crate::ui::{self, Ui, table};

/// What was counted.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    pub read: usize,
    pub changed: usize,
    pub unchanged: usize,
    /// By reason.
    pub skipped: BTreeMap<String, usize>,
    /// By the validator that was not satisfied.
    pub filtered: BTreeMap<String, usize>,
    /// Samples for which the condition of the user does not hold.
    pub left_out: usize,
    pub edits: usize,
    pub refused: usize,
    pub dropped: usize,
    #[serde(default)]
    pub yielded: Yield,
}

impl Counts {
    pub fn add(&mut self, other: Self) {
        self.read += other.read;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
        for (reason, count) in other.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        for (validator, count) in other.filtered {
            *self.filtered.entry(validator).or_default() += count;
        }
        self.left_out += other.left_out;
        self.edits += other.edits;
        self.refused += other.refused;
        self.dropped += other.dropped;
        self.yielded.add(other.yielded);
    }

    pub fn add_changed(&mut self, trail: &Trail) {
        self.changed += 1;
        self.edits += trail.edits.len();
        self.refused += trail.refused;
        self.dropped += trail.dropped;
        self.yielded.add_changed(trail.edits.iter().map(|edit| (edit.old.as_str(), edit.new.as_str())));
    }

    pub fn skipped_in_all(&self) -> usize {
        self.skipped.values().sum()
    }
}

pub fn show(chain: &Chain, task: &Task, counts: &Counts, samples: &Samples, ui: Ui) {
    let expectation = chain.expects_on(&task.facts).name();
    if ui.json {
        let summary = json!({
            "transform": chain.name(), "expectation": expectation, "read": counts.read,
            "changed": counts.changed, "unchanged": counts.unchanged, "skipped": counts.skipped,
            "filtered": counts.filtered, "left_out": counts.left_out,
            "edits": counts.edits, "edits_refused": counts.refused, "labels_dropped": counts.dropped,
            "yield": counts.yielded.summary(), "bad_rows": samples.skipped().count,
        });
        return ui::note(&summary.to_string());
    }
    let row = vec![
        chain.name().to_owned(),
        counts.read.to_string(),
        counts.changed.to_string(),
        counts.unchanged.to_string(),
        counts.skipped_in_all().to_string(),
        counts.edits.to_string(),
        expectation.into(),
    ];
    ui::note(&table(&["transform", "samples", "changed", "unchanged", "skipped", "edits", "label"], &[row]));
    if counts.read == 0 {
        ui::note("  nothing was read: the data has no samples");
    }
    if counts.changed > 0 {
        let yielded = counts.yielded.summary();
        ui::note(&format!("  {}", yielded.in_words()));
        for warning in yielded.warnings() {
            ui::note(&format!("  a result on these texts {warning}"));
        }
    }
    for (reason, count) in &counts.skipped {
        ui::note(&format!("  {count} skipped: {reason}"));
    }
    for (validator, count) in &counts.filtered {
        ui::note(&format!("  {count} filtered: a change was made, but {validator} is not what --keep asks for"));
    }
    if counts.left_out > 0 {
        ui::note(&format!("  {} left out: --where does not hold for them", counts.left_out));
    }
    if counts.refused + counts.dropped > 0 {
        let Counts { refused, dropped, .. } = counts;
        ui::note(&format!(
            "  {refused} edits refused because they would have cut a label, {dropped} labels dropped with their words"
        ));
    }
    data::report_bad_rows(samples);
}
