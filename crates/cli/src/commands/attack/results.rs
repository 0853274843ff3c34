//! What a run of attacks leaves behind: the numbers, the broken texts as data, the report, a table.

use std::collections::BTreeMap;
use std::path::Path;

use fissure_attacks::{AttackFinding, AttackRun, Outcome, Record, Summary, changed};
use fissure_core::Sample;
use fissure_data::Task;
use fissure_kit::attacks::{self, ATTACKS_FILE, BROKEN_FILE, each_record, write_run};
use fissure_kit::outputs;
use fissure_kit::report::write_pages;
use fissure_models::remote::public;
use fissure_report::attack_document;
use fissure_statistics::Estimate;
use serde_json::{Map, Value, json};

use super::Method;
use crate::ui::table;
use crate::{Result, args};

/// Broken texts that a report shows.
const EXAMPLES: usize = 10;

pub fn of_run(args: &args::Attack, task: &str, method: &Method, summary: &Summary) -> AttackRun {
    let (used, proves): (&[&str], bool) = match method {
        Method::Attack(attack, ..) => (&attack.used, attack.search.part.proves()),
        Method::Replay(_) => (&[], false),
    };
    AttackRun {
        fissure: env!("CARGO_PKG_VERSION").into(),
        model: public(&args.model),
        task: task.into(),
        data: args.data.files.clone(),
        seed: args.seed,
        together: args.together.clone(),
        finding: AttackFinding::of(&method.name(), used, proves, summary),
    }
}

/// The files that [`write`] writes: all but the lines.
pub fn files() -> impl Iterator<Item = String> {
    attacks::files().filter(|name| name != ATTACKS_FILE)
}

/// Writes everything that is made from the lines of the run.
pub fn write(folder: &Path, run: &mut AttackRun, force: bool) -> Result<()> {
    let mut shortest: Vec<Record> = Vec::new();
    let mut broken = String::new();
    each_record(&folder.join(ATTACKS_FILE), |record| {
        if record.outcome != Outcome::Succeeded {
            return;
        }
        broken.extend(row(&record).map(|row| format!("{row}\n")));
        // Sorting keeps the order of equals, so these are the first of those with the fewest changes.
        shortest.push(record);
        shortest.sort_by_key(|record| record.changed);
        shortest.truncate(EXAMPLES);
    })?;
    run.finding.keep_examples(shortest.iter(), EXAMPLES);
    write_run(folder, run, force)?;
    let numbers = json!(run);
    outputs::write_again(&folder.join(BROKEN_FILE), broken.as_bytes(), force)?;
    Ok(write_pages(folder, &attack_document(run), &numbers, force)?)
}

/// The text that was found as a row of its task, with the labels that are still right; empty if none was found.
pub fn row_of(task: &Task, record: &Record, sample: &Sample) -> Map<String, Value> {
    let found = (record.outcome == Outcome::Succeeded).then(|| changed(record, sample)).flatten();
    let row = found.map(|found| json!(task.row(&found)));
    match row {
        Some(Value::Object(row)) => row,
        _ => Map::new(),
    }
}

/// A broken text as a row of data, with the label that is still right. It is written as the model names it: it said so before the attack,
/// and a few rows alone would not tell which number of the data is which of its labels.
fn row(record: &Record) -> Option<Value> {
    if !record.row.is_empty() {
        let mut row = record.row.clone();
        row.entry("id").or_insert_with(|| record.id.clone().into());
        return Some(Value::Object(row));
    }
    let mut row = record.texts.clone();
    row.insert("id".into(), record.id.clone().into());
    record.label.as_ref()?;
    row.insert("label".into(), record.before.as_ref()?.label.clone().into());
    Some(Value::Object(row))
}

pub fn shown(found: &AttackFinding) -> String {
    let percent = |share: Option<Estimate>| {
        share.map_or_else(
            || "not measured".to_owned(),
            |e| format!("{:.1} % ({:.1} to {:.1})", 100.0 * e.value, 100.0 * e.low, 100.0 * e.high),
        )
    };
    let counted = |counts: &BTreeMap<String, usize>| {
        counts.iter().map(|(why, count)| format!("{count} {why}")).collect::<Vec<_>>().join(", ")
    };
    let number = |x: Option<f64>| x.map_or_else(|| "not measured".to_owned(), |x| format!("{x:.1}"));
    let mut rows = vec![
        ("attack", found.name.clone()),
        ("accuracy before", percent(found.accuracy_before)),
        ("accuracy under attack", percent(found.accuracy_under_attack)),
        ("success", format!("{} = {} of {}", percent(found.success), found.succeeded, found.attacked)),
    ];
    if found.proves {
        let certified = percent(found.certified_share);
        let tried = found.tried();
        rows.push(("certified", format!("{certified} = {} of {tried}", found.certified)));
        let open = tried.saturating_sub(found.succeeded + found.certified);
        rows.push(("open", format!("{} = {open} of {tried}", percent(found.open_share))));
    }
    if let Some(spread) = found.questions {
        let words = format!("{:.1} a text, median {}, 95 % at most {}", spread.mean, spread.median, spread.p95);
        rows.push(("questions", words));
    }
    rows.push(("asked, with repetitions", number(found.asked)));
    if found.inputs.is_some_and(|inputs| inputs > 0.0) {
        rows.push(("different inputs", number(found.inputs)));
    }
    if found.backward.is_some_and(|passes| passes > 0.0) {
        rows.push(("backward passes", number(found.backward)));
    }
    if let (Some(words), Some(share)) = (found.words_changed, found.share_of_words) {
        let at_first = found.words_changed_before_shrinking.unwrap_or(words);
        let shrunk = format!("{words:.2} ({:.1} % of the words); before shrinking {at_first:.2}", 100.0 * share);
        rows.push(("words changed", shrunk));
    }
    if let (Some(before), Some(after)) = (found.perplexity_before, found.perplexity_after) {
        rows.push(("perplexity", format!("{before:.0} before, {after:.0} after (built-in trigram model)")));
    }
    if let Some((mean, least)) = found.similarity {
        rows.push(("similarity", format!("{mean:.3} on average, {least:.3} at least")));
    }
    for (what, counts) in [("failed", &found.failed), ("not attacked", &found.skipped)] {
        if !counts.is_empty() {
            rows.push((what, counted(counts)));
        }
    }
    rows.extend(found.used.iter().map(|used| ("used", used.clone())));
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]).collect();
    format!("{}\n  intervals hold 95 % of the time (Wilson)", table(&[], &rows))
}
