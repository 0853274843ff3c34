//! What was found, in tables that fit the terminal and in words.

use std::path::Path;

use fissure_core::{Expectation, counted};
use fissure_evaluate::{Counts, ENOUGH_FOR_MEAN, Findings, Interaction, PartFinding, SaladRow};
use fissure_statistics::Estimate;

use crate::commands::conclusion;
use crate::ui::{self, Ui};

/// The head of the four counts, on two lines to leave room.
const CHANGED: &str = "changed/same/\nskipped/filtered";

pub fn show(found: &Findings, ui: Ui) {
    if ui.json {
        return;
    }
    let (metric, value) = match found.clean.first() {
        Some((name, estimate)) => (name.as_str(), with_interval(estimate)),
        None if found.about.label_match.is_none() && found.about.data.labelled == 0 => {
            (found.about.metric.as_str(), "not measured: the data has no labels".into())
        }
        None if found.unanswered.is_empty() => {
            (found.about.metric.as_str(), "not measured: no sample has a label that the model knows".into())
        }
        None => (
            found.about.metric.as_str(),
            "not measured: no sample with a label that the model knows got an answer".into(),
        ),
    };
    ui::note(&format!("{metric} on the original data: {value}"));
    let whole = fissure_report::counts_samples(found);
    for (expectation, title, score) in KINDS {
        let mut parts: Vec<&PartFinding> = found.parts.iter().filter(|part| part.expectation == expectation).collect();
        let drop = |part: &PartFinding| part.evidence.as_ref().and_then(|evidence| evidence.drop);
        // The worst first; those without a drop keep their order at the end.
        parts.sort_by(|a, b| match (drop(a), drop(b)) {
            (Some(a), Some(b)) => b.value.total_cmp(&a.value),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        if parts.is_empty() {
            continue;
        }
        let head: &[&str] = match score {
            Score::Drop => &["change", CHANGED, "before > after", "drop (95 %)", "p (Holm)", "answers changed"],
            Score::Right => &["change", CHANGED, "right before", "right after (95 %)", "answers changed"],
            Score::None => &["change", CHANGED, "answers changed (95 %)"],
        };
        let rows: Vec<Vec<String>> = parts.into_iter().map(|part| row(part, score, whole)).collect();
        ui::note(&format!("\n{}\n{}", ui::bold(title), ui::table(head, &rows)));
    }
    show_forecast(found);
    show_yield(found);
    if let Some(weighted) = &found.weighted {
        let drop = with_interval(&weighted.drop);
        let changes = counted(weighted.parts, "change");
        let few = match weighted.left_out {
            0 => String::new(),
            left_out => {
                format!(" ({} of fewer than {ENOUGH_FOR_MEAN} texts left out)", counted(left_out, "change"))
            }
        };
        ui::note(&format!("\naverage drop over {changes}, weighted by human acceptability{few}: {drop}"));
    }
    if !found.interactions.is_empty() {
        let row = |found: &Interaction| {
            let numbers = [&found.joint, &found.sum, &found.excess].map(with_interval);
            [vec![found.name.clone(), found.samples.to_string()], numbers.to_vec()].concat()
        };
        let head = ["together", "samples", "drop (95 %)", "sum of the single drops", "more than the sum"];
        ui::note(&format!("\n{}", ui::table(&head, &found.interactions.iter().map(row).collect::<Vec<_>>())));
    }
    if !found.salad.is_empty() {
        let head = ["word salad", CHANGED, "agreement (95 %)", "chance", "confidence"];
        ui::note(&format!("\n{}", ui::table(&head, &found.salad.iter().map(salad).collect::<Vec<_>>())));
    }
    if !found.slices.is_empty() {
        let row = |slice: &fissure_evaluate::SliceFinding| {
            let score = |score: &Option<Estimate>| score.as_ref().map_or_else(none, |score| number(score.value));
            vec![
                slice.name.clone(),
                format!("{} / {}", slice.inside, slice.outside),
                format!("{} / {}", score(&slice.score_inside), score(&slice.score_outside)),
                slice.difference.as_ref().map_or_else(none, with_interval),
                slice.p_holm.map_or_else(none, ui::p_value),
            ]
        };
        let head = ["slice", "inside/outside", "score", "difference (95 %)", "p (Holm)"];
        ui::note(&format!("\n{}", ui::table(&head, &found.slices.iter().map(row).collect::<Vec<_>>())));
    }
    if let Some(fragility) = &found.fragility {
        let predictors: Vec<String> =
            fragility.predictors.iter().map(|(name, r)| format!("{name} {}", with_interval(r))).collect();
        if !predictors.is_empty() {
            let scores = predictors.join("; ");
            ui::note(&format!("\nhow well scores predict which answers change (Spearman): {scores}"));
        }
    }
    for (why, questions) in &found.unanswered {
        ui::note(&format!("\n{} excluded: {why}", counted(*questions, "question")));
    }
    if !found.not_run.is_empty() {
        let names: Vec<&str> = found.not_run.iter().map(|part| part.name.as_str()).collect();
        ui::note(&format!("\nnot run: {} (`--dry-run` says why)", names.join(", ")));
    }
}

/// How much each change changed, and where a drop says less than it seems to.
fn show_yield(found: &Findings) {
    let changing: Vec<&PartFinding> = found.parts.iter().filter(|part| part.yielded.changed > 0).collect();
    if changing.is_empty() {
        return;
    }
    ui::note(&format!("\n{}", ui::bold("How much was changed")));
    for part in changing {
        ui::note(ui::wrapped(&format!("{}: {}", part.name, part.yielded.in_words()), "  ").trim_end());
        for warning in part.warnings() {
            ui::note(ui::wrapped(&format!("its result {warning}"), "    ").trim_end());
        }
    }
}

/// The findings in words, and where the report is.
pub fn show_words(found: &Findings, more: Vec<String>, run: &Path) {
    let words = conclusion::listed(&[fissure_report::verdict(found), more].concat());
    ui::note(&format!("\n{}\n{words}\n{}", ui::bold("What was found"), conclusion::report_of(run).trim_end()));
}

/// What is scored of a change.
#[derive(Clone, Copy)]
enum Score {
    Drop,
    Right,
    None,
}

/// The kinds of changes, each in a table of its own: a drop means another thing where the right answer changes too.
const KINDS: [(Expectation, &str, Score); 4] = [
    (Expectation::Kept, "Changes that keep the right answer", Score::Drop),
    (Expectation::Relabelled, "Changes that set the right answer: scored by the new labels", Score::Drop),
    (Expectation::Flipped, "Changes that flip the right answer: does the model follow?", Score::Right),
    (Expectation::Unsure, "Changes after which either answer may be right", Score::None),
];

/// A change in a table. `whole`: the metric counts whole samples, as the test and the share of changed answers do.
fn row(part: &PartFinding, score: Score, whole: bool) -> Vec<String> {
    let evidence = part.evidence.as_ref();
    let value = |estimate: Option<Estimate>| estimate.map_or_else(none, |estimate| number(estimate.value));
    let (before, after) = evidence.map_or((None, None), |evidence| (evidence.before, evidence.after));
    let changed = evidence.map(|evidence| evidence.changed_answers);
    // New labels on other words make another answer of almost every sequence of tags.
    let comparable = whole || part.expectation != Expectation::Relabelled;
    let turned = changed.filter(|_| comparable).map_or_else(none, |share| format!("{:.1} %", 100.0 * share.value));
    let more = match score {
        Score::Drop => {
            let drop = evidence.and_then(|evidence| evidence.drop);
            vec![
                before.zip(after).map_or_else(none, |(a, b)| format!("{} > {}", number(a.value), number(b.value))),
                drop.as_ref().map_or_else(none, with_interval),
                evidence.and_then(|evidence| evidence.p_holm).filter(|_| whole).map_or_else(none, ui::p_value),
                turned,
            ]
        }
        Score::Right => vec![value(before), after.as_ref().map_or_else(none, with_interval), turned],
        Score::None => vec![changed.as_ref().map_or_else(none, with_interval)],
    };
    // Of a part that was asked by a design, most cases are texts that were not asked.
    let counts = match (&part.forecast, evidence) {
        (Some(forecast), Some(evidence)) => format!("{} asked of {}", forecast.asked, evidence.samples),
        (Some(forecast), None) => format!("not measured: {}", counted(forecast.asked, "question")),
        (None, _) => counts(&part.counts),
    };
    [vec![part.name.clone(), counts], more].concat()
}

/// What was predicted before it was asked, beside what was measured, and what asking it took.
fn show_forecast(found: &Findings) {
    let parts = found.parts.iter().filter_map(|part| Some((part, part.forecast.as_ref()?, part.evidence.as_ref()?)));
    let (mut rows, mut asked, mut texts) = (Vec::new(), 0, 0);
    for (part, forecast, evidence) in parts {
        let seen = evidence.changed_answers;
        let [value, low, high] = [seen.value, seen.low, seen.high].map(|share| format!("{:.2}", 100.0 * share));
        rows.push(vec![
            part.name.clone(),
            forecast.flips.map_or_else(none, |flips| format!("{:.2}", 100.0 * flips)),
            format!("{value} ({low} to {high})"),
            forecast.agrees.map_or_else(none, |agrees| if agrees { "yes" } else { "no" }.into()),
        ]);
        asked += forecast.asked;
        texts += evidence.samples;
    }
    if !rows.is_empty() {
        let head = ["change", "flips predicted, %", "measured, %", "agrees"];
        ui::note(&format!("\n{}\n{}", ui::bold("What was predicted"), ui::table(&head, &rows)));
        ui::note(&format!("{asked} changed texts were asked to measure this, where asking each once takes {texts}"));
        let about = "Intervals and tests of these changes are about the texts of this run, whatever their changed forms; how far other \
                     texts would differ is not in them, so they are narrower than those of a run without --precision.";
        ui::note(&ui::wrapped(about, ""));
    }
}

fn salad(row: &SaladRow) -> Vec<String> {
    vec![
        row.name.clone(),
        counts(&row.counts),
        with_interval(&row.agreement),
        number(row.chance),
        row.confidence.as_ref().map_or_else(none, |confidence| number(confidence.value)),
    ]
}

fn counts(counts: &Counts) -> String {
    format!("{}/{}/{}/{}", counts.changed, counts.unchanged, counts.skipped, counts.filtered)
}

fn with_interval(estimate: &Estimate) -> String {
    format!("{} ({} to {})", number(estimate.value), number(estimate.low), number(estimate.high))
}

fn number(value: f64) -> String {
    format!("{value:.3}")
}

/// What was not measured says so.
fn none() -> String {
    "–".into()
}
