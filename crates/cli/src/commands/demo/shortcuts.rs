//! The fifth stage: the words that carry decisions without support from the labels. The planted ones should come out on top.

use fissure_core::{Language, Sample};
use fissure_geometry::{Labelled, ShortcutOptions, ShortcutWord, Vocabulary, shortcuts};
use fissure_models::SmallModel;
use serde_json::json;

use super::{Tour, percent};
use crate::Result;
use crate::commands::builtin;
use crate::ui::narrow_table;
use fissure_kit::classes;

/// Words shown.
const SHOWN: usize = 8;

/// Whether a word is one of those planted on purpose.
pub fn is_planted(language: Language, word: &str) -> bool {
    builtin::planted(language).any(|(planted, _)| planted == word)
}

pub fn show(tour: &mut Tour, model: &dyn SmallModel) -> Result<Vec<ShortcutWord>> {
    let classes = |reviews: &[Sample]| -> Vec<usize> { reviews.iter().map(builtin::class).collect() };
    let (seen, training) = (classes::named(&tour.reviews), classes::named(&tour.training));
    let (seen_classes, training_classes) = (classes(&tour.reviews), classes(&tour.training));
    let mut found = shortcuts(
        model,
        Labelled { texts: &seen, labels: &seen_classes },
        Some(Labelled { texts: &training, labels: &training_classes }),
        &Vocabulary::of(model)?,
        &ShortcutOptions { seed: tour.seed, ..ShortcutOptions::default() },
    )?;
    found.truncate(SHOWN);
    let number = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:+.2}"));
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|shortcut| {
            vec![
                shortcut.word.clone(),
                model.capabilities().labels.get(shortcut.toward).cloned().unwrap_or_default(),
                shortcut.support.to_string(),
                shortcut.flip_rate.as_ref().map_or_else(|| "-".into(), percent),
                number(shortcut.training_lift),
                number(shortcut.lift),
                if is_planted(tour.language, &shortcut.word) { "planted" } else { "" }.to_owned(),
            ]
        })
        .collect();
    let words: Vec<&str> = found.iter().map(|shortcut| shortcut.word.as_str()).collect();
    tour.found.insert("shortcuts".into(), json!(words));
    tour.paragraph(
        "Words that pull the answer further than the labels support, the strongest first. \"Taught\" and \"true\" say how \
         far the labels of the reviews to learn from, and of those to test on, agree with the pull: 1 always, 0 no more \
         than without the word.",
    )?;
    let head = ["word", "pulls to", "reviews", "flips if replaced, %", "taught", "true", ""];
    tour.say(&format!("\n{}\n", narrow_table(&head, &rows)))?;
    Ok(found)
}
