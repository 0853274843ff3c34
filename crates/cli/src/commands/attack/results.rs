//! What a run of attacks leaves behind: the numbers, the broken texts as data, the report, a table.

use std::collections::BTreeMap;
use std::path::Path;

use fissure_attacks::{AttackFinding, AttackRun, Outcome, Record, Summary};
use fissure_kit::attacks::{ATTACKS_FILE, SUMMARY_FILE, each_record, write_run};
use fissure_kit::outputs;
use fissure_kit::report::{EVERY, ending, write_pages};
use fissure_models::remote::public;
use fissure_report::attack_document;
use fissure_statistics::Estimate;
use serde_json::{Value, json};

use super::Method;
use crate::ui::table;
use crate::{Result, args};

/// The broken texts as data.
const BROKEN_FILE: &str = "broken.jsonl";

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
        finding: AttackFinding::of(&method.name(), used, proves, summary),
    }
}

/// The files that [`write`] writes.
pub fn files() -> impl Iterator<Item = String> {
    let pages = EVERY.iter().map(|format| format!("report.{}", ending(*format)));
    [SUMMARY_FILE, BROKEN_FILE].map(str::to_owned).into_iter().chain(pages)
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

/// A broken text as a row of data: its fields, and the label that is still right.
fn row(record: &Record) -> Option<Value> {
    let mut row = record.texts.clone();
    row.insert("id".into(), record.id.clone().into());
    row.insert("label".into(), record.label.clone()?.into());
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
        rows.push(("certified", format!("{certified} = {} of {}", found.certified, found.attacked)));
        let open = found.attacked - found.succeeded - found.certified;
        rows.push(("open", format!("{} = {open} of {}", percent(found.open_share), found.attacked)));
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
