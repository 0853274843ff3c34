//! Which examples are the most fragile.

use fissure_geometry::{EditLaw, Example, Forecaster, NamedInput, ScoreOptions, Scorer, Vocabulary};
use fissure_models::{Model, WhiteBox};

use crate::labelled::{confidence, input};
use crate::{FoundAttacks, LabelledSet, Result};

/// Examples scored at a time: gradients are held for each.
const BATCH: usize = 256;

/// The most fragile examples of a set.
#[derive(Debug)]
pub struct Mined {
    /// Places in the set, the most fragile first, with the measure.
    pub places: Vec<(usize, f64)>,
    /// What the measure is.
    pub by: &'static str,
}

/// The `most` fragile examples: by the flip forecast if the model gives gradients and names words, by
/// lambda_max where it names none, by 1 - max p for other models with probabilities. Where there is nothing to go by,
/// the first ones.
pub fn mine(
    model: &dyn Model,
    vocabulary: Option<&Vocabulary>,
    set: &LabelledSet,
    most: usize,
    seed: u64,
) -> Result<Mined> {
    let (scores, by) = match model.as_white_box() {
        Some(inside) => inside_scores(inside, vocabulary, set, seed)?,
        None => {
            let answers = set.answers(model)?;
            let scores: Vec<f64> = answers.iter().map(|answer| 1.0 - confidence(answer).unwrap_or(1.0)).collect();
            let by = if model.capabilities().probabilities { "1 - max p" } else { "not measured" };
            (scores, by)
        }
    };
    let mut places: Vec<(usize, f64)> = scores.into_iter().enumerate().filter(|(_, score)| !score.is_nan()).collect();
    places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    places.truncate(most);
    Ok(Mined { places, by })
}

/// The examples that an attack broke, those with the fewest changed words first.
pub fn broken(set: &LabelledSet, found: &FoundAttacks, most: usize) -> Mined {
    let changed = |at: usize| Some(found.on(&set.samples[at])?.1.changed);
    let mut places: Vec<(usize, f64)> =
        (0..set.len()).filter_map(|at| Some((at, 1.0 / changed(at)?.max(1) as f64))).collect();
    places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    places.truncate(most);
    Mined { places, by: "1 / changed words" }
}

fn inside_scores(
    model: &dyn WhiteBox,
    vocabulary: Option<&Vocabulary>,
    set: &LabelledSet,
    seed: u64,
) -> Result<(Vec<f64>, &'static str)> {
    let named: Vec<NamedInput<'_>> =
        set.samples.iter().map(|sample| NamedInput { id: &sample.id, input: input(sample) }).collect();
    let forecaster = match vocabulary {
        None => None,
        Some(vocabulary) => match Forecaster::calibrated(model, vocabulary, EditLaw::NEIGHBOURS, &named, seed) {
            Ok(forecaster) => Some(forecaster),
            Err(fissure_geometry::Error::NothingToCalibrate) => None,
            Err(error) => return Err(error.into()),
        },
    };
    let by = if forecaster.is_some() { "flip forecast" } else { "log lambda_max" };
    let scorer = Scorer { model, options: ScoreOptions::default(), forecaster, decoding: None };
    let mut scores = Vec::with_capacity(set.len());
    for batch in named.chunks(BATCH) {
        let examples: Vec<Example<'_>> =
            batch.iter().map(|text| Example { id: text.id, input: text.input, label: None }).collect();
        let rows = scorer.score(&examples)?;
        // Among forecasts, the t behind the probability still ranks where the probability is 0 or 1.
        scores.extend(rows.iter().map(|row| match by {
            "flip forecast" => row.flip_t.unwrap_or(f64::NEG_INFINITY),
            _ => row.log_lambda_max,
        }));
    }
    Ok((scores, by))
}
