//! The forecast of parts on trained models and texts that no calibration saw.
//!
//! `cargo test --release -p fissure-geometry --test parts_table -- --ignored --nocapture` prints the table of every part.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::path::{Path, PathBuf};

use fissure_core::{Chain, Dice, Sample};
use fissure_data::{ReadOptions, Samples};
use fissure_geometry::{CALIBRATION_POOL, PartCalibration, PartReport, PartsReport, parts_study};
use fissure_probes::TRANSFORMS;

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: the forecast of parts on trained models: no {} beside the workspace", path.display());
    None
}

/// Headlines and first sentences, with their classes from 0.
fn news() -> Option<Vec<(Sample, usize)>> {
    let file = std::fs::read_to_string(shared("data/ag_news/test.csv")?).unwrap();
    let sample = |(at, line): (usize, &str)| {
        let mut columns = line.trim_matches('"').splitn(3, "\",\"");
        let class: usize = columns.next()?.parse().ok()?;
        let text = columns.collect::<Vec<_>>().join(" ");
        Some((Sample::of_text(at.to_string(), text), class - 1))
    };
    Some(file.lines().enumerate().skip(1000).filter_map(sample).collect())
}

/// Reviews, negative and positive ones mixed.
fn reviews() -> Option<Vec<(Sample, usize)>> {
    let options = ReadOptions::new(fissure_tasks::find("sa").unwrap());
    let mut samples = Samples::open(vec![shared("data/imdb/test.jsonl.gz")?], options).unwrap();
    let all = samples.batch(25_000).unwrap();
    let class =
        |sample: &Sample| usize::from(["1", "pos", "positive"].contains(&&*sample.label.as_ref().unwrap().to_string()));
    let mut chosen: Vec<(Sample, usize)> = all
        .into_iter()
        .step_by(40)
        .map(|sample| (class(&sample), sample))
        .map(|(class, sample)| (sample, class))
        .collect();
    Dice::new(0, &["order"]).shuffle(&mut chosen);
    Some(chosen)
}

fn study(
    model: &str,
    data: Option<Vec<(Sample, usize)>>,
    parts: &[&str],
    texts: usize,
    copies: usize,
) -> Option<PartsReport> {
    let (model, data) = (shared("golden")?.join(model), data?);
    let model = fissure_models::open_with_max_length(&model, Some(128)).unwrap();
    let chains: Vec<Chain> = parts.iter().map(|part| Chain::build(&TRANSFORMS, part, &[]).unwrap()).collect();
    let (samples, labels): (Vec<Sample>, Vec<Option<usize>>) =
        data.into_iter().take(CALIBRATION_POOL + texts).map(|(sample, class)| (sample, Some(class))).unzip();
    let found = parts_study(model.as_white_box().unwrap(), &chains, &samples, &labels, copies, 0).unwrap();
    found.parts.iter().for_each(print);
    println!("left out: {:?}", found.left_out);
    Some(found)
}

fn pearson(part: &PartReport, score: &str) -> f64 {
    part.scores.iter().find(|known| known.score == score).and_then(|score| score.pearson).unwrap_or(0.0)
}

fn print(part: &PartReport) {
    let r = |score| pearson(part, score);
    println!(
        "| {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} ({:.2}) | {:.2} ({:.2} to {:.2}) | {:.2} | {:.2} ({:.2} to {:.2}) | {:?} | {:?} | {:?} {:?} {} |",
        part.part,
        part.texts,
        r("forecast"),
        r("calibrated margin"),
        r("1 - max p"),
        r("log lambda_max"),
        100.0 * part.predicted.value,
        100.0 * part.baseline,
        100.0 * part.flips.value,
        100.0 * part.flips.low,
        100.0 * part.flips.high,
        100.0 * part.predicted_drop.map_or(f64::NAN, |drop| drop.value),
        100.0 * part.drop.map_or(f64::NAN, |drop| drop.value),
        100.0 * part.drop.map_or(f64::NAN, |drop| drop.low),
        100.0 * part.drop.map_or(f64::NAN, |drop| drop.high),
        part.questions,
        part.questions_by_margin,
        part.calibration.fitted.r_squared,
        part.calibration.fitted.spread_correlation,
        if part.margin_only { "margin" } else { "" },
    );
}

