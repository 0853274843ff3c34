//! The fifth stage: the words that carry decisions without earning it. The planted ones should come out on top.

use fissure_core::Sample;
use fissure_geometry::{Carrier, CarrierOptions, Labelled, Vocabulary, carriers};
use fissure_models::SmallModel;
use serde_json::json;

use super::{Tour, percent};
use crate::Result;
use crate::commands::{builtin, examples};
use crate::ui::narrow_table;

/// Words shown.
const SHOWN: usize = 8;

/// Whether a word is one of those planted on purpose.
pub fn is_planted(word: &str) -> bool {
    builtin::planted().any(|(planted, _)| planted == word)
}

pub fn show(tour: &mut Tour, model: &dyn SmallModel) -> Result<Vec<Carrier>> {
    let classes = |reviews: &[Sample]| -> Vec<usize> { reviews.iter().map(builtin::class).collect() };
    let (seen, learnt) = (examples::named(&tour.reviews), examples::named(&tour.training));
    let (seen_classes, learnt_classes) = (classes(&tour.reviews), classes(&tour.training));
    let mut found = carriers(
        model,
        Labelled { texts: &seen, labels: &seen_classes },
        Some(Labelled { texts: &learnt, labels: &learnt_classes }),
        &Vocabulary::of(model)?,
        &CarrierOptions { seed: tour.seed, ..CarrierOptions::default() },
    )?;
    found.truncate(SHOWN);
    let number = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:+.2}"));
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|carrier| {
            vec![
                carrier.word.clone(),
                model.offers().labels.get(carrier.toward).cloned().unwrap_or_default(),
                carrier.support.to_string(),
                carrier.flip_rate.as_ref().map_or_else(|| "-".into(), percent),
                number(carrier.training_lift),
                number(carrier.lift),
                if is_planted(&carrier.word) { "planted" } else { "" }.to_owned(),
            ]
        })
        .collect();
    let words: Vec<&str> = found.iter().map(|carrier| carrier.word.as_str()).collect();
    tour.found.insert("carriers".into(), json!(words));
    tour.tell(
        "Words that pull the answer further than the labels support, the strongest first. \"Taught\" and \"true\" say how \
         far the labels of the reviews to learn from, and of those to test on, agree with the pull: 1 always, 0 no more \
         than without the word.",
    )?;
    let head = ["word", "pulls to", "reviews", "turns if replaced, %", "taught", "true", ""];
    tour.say(&format!("\n{}\n", narrow_table(&head, &rows)))?;
    Ok(found)
}
