//! The Rust side of `benches/models/small.py`: does one piece of work for every line on standard input, and answers with
//! the seconds it took.
//!
//! `bench_small MODEL_DIRECTORY TEXTS.jsonl COUNT`, then lines: `pull` (forward and C-1 input gradients over COUNT
//! texts) or `train` (one epoch over them).

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead};
use std::path::Path;
use std::time::{Duration, Instant};

use fissure_models::train::{Architecture, Example, TrainOptions, train};
use fissure_models::{Input, Model, WhiteBox, open};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, texts, count] = &arguments[..] else {
        return Err("usage: bench_small MODEL_DIRECTORY TEXTS.jsonl COUNT".into());
    };
    let model = open(Path::new(directory))?;
    let rows: Vec<Value> = fs::read_to_string(texts)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let example = |row: &Value| {
        let label = row["label"].as_u64().unwrap_or(0) as usize;
        Example { text: row["text"].as_str().unwrap_or_default().to_owned(), pair: None, label }
    };
    let examples: Vec<Example> = rows.iter().map(example).cycle().take(count.parse()?).collect();
    for line in io::stdin().lock().lines() {
        let took = match line?.as_str() {
            "pull" => pull(model.as_white_box().ok_or("no gradients")?, &examples)?,
            "train" => train_once(directory, &*model, &examples)?,
            other => return Err(format!("no work called {other}").into()),
        };
        println!("{}", took.as_secs_f64());
    }
    Ok(())
}

fn pull(model: &dyn WhiteBox, examples: &[Example]) -> Result<Duration, Box<dyn Error>> {
    let inputs: Vec<Input<'_>> = examples.iter().map(|example| example.text.as_str().into()).collect();
    let points = model.embed(&inputs)?;
    let differences = |_: usize, logits: &[f32]| -> Vec<Vec<f32>> {
        let one = |class: usize| (0..logits.len()).map(|c| f32::from(c == class) - f32::from(c == 0)).collect();
        (1..logits.len()).map(one).collect()
    };
    let start = Instant::now();
    black_box(model.pull_back(&points, &differences)?);
    Ok(start.elapsed())
}

/// The time between the first batch and the last: neither counting words nor the last look is training.
fn train_once(directory: &str, model: &dyn Model, examples: &[Example]) -> Result<Duration, Box<dyn Error>> {
    let name = Path::new(directory).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let architecture = Architecture::ALL.into_iter().find(|architecture| name.starts_with(architecture.name()));
    let options = TrainOptions {
        epochs: 1,
        validation: 0.0,
        max_words: 128,
        batch: 64,
        ..TrainOptions::new(architecture.ok_or("a directory named after its architecture")?)
    };
    let (mut first, mut last, mut batches) = (None, Duration::ZERO, 0);
    let start = Instant::now();
    train(examples, &model.offers().labels, &options, &mut |progress| {
        first.get_or_insert_with(|| start.elapsed());
        if progress.batch > batches {
            (last, batches) = (start.elapsed(), progress.batch);
        }
    })?;
    // Per batch, so that the other side may count its own.
    Ok((last - first.unwrap_or_default()) / (batches.max(2) as u32 - 1))
}
