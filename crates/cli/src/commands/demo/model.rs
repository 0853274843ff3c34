//! The second stage: a small model learns from the training reviews, is kept, and its answers are scored.

use fissure_data::Existing;
use fissure_geometry::{EditLaw, Example, ExampleScore, Forecaster, ScoreOptions, Scorer, Vocabulary};
use fissure_models::SmallModel;
use fissure_statistics::proportion;
use serde_json::json;

use super::{Tour, label, percent_in_words, text};
use crate::Result;
use crate::commands::builtin;
use crate::ui::{narrow_table, shortened_to};
use fissure_kit::{classes, outputs};

/// Reviews shown from each end.
const SHOWN: usize = 3;
/// Letters shown of a review.
const LETTERS: usize = 100;

pub fn show(tour: &mut Tour) -> Result<Box<dyn SmallModel>> {
    let trained = builtin::learn(&tour.training, tour.seed)?;
    let folder = outputs::model_folder(&tour.place.model(), Existing::Replace)?;
    trained.model.save(folder.path())?;
    folder.finish()?;
    let inside = &*trained.model;
    let rows = scored(tour, inside)?;
    let right = rows.iter().filter(|row| row.label.as_deref() == Some(&row.predicted)).count();
    let accuracy = proportion(right, rows.len());
    tour.answers = rows.iter().map(|row| (row.id.clone(), row.predicted.clone())).collect();
    tour.found.insert("accuracy".into(), json!(accuracy));
    tour.paragraph(&format!(
        "A convolutional network was trained on them for {} epochs. It answers {} of the test reviews correctly.",
        trained.epochs.len(),
        percent_in_words(accuracy),
    ))?;
    tour.say("\n")?;
    tour.paragraph(
        "How likely is it that its answer flips when about a tenth of the words are replaced by random ones? The flip \
         forecast says so from gradients alone, without trying any; 1 - max p, the model's own doubt, stands beside it.",
    )?;
    let most_fragile: Vec<_> =
        rows.iter().take(SHOWN).map(|row| json!({ "id": row.id, "flip_forecast": row.flip_forecast })).collect();
    tour.found.insert("most_fragile".into(), most_fragile.into());
    let head = ["forecast", "1 - max p", "label", "answer", "review"];
    tour.say(&format!("\n{}\n", narrow_table(&head, &extremes(tour, &rows))))?;
    Ok(trained.model)
}

/// All reviews with their scores, the most fragile first.
fn scored(tour: &Tour, inside: &dyn SmallModel) -> Result<Vec<ExampleScore>> {
    let vocabulary = Vocabulary::of(inside)?;
    let named = classes::named(&tour.reviews);
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
    rows.sort_by(|a, b| b.flip_t.unwrap_or(f64::MIN).total_cmp(&a.flip_t.unwrap_or(f64::MIN)));
    Ok(rows)
}

/// Some reviews from each end, with a gap between.
fn extremes(tour: &Tour, rows: &[ExampleScore]) -> Vec<Vec<String>> {
    let shown = |row: &ExampleScore| {
        let review = tour.reviews.iter().find(|review| review.id == row.id);
        vec![
            row.flip_forecast.map_or_else(|| "-".into(), |p| format!("{:.1} %", 100.0 * p)),
            format!("{:.1} %", 100.0 * row.uncertainty),
            row.label.clone().unwrap_or_default(),
            row.predicted.clone(),
            shortened_to(LETTERS, review.map_or("", text)),
        ]
    };
    let ends = SHOWN.min(rows.len() / 2);
    let fragile = rows.iter().take(ends).map(shown);
    let robust = rows.iter().skip(rows.len() - ends).map(shown);
    fragile.chain([vec!["...".into()]]).chain(robust).collect()
}
