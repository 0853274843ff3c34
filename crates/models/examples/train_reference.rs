//! Trains a small model on the shared AG News or IMDb data and prints its test accuracy:
//!
//! `cargo run --release -p fissure-models --example train_reference -- cnn imdb [--vectors FILE] [--out DIR]`

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

use fissure_models::Input;
use fissure_models::train::{Architecture, Example, Progress, TrainOptions, train};
use flate2::read::GzDecoder;
use serde_json::Value;

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [architecture, data, rest @ ..] = &arguments[..] else {
        return Err("usage: train_reference fasttext|papers-fasttext|cnn|bilstm ag|imdb [--KNOB VALUE]...".into());
    };
    let shared = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let (training, test, labels) = match data.as_str() {
        "ag" => (
            json_lines(&shared.join("ag_news/train_part.jsonl.gz"))?,
            ag_test(&shared.join("ag_news/test.csv"))?,
            &["World", "Sports", "Business", "Sci/Tech"][..],
        ),
        "imdb" => (
            json_lines(&shared.join("imdb/train.jsonl.gz"))?,
            json_lines(&shared.join("imdb/test.jsonl.gz"))?,
            &["negative", "positive"][..],
        ),
        other => return Err(format!("no data set {other}").into()),
    };
    let mut options = match architecture.as_str() {
        "papers-fasttext" => TrainOptions::papers_fasttext(),
        name => TrainOptions::new(name.parse::<Architecture>()?),
    };
    let mut out = None;
    for pair in rest.chunks(2) {
        let [knob, value] = pair else { return Err(format!("{} needs a value", pair[0]).into()) };
        match knob.as_str() {
            "--vectors" => options.vectors = Some(value.into()),
            "--out" => out = Some(PathBuf::from(value)),
            "--seed" => options.seed = value.parse()?,
            "--epochs" => options.epochs = value.parse()?,
            "--batch" => options.batch = value.parse()?,
            "--rate" => options.rate = value.parse()?,
            "--dropout" => options.dropout = value.parse()?,
            "--max-words" => options.max_words = value.parse()?,
            "--words" => options.words = value.parse()?,
            "--bigrams" => options.bigrams = value.parse()?,
            other => return Err(format!("no knob {other}").into()),
        }
    }
    let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
    let start = Instant::now();
    let trained = train(&training, &labels, &options, &mut report)?;
    let seconds = start.elapsed().as_secs_f64();
    let inputs: Vec<Input<'_>> = test.iter().map(|example| example.text.as_str().into()).collect();
    let answers = trained.model.answer(&inputs)?;
    let right = answers.iter().zip(&test).filter(|(answer, example)| answer.predicted == example.label).count();
    println!(
        "{architecture} {data}: test accuracy {:.4} ({right} of {}), best epoch {} of {}, {seconds:.1} s on {} threads",
        right as f64 / test.len() as f64,
        test.len(),
        trained.best_epoch,
        trained.epochs.len(),
        rayon::current_num_threads(),
    );
    if let Some(out) = out {
        trained.model.save(&out)?;
    }
    Ok(())
}

fn report(progress: &Progress) {
    if let Some(validation) = progress.validation {
        eprintln!(
            "epoch {}: training loss {:.4}, accuracy {:.4}; validation loss {:.4}, accuracy {:.4}",
            progress.epoch, progress.training.loss, progress.training.accuracy, validation.loss, validation.accuracy,
        );
    }
}

/// `{"text": ..., "label": ...}` on each line, gzipped.
fn json_lines(path: &Path) -> Fallible<Vec<Example>> {
    let lines = BufReader::new(GzDecoder::new(File::open(path)?)).lines();
    let one = |line: std::io::Result<String>| -> Fallible<Example> {
        let row: Value = serde_json::from_str(&line?)?;
        let label = match &row["label"] {
            Value::String(name) => usize::from(name.starts_with("pos")),
            number => number.as_u64().ok_or("a label is a number or a name")? as usize,
        };
        Ok(Example { text: row["text"].as_str().ok_or("no text")?.to_owned(), pair: None, label, source: None })
    };
    lines.map(one).collect()
}

/// `"class from 1","title","description"` on each line; the text is title and description with a space between.
fn ag_test(path: &Path) -> Fallible<Vec<Example>> {
    let text = fs::read_to_string(path)?;
    let one = |line: &str| -> Fallible<Example> {
        let fields: Vec<String> =
            line.trim_matches('"').splitn(3, "\",\"").map(|field| field.replace("\"\"", "\"")).collect();
        let [class, title, description] = &fields[..] else { return Err(format!("three fields in {line:?}").into()) };
        Ok(Example {
            text: format!("{title} {description}"),
            pair: None,
            label: class.parse::<usize>()? - 1,
            source: None,
        })
    };
    text.lines().map(one).collect()
}
