//! What was found, in a table that fits the terminal.

use fissure_core::counted;
use fissure_evaluate::{Counts, Findings, Interaction, PartFinding, SaladRow};
use fissure_statistics::Estimate;

use crate::ui::{self, Ui};

/// The head of the four counts, on two lines to leave room.
const CHANGED: &str = "changed/same/\nskipped/filtered";

pub fn show(found: &Findings, ui: Ui) {
    if ui.json {
        return;
    }
    let (metric, value) = match found.clean.first() {
        Some((name, estimate)) => (name.as_str(), with_interval(estimate)),
        None if found.unanswered.is_empty() => {
            (found.about.metric.as_str(), "not measured: no sample has a label that the model knows".into())
        }
        None => (
            found.about.metric.as_str(),
            "not measured: no sample with a label that the model knows got an answer".into(),
        ),
    };
    ui::note(&format!("{metric} on the data as they are: {value}"));
    if !found.parts.is_empty() {
        let mut parts: Vec<&PartFinding> = found.parts.iter().collect();
        let drop = |part: &PartFinding| part.evidence.as_ref().and_then(|evidence| evidence.drop);
        // The worst first; those without a drop keep their order at the end.
        parts.sort_by(|a, b| match (drop(a), drop(b)) {
            (Some(a), Some(b)) => b.value.total_cmp(&a.value),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
        let head = ["part", "label", CHANGED, "before > after", "drop (95 %)", "p (Holm)", "turned"];
        ui::note(&ui::table(&head, &parts.into_iter().map(part).collect::<Vec<_>>()));
    }
    if let Some(weighted) = &found.weighted {
        let drop = with_interval(&weighted.drop);
        let parts = counted(weighted.parts, "part");
        ui::note(&format!("\ndrop weighted by what people accept, over {parts}: {drop}"));
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
                slice.p.map_or_else(none, small),
            ]
        };
        let head = ["slice", "inside/outside", "score", "difference (95 %)", "p"];
        ui::note(&format!("\n{}", ui::table(&head, &found.slices.iter().map(row).collect::<Vec<_>>())));
    }
    if let Some(fragility) = &found.fragility {
        let foretold: Vec<String> =
            fragility.foretells.iter().map(|(name, r)| format!("{name} {}", with_interval(r))).collect();
        if !foretold.is_empty() {
            ui::note(&format!("\nhow well scores foretell the answers turned (Spearman): {}", foretold.join("; ")));
        }
    }
    for (why, questions) in &found.unanswered {
        let questions = counted(*questions, "question");
        ui::note(&format!("\nwithout an answer, and left out: {questions}, because {why}"));
    }
    if !found.not_run.is_empty() {
        let names: Vec<&str> = found.not_run.iter().map(|part| part.name.as_str()).collect();
        ui::note(&format!("\nnot run: {} (`--dry-run` says why)", names.join(", ")));
    }
}

fn part(part: &PartFinding) -> Vec<String> {
    let label = part.expectation.name().to_owned();
    let Some(evidence) = &part.evidence else {
        return vec![part.name.clone(), label, counts(&part.counts), none(), none(), none(), none()];
    };
    let score = match (&evidence.before, &evidence.after) {
        (Some(before), Some(after)) => format!("{} > {}", number(before.value), number(after.value)),
        _ => none(),
    };
    vec![
        part.name.clone(),
        label,
        counts(&part.counts),
        score,
        evidence.drop.as_ref().map_or_else(none, with_interval),
        evidence.p_holm.map_or_else(none, small),
        format!("{:.1} %", 100.0 * evidence.changed_answers.value),
    ]
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

fn small(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

/// What was not measured says so.
fn none() -> String {
    "–".into()
}
