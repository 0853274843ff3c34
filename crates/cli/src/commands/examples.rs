//! Samples as a classifier sees them: one text or a pair, and a label.

use std::collections::BTreeSet;
use std::path::Path;

use fissure_core::Sample;
use fissure_data::Layout;
use fissure_data::hub::{Address, Kind};
use fissure_models::train::Example;
use fissure_models::{Input, Model, Offers};
use fissure_statistics::proportion;
use serde_json::json;

use crate::args::Data;
use crate::commands::data;
use crate::ui::Ui;
use crate::{Error, Result};

pub use fissure_geometry::question as input;

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

/// Which of the model's labels a data set means by its own: those of the same name, or of the same number. Data sets
/// often number the labels that a model names, from 0 or from 1.
#[derive(Debug, Clone, Copy, Default)]
pub struct LabelMap {
    first: usize,
}

impl LabelMap {
    /// Looks at some labels of the data: numbers count from 1 where none is 0 and one is the number of classes.
    pub fn new<'a>(offers: &Offers, labels: impl Iterator<Item = &'a str>) -> Self {
        let (mut lowest, mut highest) = (usize::MAX, 0);
        for number in labels.filter_map(|label| label.parse::<usize>().ok()) {
            (lowest, highest) = (lowest.min(number), highest.max(number));
        }
        Self { first: usize::from(lowest == 1 && highest == offers.labels.len()) }
    }

    pub fn index(self, offers: &Offers, label: &str) -> Option<usize> {
        let of_that_name = offers.labels.iter().position(|known| known.eq_ignore_ascii_case(label));
        let of_that_number = || label.parse::<usize>().ok()?.checked_sub(self.first);
        of_that_name.or_else(of_that_number).filter(|index| *index < offers.labels.len())
    }
}

/// [`LabelMap::new`] from the first samples of a data set.
pub fn label_map(offers: &Offers, first: &[Sample]) -> LabelMap {
    let labels: Vec<String> =
        first.iter().filter_map(|sample| sample.label.as_ref().map(ToString::to_string)).collect();
    LabelMap::new(offers, labels.iter().map(String::as_str))
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
    pub fn add(&mut self, gold: Option<usize>, predicted: usize, truncated: bool) {
        self.read += 1;
        self.truncated += usize::from(truncated);
        if let Some(gold) = gold {
            self.labelled += 1;
            self.right += usize::from(gold == predicted);
        }
    }

    pub fn show(&self, ui: Ui) -> String {
        let accuracy = proportion(self.right, self.labelled);
        if ui.json {
            return json!({
                "samples": self.read, "labelled": self.labelled, "right": self.right, "truncated": self.truncated,
                "accuracy": accuracy,
            })
            .to_string();
        }
        let shown = match accuracy {
            Some(a) => format!("accuracy {:.4} (95 % interval {:.4} to {:.4})", a.value, a.low, a.high),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_by_name_or_number() {
        let labels = ["World", "Sports", "Business"].map(str::to_owned).to_vec();
        let offers = Offers { labels, probabilities: true, gradients: true };
        let index = |seen: &[&str], label: &str| LabelMap::new(&offers, seen.iter().copied()).index(&offers, label);
        assert_eq!(index(&["sports"], "sports"), Some(1));
        assert_eq!(index(&["0", "2"], "2"), Some(2));
        assert_eq!(index(&["1", "3"], "3"), Some(2), "counted from 1");
        assert_eq!(index(&["1", "3"], "0"), None);
        assert_eq!(index(&["1", "2"], "2"), Some(2), "counted from 0 unless the labels show otherwise");
        assert_eq!(index(&["x"], "x"), None);
    }
}
