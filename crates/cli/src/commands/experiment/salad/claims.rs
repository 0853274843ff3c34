//! The four claims of the word-salad paper, and whether our figures confirm them.

use fissure_repair::mitigate::{Row, Way};
use fissure_repair::paper_experiment::{LEXICAL, Study, mean_of};

/// The invalid class may cost this much accuracy, to be called little.
const LITTLE: f64 = 0.05;

/// A row for each claim: what it says, what was seen, and whether it holds.
pub fn rows(study: &Study) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut add = |claim: &str, seen: String, holds: bool| {
        rows.push(vec![claim.to_owned(), seen, if holds { "yes" } else { "no" }.to_owned()]);
    };
    let lexical: Vec<_> = study.salad.iter().filter(|row| LEXICAL.contains(&row.name.as_str())).collect();
    if let Some(agreement) = mean_of(lexical.iter().copied(), |row| Some(row.agreement.value)) {
        add(
            "every lexical destroyer keeps agreement above chance",
            format!("mean {}, chance {}", percent(agreement), percent(study.chance)),
            lexical.iter().all(|row| row.agreement.low > study.chance),
        );
    }
    let sure = mean_of(study.salad.iter(), |row| row.confidence.map(|sure| sure.value));
    if let (Some(sure), Some(valid)) = (sure, study.confidence) {
        add(
            "confidence stays nearer to that on valid data than to chance",
            format!("{}, on valid data {}", percent(sure), percent(valid.value)),
            sure > f64::midpoint(valid.value, study.chance),
        );
    }
    if let Some((first, others)) = study.calibration.split_first()
        && let Some(before) = first.lexical
    {
        let lowest = others.iter().filter_map(|method| method.lexical).fold(f64::INFINITY, f64::min);
        add(
            "no calibration takes lexical agreement half the way to chance",
            format!("{} before, {} at the lowest", percent(before), percent(lowest)),
            lowest > f64::midpoint(before, study.chance),
        );
    }
    if let Some(mitigation) = &study.mitigation {
        let cost = |row: &Row| mitigation.baseline.value - row.accuracy.value;
        for row in mitigation.rows.iter().filter(|row| matches!(row.way, Way::Invalid | Way::InvalidTuned)) {
            let seen = format!("{} recognised, {:.1} points lost", percent(row.recognised.value), 100.0 * cost(row));
            let claim = format!("{}: most is recognised, at under {:.0} points", row.way.name(), 100.0 * LITTLE);
            add(&claim, seen, row.recognised.low > 0.5 && cost(row) < LITTLE);
        }
    }
    rows
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
