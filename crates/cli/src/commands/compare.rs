//! `fissure compare`: several models on the same examples.

use fissure_core::Sample;
use fissure_geometry::{
    Agreement, EditLaw, Example, ExampleScore, Forecaster, ScoreOptions, Scorer, Universal, Vocabulary, agreements,
    universal,
};
use fissure_models::remote::public;
use fissure_models::{Model, WhiteBox};
use fissure_statistics::{Estimate, proportion};
use serde::Serialize;
use serde_json::json;

use crate::args::{self, By};
use crate::ui::{self, Progress, Ui, table};
use crate::{Error, Result};
use fissure_kit::classes::{self, Read};
use fissure_kit::labels;
use fissure_kit::remote::Asking;

/// Examples compared unless the user says otherwise.
const USUAL_LIMIT: usize = 10_000;
/// Texts scored at a time.
const BATCH: usize = 256;

pub fn run(args: &args::Compare, ui: Ui) -> Result<()> {
    let Read { samples, more, survey } = classes::read(&args.data, USUAL_LIMIT)?;
    if more {
        ui::note(&format!("the first {USUAL_LIMIT} examples are compared; --limit changes this"));
    }
    let mut compared = Vec::new();
    for name in &args.model {
        let asking = Asking::uncalibrated(name, &args.data, &args.remote.settings(), args.max_length)?;
        let (name, model) = (public(name), &asking.model);
        let map = labels::matched(&**model, &survey, &args.labels)?;
        labels::announce(&format!("the data for {name}"), &map);
        let mut progress = ui::asking_progress(&asking, "examples", Some(samples.len() as u64));
        let scored = match model.as_white_box() {
            Some(inside) => score(args, inside, &samples, &mut progress)?,
            None => {
                if args.by != By::Uncertainty {
                    ui::note(&format!("{name}: its rank by {} needs gradients; 1 - max p is taken", args.by.name()));
                }
                score_outside(&**model, &samples, &mut progress)?
            }
        };
        progress.finish();
        ui::end_asking(&asking, args.remote.patience.price, ui)?;
        let said = scored.iter().map(|one| one.predicted.as_str());
        let accuracy = accuracy(&model.capabilities().labels, &classes::gold(&map, &samples), said);
        let by = if model.capabilities().gradients { args.by } else { By::Uncertainty };
        compared.push(Compared { model: name, by, accuracy, scored });
    }
    let scores: Vec<Vec<f64>> = compared.iter().map(|one| one.scored.iter().map(|s| s.fragility).collect()).collect();
    let (agreements, universal) = (agreements(&scores), universal(&scores, args.share));
    let shown = if ui.json {
        let of = |&at: &usize| {
            let answers: Vec<&Scored> = compared.iter().map(|one| &one.scored[at]).collect();
            json!({ "id": samples[at].id, "models": answers })
        };
        let fragile: Vec<_> = universal.examples.iter().map(of).collect();
        let disagreements: Vec<_> = disagreements(&compared).iter().map(of).collect();
        let found = json!({
            "models": compared.iter().map(|one| &one.model).collect::<Vec<_>>(), "accuracy": compared.iter().map(|one| one.accuracy).collect::<Vec<_>>(), "by": args.by.name(), "ranked_by": compared.iter().map(|one| one.by.name()).collect::<Vec<_>>(),
            "examples": samples.len(),
            "agreements": agreements, "share": universal.share, "by_chance": universal.by_chance, "universal": fragile,
            "disagreements": disagreements,
        });
        format!("{found:#}\n")
    } else {
        shown(args, &samples, &compared, &agreements, &universal)
    };
    ui::print(&shown).map_err(Error::writing("standard output"))
}

/// A model and what it makes of every example.
struct Compared {
    model: String,
    /// What its examples are ranked by.
    by: By,
    /// Of the examples with a label.
    accuracy: Option<Estimate>,
    scored: Vec<Scored>,
}

#[derive(Serialize)]
struct Scored {
    fragility: f64,
    predicted: String,
    flip_forecast: Option<f64>,
}

/// The examples by the answers alone.
fn score_outside(model: &dyn Model, samples: &[Sample], progress: &mut Progress) -> Result<Vec<Scored>> {
    let labels = &model.capabilities().labels;
    let mut scored = Vec::with_capacity(samples.len());
    for batch in samples.chunks(BATCH) {
        let inputs: Vec<_> = batch.iter().map(classes::input).collect();
        for (sample, answer) in batch.iter().zip(model.try_answer(&inputs)?) {
            let row = answer.ok().map(|answer| ExampleScore::of_answer(&sample.id, None, labels, &answer));
            // Without probabilities all answers rank the same.
            let doubt = row.as_ref().map_or(f64::NAN, |row| row.uncertainty);
            let fragility = if doubt.is_nan() { f64::MIN } else { doubt };
            let predicted = row.map_or_else(|| "(no answer)".into(), |row| row.predicted);
            scored.push(Scored { fragility, predicted, flip_forecast: None });
        }
        progress.add(batch.len() as u64);
    }
    Ok(scored)
}

