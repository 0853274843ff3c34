//! The first stage: what the data looks like.

use std::fs;
use std::path::{Path, PathBuf};

use fissure_core::Language;
use fissure_data::demo::{self, Split};
use fissure_data::{Existing, Writer};

use super::{Tour, label, text};
use crate::commands::builtin::{TRAINING_REVIEWS, TRIED};
use crate::ui::narrow_table;
use crate::{Error, Result};
use fissure_kit::outputs::Inputs;

pub fn show(tour: &Tour) -> Result<()> {
    let count = |wanted: &str| tour.reviews.iter().filter(|review| label(review) == wanted).count();
    tour.paragraph(&format!(
        "A little grammar wrote {} short reviews to learn from and {} to test on ({} positive, {} negative). Three of \
         these:",
        tour.training.len(),
        tour.reviews.len(),
        count(demo::POSITIVE),
        count(demo::NEGATIVE),
    ))?;
    let rows: Vec<Vec<String>> =
        tour.reviews.iter().take(3).map(|review| vec![label(review), text(review).to_owned()]).collect();
    tour.say(&format!("\n{}\n\n", narrow_table(&[], &rows)))?;
    let planted = demo::shortcuts(tour.language).iter();
    let planted: Vec<String> = planted.map(|s| format!("\"{}\" is {}", s.word, s.label)).collect();
    tour.paragraph(&format!(
        "Two shortcuts are planted: in the reviews to learn from, whatever mentions {}, or nearly always; in those to \
         test on the words tell nothing.",
        planted.join(" and whatever mentions "),
    ))
}

/// Writes the corpus as files, for a user to try commands on, with no fewer than `tried` reviews to test on.
pub fn write(folder: &Path, language: Language, seed: u64, tried: usize, existing: Existing) -> Result<()> {
    let files =
        [Split::Train, Split::Validation, Split::Test].map(|split| folder.join(format!("{}.jsonl", split.name())));
    Inputs::default().check(files.iter().map(PathBuf::as_path), existing)?;
    fs::create_dir_all(folder).map_err(Error::writing(folder.display().to_string()))?;
    for (split, size) in [(Split::Train, TRAINING_REVIEWS), (Split::Validation, 500), (Split::Test, tried.max(TRIED))] {
        let path = folder.join(format!("{}.jsonl", split.name()));
        let mut writer = Writer::create(&path, None, fissure_tasks::find("sa")?, existing)?;
        for review in demo::corpus_in(language, seed, split, size) {
            writer.write(&review)?;
        }
        writer.finish()?;
    }
    Ok(())
}
