//! What happened over a whole run, on standard error.

use fissure_core::{Expectation, counted};
use fissure_kit::data;
use fissure_kit::transform::{Counts, Transformed};
use serde_json::json;

use crate::ui::{self, Ui, table};

/// What to know about the labels of changed rows; `None` if they are right.
const fn label_warning(expectation: Expectation) -> Option<&'static str> {
    match expectation {
        Expectation::Kept | Expectation::Relabelled => None,
        Expectation::Flipped => Some("and this change turns the right answer into its opposite"),
        Expectation::Unsure => Some("which may no longer be right"),
        Expectation::Destroyed => Some("and no label is right for them"),
    }
}

pub fn show(done: &Transformed, ui: Ui) {
    let (counts, expectation) = (&done.counts, done.expectation.name());
    if ui.json {
        let summary = json!({
            "transform": done.chain, "expectation": expectation, "read": counts.read,
            "changed": counts.changed, "unchanged": counts.unchanged, "skipped": counts.skipped,
            "filtered": counts.filtered, "left_out": counts.left_out,
            "edits": counts.edits, "edits_refused": counts.refused, "labels_dropped": counts.dropped,
            "labels_turned": counts.turned, "trees_lost": counts.trees_lost,
            "yield": counts.yielded.summary(), "shared_ids": done.shared_ids,
            "bad_rows": done.bad_rows.count,
        });
        return ui::note(&summary.to_string());
    }
    let row = vec![
        done.chain.clone(),
        counts.read.to_string(),
        counts.changed.to_string(),
        counts.unchanged.to_string(),
        counts.skipped_in_all().to_string(),
        counts.edits.to_string(),
        expectation.into(),
    ];
    ui::note(&table(&["transform", "samples", "changed", "unchanged", "skipped", "edits", "label"], &[row]));
    if counts.changed > 0 {
        let yielded = counts.yielded.summary();
        ui::note(&format!("  {}", yielded.in_words()));
        for warning in yielded.warnings() {
            ui::note(&format!("  a result on these texts {warning}"));
        }
    }
    let kept = counts.changed - counts.turned;
    if counts.turned > 0 {
        let rows = counted(counts.turned, "changed row");
        ui::note(&format!("  {rows} got the opposite label: the change turns the right answer into its opposite"));
    }
    if let Some(warning) = label_warning(done.expectation).filter(|_| kept > 0) {
        let rows = if counts.turned > 0 { "the other changed rows" } else { "changed rows" };
        ui::note(&format!("  {rows} keep the labels of their originals, {warning}"));
    }
    for (reason, count) in &counts.skipped {
        ui::note(&format!("  {count} skipped: {reason}"));
    }
    for (validator, count) in &counts.filtered {
        ui::note(&format!("  {count} filtered: a change was made, but {validator} is not what --keep asks for"));
    }
    data::report_shared_ids(done.shared_ids, counts.read);
    if counts.left_out > 0 {
        ui::note(&format!("  {} left out: --where does not hold for them", counts.left_out));
    }
    if counts.refused + counts.dropped > 0 {
        let Counts { refused, dropped, .. } = counts;
        ui::note(&format!(
            "  {refused} edits refused because they would have cut a label, {dropped} labels dropped with their words"
        ));
    }
    if counts.trees_lost > 0 {
        let samples = counted(counts.trees_lost, "changed sample");
        ui::note(&format!(
            "  {samples} written without HEAD, DEPREL and DEPS: their words are no longer one tree, or not all have a known head"
        ));
    }
    for (name, other) in &counts.renamed {
        ui::note(&format!(
            "  your column `{name}` is called `{other}` in these lines, which have a `{name}` of their own"
        ));
    }
    data::report_bad_rows(&done.bad_rows);
}
