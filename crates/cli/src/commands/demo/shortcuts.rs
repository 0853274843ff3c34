//! The fourth stage: the words that carry decisions without earning it. The planted ones should come out on top.

use fissure_core::Sample;
use fissure_data::demo::SHORTCUTS;
use fissure_geometry::{CarrierOptions, Labelled, Vocabulary, carriers};
use fissure_models::Model;
use serde_json::json;

use super::{Tour, label};
use crate::commands::examples::{self, LabelMap};
use crate::ui::table;
use crate::{Error, Result};

pub fn show(tour: &mut Tour, model: &dyn Model) -> Result<()> {
    let inside = model.as_white_box().ok_or_else(|| Error::BlackBox { model: "of the demo".into(), what: "this" })?;
    let of = |reviews: &[Sample]| -> Vec<usize> {
        reviews
            .iter()
            .map(|review| LabelMap::default().index(&model.offers().labels, &label(review)).unwrap_or(0))
            .collect()
    };
    let (seen, learnt) = (examples::named(&tour.reviews), examples::named(&tour.training));
    let (seen_labels, learnt_labels) = (of(&tour.reviews), of(&tour.training));
    let options = CarrierOptions { seed: tour.seed, ..CarrierOptions::default() };
    let found = carriers(
        inside,
        Labelled { texts: &seen, labels: &seen_labels },
        Some(Labelled { texts: &learnt, labels: &learnt_labels }),
        &Vocabulary::of(inside)?,
        &options,
    )?;
    let rows: Vec<Vec<String>> = found
        .iter()
        .take(8)
        .map(|carrier| {
            let planted = SHORTCUTS
                .iter()
                .any(|shortcut| shortcut.word.to_lowercase().split_whitespace().any(|word| word == carrier.word));
            let number = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:+.2}"));
            vec![
                carrier.word.clone(),
                model.offers().labels.get(carrier.toward).cloned().unwrap_or_default(),
                carrier.support.to_string(),
                carrier
                    .flip_rate
                    .map_or_else(|| "-".into(), |rate| format!("{:.0} % of {}", 100.0 * rate.value, carrier.tried)),
                number(carrier.lift),
                number(carrier.training_lift),
                if planted { "planted".into() } else { String::new() },
            ]
        })
        .collect();
    let top: Vec<_> = found.iter().take(8).map(|carrier| json!(carrier.word)).collect();
    tour.found.insert("carriers".into(), top.into());
    tour.say(
        "Words that pull the answer more than the labels bear out, strongest first. \"Flips\": how often the answer turns \
         when the word is replaced. \"Borne out\": whether unseen labels agree (1 always, 0 not at all).\n\n",
    )?;
    let head = ["word", "pulls toward", "reviews", "flips", "borne out", "in training", ""];
    tour.say(&format!("{}\n", table(&head, &rows)))
}
