//! The Rust side of `benches/models/encoder.py`: does one piece of work for every line on standard input, and answers
//! with the seconds it took.
//!
//! `bench_encoder MODEL_DIRECTORY TEXTS.jsonl COUNT MAX_LENGTH`, then lines: `forward` (logits), `gradient` (and one
//! input gradient) or `pull` (and C-1 input gradients) over COUNT texts, or `train` (one epoch, per batch of 32).

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead};
use std::path::Path;
use std::time::{Duration, Instant};

use fissure_models::encoder::{Classifier, FineTuneOptions, fine_tune};
use fissure_models::train::Example;
use fissure_models::{Embedded, Input, Model, WhiteBox};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, texts, count, max_length] = &arguments[..] else {
        return Err("usage: bench_encoder MODEL_DIRECTORY TEXTS.jsonl COUNT MAX_LENGTH".into());
    };
    let (count, max_length): (usize, usize) = (count.parse()?, max_length.parse()?);
    let model = Classifier::open(Path::new(directory))?.with_max_length(max_length)?;
    let rows: Vec<Value> = fs::read_to_string(texts)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let example = |row: &Value| {
        let label = row["label"].as_u64().unwrap_or(0) as usize;
        Example { text: row["text"].as_str().unwrap_or_default().to_owned(), pair: None, label, source: None }
    };
    let examples: Vec<Example> = rows.iter().map(example).cycle().take(count).collect();
    let inputs: Vec<Input<'_>> = examples.iter().map(|example| example.text.as_str().into()).collect();
    let points = model.embed(&inputs)?;
    for line in io::stdin().lock().lines() {
        let took = match line?.as_str() {
            "forward" => {
                let start = Instant::now();
                black_box(model.logits_at(&points)?);
                start.elapsed()
            }
            "gradient" => pull(&model, &points, 1)?,
            "pull" => pull(&model, &points, model.capabilities().labels.len() - 1)?,
            "train" => train_once(directory, &model, &examples, max_length)?,
            other => return Err(format!("no work called {other}").into()),
        };
        println!("{}", took.as_secs_f64());
    }
    Ok(())
}

fn pull(model: &Classifier, points: &[Embedded], gradients: usize) -> Result<Duration, Box<dyn Error>> {
    let differences = |_: usize, logits: &[f32]| -> Vec<Vec<f32>> {
        let one = |class: usize| (0..logits.len()).map(|c| f32::from(c == class) - f32::from(c == 0)).collect();
        (1..=gradients).map(one).collect()
    };
    let start = Instant::now();
    black_box(model.pull_back(points, &differences)?);
    Ok(start.elapsed())
}

/// The time between the first batch and the last, per batch: neither reading files nor the last look is training.
fn train_once(
    directory: &str,
    model: &Classifier,
    examples: &[Example],
    max_length: usize,
) -> Result<Duration, Box<dyn Error>> {
    let options = FineTuneOptions { epochs: 1, validation: 0.0, max_length, ..FineTuneOptions::default() };
    let (mut first, mut last, mut batches) = (None, Duration::ZERO, 0);
    let start = Instant::now();
    fine_tune(Path::new(directory), examples, &model.capabilities().labels, &options, &mut |progress| {
        first.get_or_insert_with(|| start.elapsed());
        if progress.batch > batches {
            (last, batches) = (start.elapsed(), progress.batch);
        }
    })?;
    Ok((last - first.unwrap_or_default()) / (batches.max(2) as u32 - 1))
}
