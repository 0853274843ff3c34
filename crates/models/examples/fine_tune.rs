//! Fine-tunes an encoder on the shared AG News data and prints its test accuracy:
//!
//! `cargo run --release -p fissure-models --example fine_tune -- ENCODER_DIR EXAMPLES [OUT_DIR]`

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

use fissure_models::encoder::{FineTuneOptions, fine_tune};
use fissure_models::train::Example;
use fissure_models::{Input, Model};
use flate2::read::GzDecoder;
use serde_json::Value;

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [encoder, count, rest @ ..] = &arguments[..] else {
        return Err("usage: fine_tune ENCODER_DIR EXAMPLES [OUT_DIR]".into());
    };
    let shared = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ag_news");
    let mut training = json_lines(&shared.join("train_part.jsonl.gz"))?;
    training.truncate(count.parse()?);
    let test = csv(&shared.join("test.csv"))?;
    let labels = ["World", "Sports", "Business", "Sci/Tech"].map(str::to_owned);
    let start = Instant::now();
    let found = fine_tune(Path::new(encoder), &training, &labels, &FineTuneOptions::default(), &mut |progress| {
        if progress.batch % 20 == 0 || progress.validation.is_some() {
            eprintln!("{:5.0} s {progress:?}", start.elapsed().as_secs_f64());
        }
    })?;
    let inputs: Vec<Input<'_>> = test.iter().map(|example| Input::from(example.text.as_str())).collect();
    let answers = found.model.answer(&inputs)?;
    let right = answers.iter().zip(&test).filter(|(answer, example)| answer.predicted == example.label).count();
    println!("{} examples, epoch {}: {right} of {} right", training.len(), found.best_epoch, test.len());
    if let Some(out) = rest.first() {
        found.model.save(Path::new(out))?;
    }
    Ok(())
}

fn json_lines(path: &Path) -> Fallible<Vec<Example>> {
    let lines = BufReader::new(GzDecoder::new(File::open(path)?)).lines();
    lines
        .map(|line| {
            let row: Value = serde_json::from_str(&line?)?;
            let text = row["text"].as_str().ok_or("no text")?.to_owned();
            Ok(Example { text, pair: None, label: row["label"].as_u64().ok_or("no label")? as usize, source: None })
        })
        .collect()
}

/// `"label","title","description"`, labels from 1; the fields of this file hold no `","`.
fn csv(path: &Path) -> Fallible<Vec<Example>> {
    let text = fs::read_to_string(path)?;
    let example = |line: &str| {
        let fields: Vec<&str> = line.trim_matches('"').splitn(3, "\",\"").collect();
        let [label, title, description] = fields[..] else { return Err(format!("not three fields: {line}").into()) };
        let text = format!("{title} {description}").replace("\"\"", "\"");
        Ok(Example { text, pair: None, label: label.parse::<usize>()? - 1, source: None })
    };
    text.lines().map(example).collect()
}
