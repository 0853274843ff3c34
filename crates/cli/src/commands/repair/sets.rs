//! The user's data as labelled sets.

use fissure_core::Sample;
use fissure_evaluate::{LabelMap, LabelSurvey};
use fissure_models::Model;
use fissure_repair::Set;

use crate::args::{Data, Labels};
use crate::commands::{data, examples, labels};
use crate::ui::Ui;
use crate::{Error, Result};

/// Labelled samples, by the labels of a model; how they were matched is said. Samples without a label are left out.
pub fn known(args: &Data, files: &[String], model: &dyn Model, given: &Labels, ui: Ui) -> Result<Set> {
    let (samples, survey) = read(args, files)?;
    let map = labels::matched(model, &survey, given)?;
    labels::tell(&files.join(" "), &map, ui);
    Ok(set(samples, &map))
}

/// Labelled samples to settle something on, and others to measure it on: those of the test files, or half of the data.
pub fn halves(
    args: &Data,
    test: &[String],
    model: &dyn Model,
    given: &Labels,
    seed: u64,
    ui: Ui,
) -> Result<(Set, Set)> {
    let all = known(args, &args.data, model, given, ui)?;
    match test {
        [] => Ok(all.split(0.5, seed)),
        files => Ok((all, known(&Data { limit: None, ..args.clone() }, files, model, given, ui)?)),
    }
}

/// The labels of the training data, in order, the training samples, and the test samples, whose labels must be among them.
pub fn learnt(args: &Data, test: &[String]) -> Result<(Vec<String>, Set, Set)> {
    let (training, _) = read(args, &args.data)?;
    let of_training = LabelSurvey::of(&training);
    let known: Vec<String> = of_training.labels().map(str::to_owned).collect();
    let (test, of_test) = read(&Data { limit: None, ..args.clone() }, test)?;
    let training = set(training, &LabelMap::by_name(&known, &of_training)?);
    let test = set(test, &LabelMap::by_name(&known, &of_test)?);
    Ok((known, training, test))
}

/// The samples of files, and the labels of all their rows, whatever the limit.
fn read(args: &Data, files: &[String]) -> Result<(Vec<Sample>, LabelSurvey)> {
    let args = args.clone().with(files);
    let layout = examples::classified(data::task(&args)?)?;
    let mut samples = data::open(&args, layout)?;
    let mut read: Vec<Sample> = Vec::new();
    while let Some(batch) = data::next(&mut samples, args.limit, read.len())? {
        read.extend(batch);
    }
    data::report_bad_rows(&samples);
    if read.is_empty() {
        return Err(Error::NoSamples { files: files.join(" ") });
    }
    let mut survey = LabelSurvey::of(&read);
    labels::survey_rest(&mut samples, &mut survey, None);
    Ok((read, survey))
}

fn set(samples: Vec<Sample>, map: &LabelMap) -> Set {
    let mut set = Set::default();
    for sample in samples {
        if let Some(label) = map.class(&sample) {
            set.samples.push(sample);
            set.labels.push(label);
        }
    }
    set
}
