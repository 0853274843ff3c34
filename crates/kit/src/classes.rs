//! Samples as a classifier sees them: one text or a pair, and a label.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use fissure_ask::input;
use fissure_ask::weights_checksum;
use fissure_ask::{Sees, Shown};
use fissure_core::{Has, Sample};
use fissure_data::Task;
use fissure_data::hub::{Address, Kind};
use fissure_evaluate::{LabelMap, LabelSurvey};
use fissure_geometry::NamedInput;
use fissure_models::Model;
use fissure_models::train::Example;
use fissure_repair::calibrate::{self, Calibrated, Calibration};
use fissure_repair::source;
use fissure_settings::DataSource;
use fissure_statistics::{Estimate, proportion};
use serde::{Deserialize, Serialize};

use crate::notice::note;
use crate::outputs::Inputs;
use crate::{Error, Result, data, labels};

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
pub fn labelled(args: &DataSource, task: &'static Task) -> Result<Labelled> {
    labelled_as(args, classified(task)?, Sees::Texts)
}

/// The same, where a sample may be shown in another way, and have several labels.
pub(crate) fn labelled_as(args: &DataSource, task: &'static Task, sees: Sees) -> Result<Labelled> {
    let mut samples = data::open(args, task)?;
    let mut rows: Vec<(Example, String)> = Vec::new();
    let mut survey = LabelSurvey::new(args.minus_one);
    let (mut read, mut unlabelled, mut minus_one) = (0, 0, false);
    while let Some(batch) = data::next(&mut samples, args.limit, read)? {
        read += batch.len();
        for sample in batch {
            for Shown { text, pair, label } in sees.shown(task, &sample) {
                let marker = label.as_ref().filter(|label| survey.is_marker(label));
                minus_one |= marker.is_some_and(|marker| marker.trim().starts_with("-1"));
                let Some(label) = label.filter(|label| !survey.is_marker(label)) else {
                    unlabelled += 1;
                    continue;
                };
                let source = Some(source(&sample).into_owned());
                let (text, pair) = (text.into_owned(), pair.map(Cow::into_owned));
                rows.push((Example { text, pair, label: 0, source }, label));
            }
            survey.add(&sample);
        }
    }
    data::refuse_empty(args, rows.len(), samples.skipped())?;
    data::report_bad_rows(samples.skipped());
    if unlabelled > 0 {
        let rows = fissure_core::counted(unlabelled, "row");
        let advice = if minus_one { "; `--minus-one label` makes -1 a label" } else { "" };
        note(&format!("{rows} without a label (empty, null, - or -1) left out{advice}"));
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
    Ok(match temperature(&model_directory(name)?)? {
        None => model,
        Some(temperature) => Arc::new(Calibrated { model, temperature }),
    })
}

/// The temperature that `fissure repair calibrate` left beside a model, which is said; `None` if it left none, or if it was
/// fitted for other weights.
pub fn temperature(directory: &Path) -> Result<Option<f64>> {
    let Some(Calibration { temperature, weights, .. }) = Calibration::of(directory)? else { return Ok(None) };
    let (place, again) = (directory.join(calibrate::FILE), "`fissure repair calibrate` fits it again");
    match weights {
        Some(weights) if weights != weights_checksum(directory)? => {
            note(&format!("{} was fitted for other weights of the model and is not used; {again}", place.display()));
            return Ok(None);
        }
        Some(_) => note(&format!("calibrated: temperature {temperature:.3}")),
        None => note(&format!(
            "calibrated: temperature {temperature:.3}; {} does not say for which weights it was fitted; {again}",
            place.display()
        )),
    }
    Ok(Some(temperature))
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
pub fn read(args: &DataSource, usual_limit: usize) -> Result<Read> {
    let mut samples = data::open_unlabelled(args, classified(data::task(args)?)?)?;
    let limit = args.limit.unwrap_or(usual_limit);
    let mut read: Vec<Sample> = Vec::new();
    while let Some(batch) = data::next(&mut samples, Some(limit), read.len())? {
        read.extend(batch);
    }
    data::refuse_empty(args, read.len(), samples.skipped())?;
    data::report_bad_rows(samples.skipped());
    let mut survey = LabelSurvey::of(&read, args.minus_one);
    let next = if args.limit.is_none() && read.len() == limit { samples.batch(1)? } else { Vec::new() };
    next.iter().for_each(|sample| survey.add(sample));
    if read.len() == limit {
        labels::survey_rest(&mut samples, &mut survey, None);
    }
    Ok(Read { samples: read, more: !next.is_empty(), survey })
}

/// Samples as texts with names.
pub fn named(samples: &[Sample]) -> Vec<NamedInput<'_>> {
    samples.iter().map(|sample| NamedInput { id: &sample.id, input: input(sample) }).collect()
}

/// The class of every sample in the model's own order; `None` if it has no label.
pub fn gold(map: &LabelMap, samples: &[Sample]) -> Vec<Option<usize>> {
    samples.iter().map(|sample| map.class(sample)).collect()
}

/// The directory of a model, which `hf:owner/name` has in the Hugging Face cache.
pub fn model_directory(name: &str) -> Result<PathBuf> {
    // Standard output may have been sent to the end of a file of the model.
    Inputs::default().and([name]).refuse([])?;
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
    pub labelled: usize,
    pub right: usize,
    pub truncated: usize,
    /// Samples that the model gave no answer to.
    #[serde(default)]
    pub unanswered: usize,
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

    pub fn add_unanswered(&mut self) {
        self.read += 1;
        self.unanswered += 1;
    }

    /// The share of right answers.
    pub fn accuracy(&self) -> Option<Estimate> {
        proportion(self.right, self.labelled)
    }
}
