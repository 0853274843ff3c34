//! The third stage: a small model learns from the training reviews, and its answers are scored.

use fissure_geometry::{EditLaw, Example, Forecaster, Named, Row, ScoreOptions, Scorer, Vocabulary};
use fissure_models::Model;
use fissure_models::train::{self, Architecture, TrainOptions, train};
use serde_json::json;

use super::{Tour, label, text};
use crate::Result;
use crate::commands::examples::{self, LabelMap, Tally};
use crate::ui::{Progress, table};

pub fn show(tour: &mut Tour) -> Result<Box<dyn Model>> {
    let labels = vec!["negative".to_owned(), "positive".to_owned()];
    let examples: Vec<train::Example> = tour
        .training
        .iter()
        .map(|review| train::Example {
            text: text(review).to_owned(),
            pair: None,
            label: usize::from(label(review) == "positive"),
        })
        .collect();
    let mut options = TrainOptions::new(Architecture::Cnn);
    (options.seed, options.epochs, options.fewest_occurrences) = (tour.seed, 6, 1);
    let mut bar: Option<Progress> = None;
    let trained = train(&examples, &labels, &options, &mut |step| {
        let steps = (step.epochs * step.batches) as u64;
        bar.get_or_insert_with(|| Progress::new("batches learnt", Some(steps))).add(1);
    })?;
    if let Some(bar) = bar {
        bar.finish();
    }

    let inside = &*trained.model;
    let vocabulary = Vocabulary::of(inside)?;
    let named: Vec<Named<'_>> =
        tour.reviews.iter().map(|review| Named { id: &review.id, input: examples::input(review) }).collect();
    let forecaster = Forecaster::calibrated(inside, &vocabulary, EditLaw::RANDOM, &named, tour.seed)?;
    let scorer =
        Scorer { model: inside, options: ScoreOptions::default(), forecaster: Some(forecaster), decoding: None };
    let gold: Vec<String> = tour.reviews.iter().map(label).collect();
    let asked: Vec<Example<'_>> = named
        .iter()
        .zip(&gold)
        .map(|(review, label)| Example { id: review.id, input: review.input, label: Some(label) })
        .collect();
    let mut rows = scorer.score(&asked)?;

    let mut tally = Tally::default();
    for row in &rows {
        let of = |label: &str| LabelMap::default().index(&inside.offers().labels, label);
        tally.add(row.label.as_deref().and_then(of), of(&row.predicted).unwrap_or(0), row.truncated);
    }
    let person = crate::ui::Ui { json: false };
    tour.say(&format!(
        "A convolutional network learnt from {} reviews in {} epochs. On the unseen ones: {}.\n\n",
        tour.training.len(),
        trained.epochs.len(),
        tally.show(person),
    ))?;
    tour.found
        .insert("model".into(), serde_json::from_str(&tally.show(crate::ui::Ui { json: true })).unwrap_or_default());
    rows.sort_by(|a, b| b.flip_t.unwrap_or(f64::MIN).total_cmp(&a.flip_t.unwrap_or(f64::MIN)));
    let most_fragile: Vec<_> =
        rows.iter().take(3).map(|row| json!({ "id": row.id, "flip_forecast": row.flip_forecast })).collect();
    tour.found.insert("most_fragile".into(), most_fragile.into());
    tour.say("How likely is it that replacing a tenth of the words by random ones turns the answer?\n\n")?;
    tour.say(&format!(
        "{}\n",
        table(&["", "forecast", "1 - max p", "answer", "label", "review"], &extremes(tour, &rows))
    ))?;
    Ok(trained.model)
}

/// Three reviews from each end.
fn extremes(tour: &Tour, rows: &[Row]) -> Vec<Vec<String>> {
    let shown = |title: &str, row: &Row| {
        let review = tour.reviews.iter().find(|review| review.id == row.id);
        vec![
            title.to_owned(),
            row.flip_forecast.map_or_else(|| "-".into(), |p| format!("{p:.3}")),
            format!("{:.3}", row.uncertainty),
            row.predicted.clone(),
            row.label.clone().unwrap_or_default(),
            review.map_or("", text).to_owned(),
        ]
    };
    let fragile = rows.iter().take(3).map(|row| shown("fragile", row));
    let robust = rows.iter().rev().take(3).map(|row| shown("robust", row));
    fragile.chain(robust).collect()
}
