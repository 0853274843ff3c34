//! The fourth stage: the answers to texts that no longer mean anything.

use fissure_evaluate::Findings;

use super::{Tour, percent};
use crate::Result;
use crate::ui::narrow_table;

pub fn show(tour: &Tour, findings: &Findings) -> Result<()> {
    tour.paragraph(
        "Word salad: the words of a review in the order of the alphabet, thrown together, repeated, cut away. A model \
         that reads would not stick to its answer; one that counts words does.",
    )?;
    let rows: Vec<Vec<String>> = findings
        .salad
        .iter()
        .filter(|row| row.counts.changed > 0)
        .map(|row| {
            vec![
                row.name.clone(),
                row.counts.changed.to_string(),
                percent(&row.agreement),
                format!("{:.0}", 100.0 * row.chance),
                row.confidence.as_ref().map_or_else(|| "-".into(), |share| format!("{:.1}", 100.0 * share.value)),
            ]
        })
        .collect();
    let head = ["destroyer", "reviews", "keeps its answer (95 %), %", "chance", "mean confidence, %"];
    tour.say(&format!("\n{}\n", narrow_table(&head, &rows)))
}
