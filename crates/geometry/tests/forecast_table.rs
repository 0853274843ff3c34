//! The forecast on trained models and fresh texts: how well it tells which texts random substitutions will flip.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::path::Path;

use fissure_geometry::{EditLaw, Forecaster, Named, Reading, Vocabulary, flip_counts, survey};
use fissure_models::Input;
use fissure_statistics::pearson;

const TEXTS: usize = 170;
const COPIES: usize = 80;

/// Headlines and first sentences of the AG News test file; `None`, said loudly, where it is absent.
fn headlines() -> Option<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ag_news/test.csv");
    let Ok(file) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: the forecast on AG News: no shared/data beside the workspace");
        return None;
    };
    let text = |line: &str| line.trim_matches('"').splitn(3, "\",\"").skip(1).collect::<Vec<_>>().join(" ");
    Some(file.lines().map(text).collect())
}

struct Found {
    log_lambda: f64,
    uncertainty: f64,
    uncalibrated: f64,
    calibrated: f64,
    refined: f64,
}

/// Pearson correlations with the measured p_flip.
fn correlations(name: &str, law: EditLaw) -> Option<Found> {
    let texts = headlines()?;
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/golden").join(name);
    let model = fissure_models::open(&directory).unwrap();
    let model = model.as_white_box().unwrap();
    let vocabulary = Vocabulary::of(model).unwrap();
    let ids: Vec<String> = (0..texts.len()).map(|at| at.to_string()).collect();
    let named: Vec<Named<'_>> =
        texts.iter().zip(&ids).map(|(text, id)| Named { id, input: text.as_str().into() }).collect();
    let (calibration, fresh) = named[1000..].split_at(50);
    let fresh = &fresh[..TEXTS];
    let forecaster = Forecaster::calibrated(model, &vocabulary, law, calibration, 0).unwrap();
    println!("{name} {:?}: {:?}", law.draw, forecaster.calibration);
    let inputs: Vec<Input<'_>> = fresh.iter().map(|text| text.input).collect();
    let points = model.embed(&inputs).unwrap();
    let surveys = survey(model, &points, Reading::Tokens).unwrap();
    let counts = flip_counts(model, fresh, &vocabulary, &law, COPIES, 1).unwrap();
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

/// The table of the forecast, up to the noise of 170 texts and 80 copies: the forecast is ahead of 1 - max p, and that
/// of log lambda_max.
fn check(name: &str, law: EditLaw, least: f64) {
    let Some(found) = correlations(name, law) else { return };
    assert!(found.calibrated > least, "{name}: {}", found.calibrated);
    assert!(found.calibrated > found.uncertainty, "{name}: {} against {}", found.calibrated, found.uncertainty);
    assert!(found.uncertainty > found.log_lambda, "{name}: {} against {}", found.uncertainty, found.log_lambda);
    assert!(found.refined > found.calibrated - 0.02, "{name}: refined {}", found.refined);
    assert!(found.uncalibrated > 0.5, "{name}: uncalibrated {}", found.uncalibrated);
}

#[test]
fn fasttext_by_any_word() {
    check("fasttext_ag", EditLaw::RANDOM, 0.93);
}

#[test]
fn fasttext_by_neighbours() {
    check("fasttext_ag", EditLaw::NEIGHBOURS, 0.93);
}

#[test]
fn cnn_by_any_word() {
    check("cnn_ag", EditLaw::RANDOM, 0.86);
}

#[test]
fn cnn_by_neighbours() {
    check("cnn_ag", EditLaw::NEIGHBOURS, 0.86);
}
