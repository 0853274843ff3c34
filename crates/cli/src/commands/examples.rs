//! Samples as a classifier sees them: one text or a pair, and a label.

use std::collections::BTreeSet;
use std::path::Path;

use fissure_core::Sample;
use fissure_data::Layout;
use fissure_data::hub::{Address, Kind};
use fissure_geometry::stats::wilson;
use fissure_models::train::Example;
use fissure_models::{Input, Model, Offers};
use serde_json::json;

use crate::args::Data;
use crate::commands::data;
use crate::ui::Ui;
use crate::{Error, Result};

/// The question that a sample puts to a classifier.
pub fn input(sample: &Sample) -> Input<'_> {
    let mut texts = sample.fields.iter().map(|field| field.text.as_str());
    Input { text: texts.next().unwrap_or(""), pair: texts.next() }
}

/// The layout of a task that a classifier can do.
pub fn classified(layout: &'static Layout) -> Result<&'static Layout> {
    match layout.card.name {
        "classification" | "sa" | "nli" | "sm" => Ok(layout),
        task => Err(Error::NotClassified { task }),
    }
}

/// Everything the data holds, to train on: examples, and the labels in order.
pub fn labelled(args: &Data, layout: &'static Layout) -> Result<(Vec<Example>, Vec<String>)> {
    let mut samples = data::open(args, classified(layout)?)?;
    let mut rows: Vec<(String, Option<String>, String)> = Vec::new();
    while let Some(batch) = data::next(&mut samples, args.limit, rows.len())? {
        for sample in batch {
            let Some(label) = &sample.label else { continue };
            let Input { text, pair } = input(&sample);
            rows.push((text.to_owned(), pair.map(str::to_owned), label.to_string()));
        }
    }
    let labels: Vec<String> =
        rows.iter().map(|(_, _, label)| label.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    let examples = rows
        .into_iter()
        .map(|(text, pair, label)| Example { text, pair, label: labels.binary_search(&label).unwrap_or(0) })
        .collect();
    Ok((examples, labels))
}

/// A model from a directory, or from the Hugging Face cache or hub (`hf:owner/name`).
pub fn model(name: &str) -> Result<Box<dyn Model>> {
    let directory = if name.starts_with(Address::SCHEME) {
        let files =
            data::hub().files(Kind::Model, &name.parse()?, &["config.json", "tokenizer.json", "model.safetensors"])?;
        files.first().and_then(|file| file.parent()).map(Path::to_owned).unwrap_or_default()
    } else {
        name.into()
    };
    Ok(fissure_models::open(&directory)?)
}

/// Which of the model's labels a data set means by `label`: the one of that name, or of that number.
pub fn label_index(offers: &Offers, label: &str) -> Option<usize> {
    offers.labels.iter().position(|known| known.eq_ignore_ascii_case(label)).or_else(|| {
        // Data sets often number the labels that a model names.
        label.parse().ok().filter(|index| *index < offers.labels.len())
    })
}

/// How many answers were right, over a whole run.
#[derive(Debug, Default)]
pub struct Tally {
    pub read: usize,
    labelled: usize,
    right: usize,
    truncated: usize,
}

impl Tally {
    pub fn add(&mut self, offers: &Offers, predicted: usize, label: Option<&str>, truncated: bool) {
        self.read += 1;
        self.truncated += usize::from(truncated);
        if let Some(index) = label.and_then(|label| label_index(offers, label)) {
            self.labelled += 1;
            self.right += usize::from(index == predicted);
        }
    }

    pub fn show(&self, ui: Ui) -> String {
        let accuracy = self.right as f64 / self.labelled as f64;
        let interval = wilson(self.right, self.labelled);
        if ui.json {
            return json!({
                "samples": self.read, "labelled": self.labelled, "right": self.right, "truncated": self.truncated,
                "accuracy": interval.map(|_| accuracy), "accuracy_interval": interval,
            })
            .to_string();
        }
        let shown = match interval {
            Some(i) => format!("accuracy {accuracy:.4} (95 % interval {:.4} to {:.4})", i.low, i.high),
            None => "accuracy not measured: no sample has a label that the model knows".into(),
        };
        let cut = if self.truncated > 0 {
            format!(", {} longer than the model reads", self.truncated)
        } else {
            String::new()
        };
        format!("{} samples{cut}; {shown}", self.read)
    }
}
