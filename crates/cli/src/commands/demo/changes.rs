//! The second stage: every transformation on every review, counted, and one change of each shown.

use fissure_core::{Chain, Outcome};
use fissure_probes::TRANSFORMS;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::{Tour, text};
use crate::Result;
use crate::ui::{bold, marked, table};

pub fn show(tour: &mut Tour) -> Result<()> {
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
            let marked = marked(text(review), "text", &variant.trail);
            shown.push_str(&format!("  {}\n    {marked}\n", bold(chain.name())));
        }
        rows.push(vec![
            chain.name().to_owned(),
            chain.expects_on("sa").name().into(),
            changed.to_string(),
            unchanged.to_string(),
            skipped.to_string(),
        ]);
        found
            .push(json!({ "transform": chain.name(), "changed": changed, "unchanged": unchanged, "skipped": skipped }));
    }
    tour.found.insert("transforms".into(), Value::from(found));
    tour.say(&format!("{shown}\n{}\n", table(&["transform", "label", "changed", "unchanged", "skipped"], &rows)))
}