/// Parts that exchange words by a law of their own: the forecast is ahead of 1 - max p, and the predicted share is near.
#[test]
fn slips_and_neighbours_on_a_small_network() {
    let Some(found) = study("cnn_ag", news(), &["typos", "keyboard", "swap_neighbour"], 150, 40) else { return };
    assert_eq!(found.parts.len(), 3, "left out: {:?}", found.left_out);
    for part in &found.parts {
        let (forecast, plain) = (pearson(part, "forecast"), pearson(part, "1 - max p"));
        assert!(forecast > 0.75 && forecast > plain, "{}: {forecast} against {plain}", part.part);
        let (predicted, measured) = (part.predicted.value, part.flips.value);
        assert!((predicted - measured).abs() < 0.02 + 0.5 * measured, "{}: {predicted} against {measured}", part.part);
    }
}

/// What a slip does to an encoder is what the other words miss: the row of its new pieces says next to nothing. Along the slopes
/// alone the line explains 0.1 of the shifts here.
#[test]
fn slips_in_an_encoder_are_priced_by_what_others_miss() {
    let Some(found) = study("minilm_ag", news(), &["typos", "spelling_error"], 40, 2) else { return };
    assert_eq!(found.parts.len(), 2, "left out: {:?}", found.left_out);
    for part in &found.parts {
        let PartCalibration { explained, blend, .. } = &part.calibration;
        assert!(explained.is_some_and(|share| share > 0.35), "{}: {explained:?}", part.part);
        assert!(blend.absent > 0.5 && !part.margin_only, "{}: {blend:?}", part.part);
    }
}

/// Every part that needs nothing but the text.
fn every_part() -> Vec<&'static str> {
    let task = fissure_tasks::find("sa").unwrap();
    let fits = |card: &fissure_core::Card| card.is_universal() && card.serves(&task.facts) && card.needs.is_empty();
    TRANSFORMS.entries().map(|entry| &entry.card).filter(|card| fits(card)).map(|card| card.name).collect()
}

#[test]
#[ignore = "a study of minutes, not a test"]
fn every_part_of_cnn_on_news() {
    study("cnn_ag", news(), &every_part(), 300, 60);
}

#[test]
#[ignore = "a study of minutes, not a test"]
fn every_part_of_fasttext_on_news() {
    study("fasttext_ag", news(), &every_part(), 300, 60);
}

#[test]
#[ignore = "a study of minutes, not a test"]
fn every_part_of_bilstm_on_reviews() {
    study("bilstm_imdb", reviews(), &every_part(), 200, 40);
}

#[test]
#[ignore = "a study of minutes, not a test"]
fn every_part_of_an_encoder_on_news() {
    study("minilm_ag", news(), &every_part(), 100, 20);
}

/// The eight parts of docs/experiments.md that every model is compared by.
#[test]
#[ignore = "a study of minutes, not a test"]
fn eight_parts_of_an_encoder_on_news() {
    let parts = [
        "typos",
        "keyboard",
        "spelling_error",
        "swap_neighbour",
        "append_irr",
        "punctuation",
        "twitter_type",
        "swap_syn_wordnet",
    ];
    study("minilm_ag", news(), &parts, 200, 10);
}

/// The part whose calibration once thought that synonyms scatter fourteen times as far as they do.
#[test]
#[ignore = "a study of minutes, not a test"]
fn synonyms_of_an_encoder_on_news() {
    study("minilm_ag", news(), &["swap_syn_wordnet"], 200, 10);
}
