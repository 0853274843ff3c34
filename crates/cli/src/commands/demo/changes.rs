//! The third stage: the quick suite and the word salad, as `fissure evaluate` runs them, with the report.

use fissure_core::Expectation;
use fissure_evaluate::{Findings, PartFinding, RunConfig, TellingExample};
use fissure_kit::evaluation;
use fissure_report::sure;
use fissure_statistics::Estimate;
use serde_json::json;

use super::{Tour, percent};
use crate::Result;
use crate::ui::{bold, marked, narrow_table, wrapped};

/// The suites of the tour.
const SUITES: &str = "quick,word-salad";
/// Pairs of texts shown.
const PAIRS: usize = 3;

pub fn show(tour: &mut Tour) -> Result<Findings> {
    let run = tour.place.run();
    let named = |path: std::path::PathBuf| path.display().to_string();
    let mut config = RunConfig { model: Some(named(tour.place.model())), ..RunConfig::default() };
    config.data.files = vec![named(tour.place.reviews().join("test.jsonl"))];
    config.data.task = Some("sa".into());
    config.data.limit = Some(tour.reviews.len());
    config.selection.suite = Some(SUITES.into());
    config.changes.seed = Some(tour.seed);
    let findings = evaluation::run_into(&run, &config)?;
    tour.found.insert("run".into(), json!(run));

    let kept = findings.parts.iter().filter(|part| part.expectation == Expectation::Kept);
    let mut parts: Vec<(&PartFinding, Estimate)> =
        kept.filter_map(|part| Some((part, part.evidence.as_ref()?.drop?))).collect();
    parts.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    tour.paragraph(
        "The quick suite changes every review in several ways that leave its meaning alone. By how many points \
         does accuracy drop, on exactly the reviews that were changed? \
         What is beyond noise is judged with all of them in mind: the more changes, the stricter.",
    )?;
    let rows: Vec<Vec<String>> = parts.iter().map(|(part, drop)| row(&findings, part, drop)).collect();
    let head = ["change", "reviews", "before > after", "drop (95 %)", "beyond noise"];
    tour.say(&format!("\n{}\n\n", narrow_table(&head, &rows)))?;
    let mut shown: Vec<&TellingExample> = Vec::new();
    let broken = |pair: &&TellingExample| {
        let kept = parts.iter().any(|(part, _)| part.name == pair.part);
        kept && pair.gold.as_ref() == Some(&pair.answer_before) && pair.answer_before != pair.answer_after
    };
    for pair in findings.telling.iter().filter(broken) {
        if shown.len() < PAIRS && shown.iter().all(|earlier| earlier.part != pair.part) {
            shown.push(pair);
        }
    }
    if !shown.is_empty() {
        tour.paragraph("Reviews whose answer a change broke, from right to wrong:")?;
    }
    for pair in shown {
        tour.say(&format!("\n  {}: {} > {}\n", bold(&pair.part), pair.answer_before, pair.answer_after))?;
        tour.say(&wrapped(&marked(&pair.before, &pair.field, &pair.edits), "    "))?;
    }
    if let Some(fragility) = &findings.fragility {
        let predictors: Vec<String> = fragility
            .predictors
            .iter()
            .map(|(score, r)| format!("{score} {:.2} ({:.2} to {:.2})", r.value, r.low, r.high))
            .collect();
        if !predictors.is_empty() {
            tour.say("\n")?;
            tour.paragraph(&format!(
                "How well did each score of stage 2 predict which answers changed here (Spearman's correlation)? {}.",
                predictors.join(", ")
            ))?;
        }
    }
    Ok(findings)
}

fn row(findings: &Findings, part: &PartFinding, drop: &Estimate) -> Vec<String> {
    let share =
        |score: Option<Estimate>| score.map_or_else(|| "-".into(), |score| format!("{:.1}", 100.0 * score.value));
    let (mut score, mut samples, mut noise) = (String::new(), String::new(), "");
    if let Some(evidence) = &part.evidence {
        score = format!("{} > {}", share(evidence.before), share(evidence.after));
        samples = evidence.samples.to_string();
        noise = if sure(findings, evidence) { "yes" } else { "no" };
    }
    vec![part.name.clone(), samples, score, percent(drop), noise.into()]
}
