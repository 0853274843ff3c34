//! The forecast on trained models and fresh texts: how well it predicts which texts random substitutions will flip.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::path::{Path, PathBuf};

use fissure_core::Dice;
use fissure_data::{ReadOptions, Samples};
use fissure_geometry::{EditLaw, Forecaster, NamedInput, Space, Vocabulary, flip_counts, survey};
use fissure_models::Input;
use fissure_statistics::pearson;

/// One cell of the table.
struct Cell {
    model: &'static str,
    data: Data,
    law: EditLaw,
    /// Texts measured, and edited copies of each: fewer where the model is slow.
    texts: usize,
    copies: usize,
}

#[derive(Clone, Copy)]
enum Data {
    AgNews,
    Imdb,
}

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: the forecast on trained models: no {} beside the workspace", path.display());
    None
}

/// Fresh texts; `None`, said loudly, where the data is absent.
fn texts(data: Data) -> Option<Vec<String>> {
    match data {
        // Headlines and first sentences.
        Data::AgNews => {
            let file = std::fs::read_to_string(shared("data/ag_news/test.csv")?).unwrap();
            let text = |line: &str| line.trim_matches('"').splitn(3, "\",\"").skip(1).collect::<Vec<_>>().join(" ");
            Some(file.lines().skip(1000).map(text).collect())
        }
        // Negative reviews stand before positive ones: every fortieth gives both.
        Data::Imdb => {
            let options = ReadOptions::new(fissure_tasks::find("sa").unwrap());
            let mut samples = Samples::open(vec![shared("data/imdb/test.jsonl.gz")?], options).unwrap();
            let all = samples.batch(25_000).unwrap();
            let mut chosen: Vec<String> =
                all.iter().step_by(40).map(|sample| sample.text("text").unwrap().as_str().to_owned()).collect();
            // So that the texts for the calibration are of both kinds too.
            Dice::new(0, &["order"]).shuffle(&mut chosen);
            Some(chosen)
        }
    }
}

struct Found {
    log_lambda: f64,
    uncertainty: f64,
    uncalibrated: f64,
    calibrated: f64,
    refined: f64,
}

/// Pearson correlations with the measured p_flip.
fn correlations(cell: &Cell) -> Option<Found> {
    let Cell { model: name, law, copies, .. } = *cell;
    let texts = texts(cell.data)?;
    // Encoders are slow on long texts, and headlines are short.
    let model = fissure_models::open_with_max_length(&shared("golden")?.join(name), Some(128)).unwrap();
    let model = model.as_white_box().unwrap();
    let vocabulary = Vocabulary::of(model).unwrap();
    let ids: Vec<String> = (0..texts.len()).map(|at| at.to_string()).collect();
    let named: Vec<NamedInput<'_>> =
        texts.iter().zip(&ids).map(|(text, id)| NamedInput { id, input: text.as_str().into() }).collect();
    let (calibration, fresh) = named.split_at(50);
    let fresh = &fresh[..cell.texts];
    let forecaster = Forecaster::calibrated(model, &vocabulary, law, calibration, 0).unwrap();
    println!("{name} {:?}: {:?}", law.draw, forecaster.calibration);
    let inputs: Vec<Input<'_>> = fresh.iter().map(|text| text.input).collect();
    let points = model.embed(&inputs).unwrap();
    let surveys = survey(model, &points, Space::Tokens).unwrap();
    let counts = flip_counts(model, fresh, &vocabulary, &law, copies, 1).unwrap();
    let measured: Vec<f64> = counts.iter().map(|count| count.rate().unwrap()).collect();
    let r = |scores: Vec<f64>| pearson(&scores, &measured).unwrap().r;
    let forecast = |forecaster: &Forecaster<'_>| {
        let forecasts = forecaster.forecasts(fresh, &points, &surveys).unwrap();
        r(forecasts.iter().map(|forecast| forecast.unwrap().probability).collect())
    };
    let found = Found {
        log_lambda: r(surveys.iter().map(|survey| survey.spectrum.log_lambda_max).collect()),
        uncertainty: r(surveys.iter().map(|survey| survey.confidence.uncertainty()).collect()),
        uncalibrated: forecast(&Forecaster { calibration: None, ..forecaster.clone() }),
        calibrated: forecast(&forecaster),
        refined: forecast(&Forecaster { refine: 4, ..forecaster.clone() }),
    };
    println!(
        "  mean p_flip {:.3}; r with it: log lambda {:.3}, 1 - max p {:.3}, uncalibrated {:.3}, calibrated {:.3}, refined {:.3}",
        measured.iter().sum::<f64>() / measured.len() as f64,
        found.log_lambda,
        found.uncertainty,
        found.uncalibrated,
        found.calibrated,
        found.refined
    );
    Some(found)
}

/// The table of the forecast, up to the noise of so few texts and copies: the forecast is ahead of 1 - max p, and that of
/// log lambda_max.
fn check(cell: &Cell, least: f64) {
    let Some(found) = correlations(cell) else { return };
    let name = cell.model;
    assert!(found.calibrated > least, "{name}: {}", found.calibrated);
    assert!(found.calibrated > found.uncertainty, "{name}: {} against {}", found.calibrated, found.uncertainty);
    assert!(found.uncertainty > found.log_lambda, "{name}: {} against {}", found.uncertainty, found.log_lambda);
    assert!(found.refined > found.calibrated - 0.02, "{name}: refined {}", found.refined);
    assert!(found.uncalibrated > 0.5, "{name}: uncalibrated {}", found.uncalibrated);
}

fn on_ag_news(model: &'static str, law: EditLaw) -> Cell {
    Cell { model, data: Data::AgNews, law, texts: 170, copies: 80 }
}

#[test]
fn fasttext_by_any_word() {
    check(&on_ag_news("fasttext_ag", EditLaw::RANDOM), 0.93);
}

#[test]
fn fasttext_by_neighbours() {
    check(&on_ag_news("fasttext_ag", EditLaw::NEIGHBOURS), 0.93);
}

#[test]
fn cnn_by_any_word() {
    check(&on_ag_news("cnn_ag", EditLaw::RANDOM), 0.86);
}

#[test]
fn cnn_by_neighbours() {
    check(&on_ag_news("cnn_ag", EditLaw::NEIGHBOURS), 0.86);
}

#[test]
fn bilstm_on_reviews_by_any_word() {
    check(&Cell { model: "bilstm_imdb", data: Data::Imdb, law: EditLaw::RANDOM, texts: 100, copies: 40 }, 0.9);
}

#[test]
fn bilstm_on_reviews_by_neighbours() {
    check(&Cell { model: "bilstm_imdb", data: Data::Imdb, law: EditLaw::NEIGHBOURS, texts: 100, copies: 40 }, 0.9);
}

#[test]
fn an_encoder_by_any_word() {
    check(&Cell { texts: 80, copies: 25, ..on_ag_news("minilm_ag", EditLaw::RANDOM) }, 0.8);
}