fn score(
    args: &args::Compare,
    inside: &dyn WhiteBox,
    samples: &[Sample],
    progress: &mut Progress,
) -> Result<Vec<Scored>> {
    let vocabulary = Vocabulary::of(inside)?;
    let named = classes::named(samples);
    let forecaster = Forecaster::calibrated(inside, &vocabulary, EditLaw::RANDOM, &named, args.seed)?;
    let options = ScoreOptions::default();
    let scorer = Scorer { model: inside, options, forecaster: Some(forecaster), decoding: None };
    let mut scored = Vec::with_capacity(samples.len());
    for batch in named.chunks(BATCH) {
        let asked: Vec<Example<'_>> =
            batch.iter().map(|text| Example { id: text.id, input: text.input, label: None }).collect();
        for row in scorer.score(&asked)? {
            let fragility = fragility(args.by, &row);
            scored.push(Scored { fragility, flip_forecast: row.flip_forecast, predicted: row.predicted });
        }
        progress.add(batch.len() as u64);
    }
    Ok(scored)
}

/// The share of the examples with a label whose answer is right.
fn accuracy<'a>(known: &[String], gold: &[Option<usize>], said: impl Iterator<Item = &'a str>) -> Option<Estimate> {
    let labelled = gold.iter().zip(said).filter_map(|(gold, said)| Some(known[(*gold)?] == said));
    let right: Vec<bool> = labelled.collect();
    proportion(right.iter().filter(|right| **right).count(), right.len())
}

fn fragility(by: By, row: &ExampleScore) -> f64 {
    match by {
        // Without words there is nothing to replace: no text is more robust.
        By::Forecast => row.flip_t.unwrap_or(f64::MIN),
        By::Lambda => row.log_lambda_max.max(f64::MIN),
        By::Uncertainty => row.uncertainty,
    }
}

fn shown(
    args: &args::Compare,
    samples: &[Sample],
    compared: &[Compared],
    agreements: &[Agreement],
    universal: &Universal,
) -> String {
    let mut shown = String::new();
    for Compared { model, accuracy, .. } in compared {
        if let Some(found) = accuracy {
            let [value, low, high] = [found.value, found.low, found.high];
            shown += &format!("{model}: accuracy {value:.4} (95 % interval {low:.4} to {high:.4})\n");
        }
    }
    if !shown.is_empty() {
        shown += "\n";
    }
    let pairs: Vec<Vec<String>> = agreements
        .iter()
        .map(|pair| {
            let number = |c: Option<fissure_statistics::Correlation>| {
                c.map_or_else(|| "-".into(), |c| format!("{:+.2} (p {:.1e})", c.r, c.p))
            };
            let names = [pair.first, pair.second].map(|at| compared[at].model.clone());
            vec![names[0].clone(), names[1].clone(), number(pair.spearman), number(pair.kendall)]
        })
        .collect();
    if !pairs.is_empty() {
        shown += &format!("{}\n\n", table(&["model", "and", "Spearman", "Kendall"], &pairs));
    }
    shown += &format!(
        "{} of {} examples are among the most fragile {:.0} % of every model; {:.1} would be by chance.\n",
        universal.examples.len(),
        samples.len(),
        100.0 * universal.share,
        universal.by_chance,
    );
    let listed = |examples: &[usize]| -> Vec<Vec<String>> {
        let row = |&at: &usize| {
            let mut row = vec![samples[at].id.clone()];
            row.extend(compared.iter().map(|one| {
                let Scored { predicted, flip_forecast, .. } = &one.scored[at];
                match (flip_forecast, one.by) {
                    (Some(p), _) => format!("{predicted} {p:.2}"),
                    (None, By::Uncertainty) if args.by == By::Forecast => format!("{predicted} (needs gradients)"),
                    (None, _) => predicted.clone(),
                }
            }));
            row.push(ui::shortened(classes::input(&samples[at]).text));
            row
        };
        examples.iter().take(args.top).map(row).collect()
    };
    let mut head = vec!["id"];
    head.extend(compared.iter().map(|one| one.model.as_str()));
    head.push("example (with each model's answer and flip forecast)");
    let fragile = listed(&universal.examples);
    if !fragile.is_empty() {
        shown += &format!("\n{}\n", table(&head, &fragile));
    }
    let differing = disagreements(compared);
    if compared.len() > 1 {
        let first = if differing.len() > args.top { format!("; the first {}:", args.top) } else { ".".to_owned() };
        shown += &format!("\n{} of {} examples are answered differently{first}\n", differing.len(), samples.len());
    }
    let rows = listed(&differing);
    if !rows.is_empty() {
        shown += &format!("\n{}\n", table(&head, &rows));
    }
    shown
}

/// The examples that not all models give the same answer to.
fn disagreements(compared: &[Compared]) -> Vec<usize> {
    let Some((first, others)) = compared.split_first() else { return Vec::new() };
    let differs = |at: &usize| others.iter().any(|one| one.scored[*at].predicted != first.scored[*at].predicted);
    (0..first.scored.len()).filter(differs).collect()
}
