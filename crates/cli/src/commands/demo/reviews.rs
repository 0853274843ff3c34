//! The first stage: what the data looks like.

use std::fs;
use std::path::Path;

use fissure_data::demo::{self, SHORTCUTS, Split};
use fissure_data::{Writer, layouts};

use super::{TRAINING, Tour, label, text};
use crate::{Error, Result};

pub fn show(tour: &Tour) -> Result<()> {
    let count = |wanted: &str| tour.reviews.iter().filter(|review| label(review) == wanted).count();
    tour.say(&format!(
        "{} short film reviews that no model has seen, from a little grammar: {} positive, {} negative. Three of them:\n",
        tour.reviews.len(),
        count(demo::POSITIVE),
        count(demo::NEGATIVE),
    ))?;
    for review in tour.reviews.iter().take(3) {
        tour.say(&format!("  {:>8}  {}\n", label(review), text(review)))?;
    }
    let planted: Vec<String> = SHORTCUTS.iter().map(|s| format!("\"{}\" ({})", s.word, s.label)).collect();
    tour.say(&format!(
        "In the {} reviews to learn from, two things go with one label on purpose: {}. Here they go with both.\n",
        tour.training.len(),
        planted.join(" and "),
    ))
}

/// Writes the corpus as files, for a user to try commands on.
pub fn write(folder: &Path, seed: u64) -> Result<()> {
    fs::create_dir_all(folder).map_err(Error::writing(folder.display().to_string()))?;
    for (split, name, size) in
        [(Split::Train, "train", TRAINING), (Split::Validation, "validation", 500), (Split::Test, "test", 1000)]
    {
        let mut writer = Writer::create(&folder.join(format!("{name}.jsonl")), None, layouts::find("sa")?)?;
        for review in demo::corpus(seed, split, size) {
            writer.write(&review)?;
        }
        writer.finish()?;
    }
    Ok(())
}
