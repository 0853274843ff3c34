//! Samples as a classifier sees them: one text or a pair, and a label.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use fissure_ask::input;
use fissure_core::{Has, Sample};
use fissure_data::Task;
use fissure_data::hub::{Address, Kind};
use fissure_evaluate::{LabelMap, LabelSurvey};
use fissure_geometry::Named;
use fissure_models::train::Example;
use fissure_models::{Input, Model};
use fissure_repair::calibrate::{Calibrated, Calibration};
use fissure_repair::source;
use fissure_statistics::proportion;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::args::Data;
use crate::commands::{data, labels};
use crate::ui::{self, Ui};
use crate::{Error, Result};

/// The task of a task that a classifier can do.
pub fn classified(task: &'static Task) -> Result<&'static Task> {
    if task.facts.has(Has::Class) { Ok(task) } else { Err(Error::NotClassified { task: task.name() }) }
}

/// Everything the data holds, to train on.
pub struct Labelled {
    pub examples: Vec<Example>,
    /// The labels, in order.
    pub labels: Vec<String>,
    /// The labels of the whole data, whatever the limit.
    pub survey: LabelSurvey,
}

/// Everything the data holds, to train on.
pub fn labelled(args: &Data, task: &'static Task) -> Result<Labelled> {
    let mut samples = data::open(args, classified(task)?)?;
    let mut rows: Vec<(Example, String)> = Vec::new();
    let mut survey = LabelSurvey::default();
    while let Some(batch) = data::next(&mut samples, args.limit, rows.len())? {
        for sample in batch {
            let Some(label) = &sample.label else { continue };
            let Input { text, pair } = input(&sample);
            let source = Some(source(&sample).into_owned());
            let example = Example { text: text.to_owned(), pair: pair.map(str::to_owned), label: 0, source };
            rows.push((example, label.to_string()));
            survey.add(&sample);
        }
    }
    let labels: Vec<String> =
        rows.iter().map(|(_, label)| label.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    let number =
        |(example, label): (Example, String)| Example { label: labels.binary_search(&label).unwrap_or(0), ..example };
    let examples = rows.into_iter().map(number).collect();
    labels::survey_rest(&mut samples, &mut survey, None);
    Ok(Labelled { examples, labels, survey })
}

/// A model from a directory, or from the Hugging Face cache or hub (`hf:owner/name`).
pub fn model(name: &str) -> Result<Box<dyn Model>> {
    model_reading(name, None)
}

/// The same, reading at most `max_length` pieces of a text.
pub fn model_reading(name: &str, max_length: Option<usize>) -> Result<Box<dyn Model>> {
    Ok(fissure_models::open_with_max_length(&model_directory(name)?, max_length)?)
}

/// The same, at the temperature that `fissure repair calibrate` left beside it.
pub fn calibrated(name: &str, max_length: Option<usize>) -> Result<Arc<dyn Model>> {
    let model: Arc<dyn Model> = model_reading(name, max_length)?.into();
    match Calibration::of(&model_directory(name)?)? {
        None => Ok(model),
        Some(Calibration { temperature, .. }) => {
            ui::note(&format!("calibrated: temperature {temperature:.3}"));
            Ok(Arc::new(Calibrated { model, temperature }))
        }
    }
}

/// Samples of a data set.
pub struct Read {
    pub samples: Vec<Sample>,
    /// Whether the data has more than the usual limit.
    pub more: bool,
    /// The labels of the whole data, whatever the limit.
    pub survey: LabelSurvey,
}

/// The samples of a data set, up to the user's limit or else the usual one.
pub fn read(args: &Data, usual_limit: usize) -> Result<Read> {
    let mut samples = data::open_unlabelled(args, classified(data::task(args)?)?)?;
    let limit = args.limit.unwrap_or(usual_limit);
    let mut read: Vec<Sample> = Vec::new();
    while let Some(batch) = data::next(&mut samples, Some(limit), read.len())? {
        read.extend(batch);
    }
    data::report_bad_rows(&samples);
    let mut survey = LabelSurvey::of(&read);
    let next = if args.limit.is_none() && read.len() == limit { samples.batch(1)? } else { Vec::new() };
    next.iter().for_each(|sample| survey.add(sample));
    if read.len() == limit {
        labels::survey_rest(&mut samples, &mut survey, None);
    }
    Ok(Read { samples: read, more: !next.is_empty(), survey })
}

/// Samples as texts with names.
pub fn named(samples: &[Sample]) -> Vec<Named<'_>> {
    samples.iter().map(|sample| Named { id: &sample.id, input: input(sample) }).collect()
}

/// The class of every sample in the model's own order; `None` where it has no label.
pub fn gold(map: &LabelMap, samples: &[Sample]) -> Vec<Option<usize>> {
    samples.iter().map(|sample| map.class(sample)).collect()
}

/// The directory of a model, which `hf:owner/name` has in the Hugging Face cache.
pub fn model_directory(name: &str) -> Result<PathBuf> {
    if !name.starts_with(Address::SCHEME) {
        return Ok(name.into());
    }
    let files =
        data::hub().files(Kind::Model, &name.parse()?, &["config.json", "tokenizer.json", "model.safetensors"])?;
    Ok(files.first().and_then(|file| file.parent()).map(Path::to_owned).unwrap_or_default())
}

/// How many answers were right, over a whole run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    pub read: usize,
    labelled: usize,
    right: usize,
    truncated: usize,
    /// Samples that the model gave no answer to.
    #[serde(default)]
    unanswered: usize,
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

    pub fn unanswered(&mut self) {
        self.read += 1;
        self.unanswered += 1;
    }

    pub fn show(&self, ui: Ui) -> String {
        let accuracy = proportion(self.right, self.labelled);
        if ui.json {
            return json!({
                "samples": self.read, "labelled": self.labelled, "right": self.right, "truncated": self.truncated,
                "unanswered": self.unanswered, "accuracy": accuracy,
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
        let none = match self.unanswered {
            0 => String::new(),
            count => format!(", {count} without an answer"),
        };
        format!("{} samples{cut}{none}; {shown}", self.read)
    }
}
