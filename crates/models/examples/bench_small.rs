//! The Rust side of `benches/models/small.py`: does one piece of work for every line on standard input, and answers with
//! the seconds it took on the clock and on the processors (all threads; Linux only, else 0).
//!
//! `bench_small MODEL_DIRECTORY TEXTS.jsonl COUNT` (`-` for texts on standard input, up to an empty line), then lines: `pull` (forward and C-1 input gradients over COUNT
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
    let lines: Vec<String> = match texts.as_str() {
        "-" => io::stdin()
            .lines()
            .take_while(|line| !matches!(line, Ok(line) if line.is_empty()))
            .collect::<Result<_, _>>()?,
        path => fs::read_to_string(path)?.lines().map(str::to_owned).collect(),
    };
    let rows: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<_, _>>()?;
    let example = |row: &Value| {
        let label = row["label"].as_u64().unwrap_or(0) as usize;
        Example { text: row["text"].as_str().unwrap_or_default().to_owned(), pair: None, label, source: None }
    };
    let examples: Vec<Example> = rows.iter().map(example).cycle().take(count.parse()?).collect();
    for line in io::stdin().lock().lines() {
        let took = match line?.as_str() {
            "pull" => pull(model.as_white_box().ok_or("no gradients")?, &examples)?,
            "train" => train_once(directory, &*model, &examples)?,
            other => return Err(format!("no work called {other}").into()),
        };
        println!("{} {}", took.clock.as_secs_f64(), took.processor.as_secs_f64());
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Time {
    clock: Duration,
    processor: Duration,
}

impl Time {
    /// Since `start`, where the processors had already worked for `before`.
    fn since(start: Instant, before: Duration) -> Self {
        Self { clock: start.elapsed(), processor: processor_time().saturating_sub(before) }
    }
}

/// What all threads of this process have used so far.
fn processor_time() -> Duration {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let used = tasks.filter_map(|task| {
        let line = fs::read_to_string(task.path().join("schedstat")).ok()?;
        line.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(used.sum())
}

fn pull(model: &dyn WhiteBox, examples: &[Example]) -> Result<Time, Box<dyn Error>> {
    let inputs: Vec<Input<'_>> = examples.iter().map(|example| example.text.as_str().into()).collect();
    let points = model.embed(&inputs)?;
    let differences = |_: usize, logits: &[f32]| -> Vec<Vec<f32>> {
        let one = |class: usize| (0..logits.len()).map(|c| f32::from(c == class) - f32::from(c == 0)).collect();
        (1..logits.len()).map(one).collect()
    };
    let (start, before) = (Instant::now(), processor_time());
    black_box(model.pull_back(&points, &differences)?);
    Ok(Time::since(start, before))
}

/// The time between the first batch and the last, for each batch: neither counting words nor the last look is training.
fn train_once(directory: &str, model: &dyn Model, examples: &[Example]) -> Result<Time, Box<dyn Error>> {
    let name = Path::new(directory).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let architecture = Architecture::ALL.into_iter().find(|architecture| name.starts_with(architecture.name()));
    let options = TrainOptions {
        epochs: 1,
        validation: 0.0,
        max_words: 128,
        batch: 64,
        ..TrainOptions::new(architecture.ok_or("a directory named after its architecture")?)
    };
    let mut first = None;
    let mut last = Time { clock: Duration::ZERO, processor: Duration::ZERO };
    let mut batches = 0;
    train(examples, &model.capabilities().labels, &options, &mut |progress| {
        let (start, before) = *first.get_or_insert_with(|| (Instant::now(), processor_time()));
        if progress.batch > batches {
            (last, batches) = (Time::since(start, before), progress.batch);
        }
    })?;
    let steps = batches.max(2) as u32 - 1;
    Ok(Time { clock: last.clock / steps, processor: last.processor / steps })
}
