//! The second stage: every transformation on every review, counted, and one change of each shown.

use fissure_core::{Chain, Outcome};
use fissure_probes::TRANSFORMS;
use rayon::prelude::*;
use serde_json::json;

use super::Tour;
use crate::ui::{self, bold, marked, table};
use crate::{Error, Result};

pub fn show(tour: &Tour) -> Result<()> {
    let mut rows = Vec::new();
    let mut shown = String::new();
    let mut found = Vec::new();
    for entry in TRANSFORMS.entries() {
        let chain = Chain::build(&TRANSFORMS, entry.card.name, &[])?;
        let outcomes: Vec<Outcome> = tour.reviews.par_iter().map(|review| chain.run(review, tour.seed, 0)).collect();
        let changed = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Changed(_))).count();
        let unchanged = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Unchanged)).count();
        let skipped = outcomes.len() - changed - unchanged;
        let first = tour.reviews.iter().zip(&outcomes).find_map(|(review, outcome)| match outcome {
            Outcome::Changed(variant) => Some((review, variant)),
            _ => None,
        });
        if let Some((review, variant)) = first {
            let text = review.text("text").map_or("", |text| text.as_str());
            shown.push_str(&format!("  {}\n    {}\n", bold(chain.name()), marked(text, "text", &variant.trail)));
        }
        let counts = [changed, unchanged, skipped];
        found
            .push(json!({ "transform": chain.name(), "changed": changed, "unchanged": unchanged, "skipped": skipped }));
        let mut row = vec![chain.name().to_owned(), chain.expectation().name().into()];
        row.extend(counts.iter().map(ToString::to_string));
        rows.push(row);
    }
    if tour.ui.json {
        return ui::print(&format!("{:#}\n", json!({ "transforms": found })))
            .map_err(Error::writing("standard output"));
    }
    tour.say(&format!("{shown}\n{}\n", table(&["transform", "label", "changed", "unchanged", "skipped"], &rows)))
}
