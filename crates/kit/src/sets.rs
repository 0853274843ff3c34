//! The user's data as labelled sets.

use std::collections::HashSet;

use fissure_core::Sample;
use fissure_evaluate::{LabelMap, LabelSurvey};
use fissure_models::Model;
use fissure_repair::LabelledSet;
use fissure_settings::{DataSource, LabelMapping};

use crate::notice::note;
use crate::{Result, classes, data, labels};

/// Labelled samples, by the labels of a model; how they were matched is said. Samples without a label are left out.
pub fn known(args: &DataSource, files: &[String], model: &dyn Model, given: &LabelMapping) -> Result<LabelledSet> {
    let (samples, survey) = read(args, files)?;
    let map = labels::matched(model, &survey, given)?;
    labels::announce(&files.join(" "), &map);
    Ok(set(samples, &map))
}

/// Labelled samples to settle something on, and others to measure it on: those of the test files, or half of the data.
pub fn halves(
    args: &DataSource,
    test: &[String],
    model: &dyn Model,
    given: &LabelMapping,
    seed: u64,
) -> Result<(LabelledSet, LabelledSet)> {
    let all = known(args, &args.files, model, given)?;
    match test {
        [] => Ok(all.split(0.5, seed)),
        files => {
            let test = known(&args.unlimited(), files, model, given)?;
            warn_of_shared(&all, &test);
            Ok((all, test))
        }
    }
}

/// Warns if texts to measure on are among those that something was learned from.
pub fn warn_of_shared(learned: &LabelledSet, test: &LabelledSet) {
    let shared = shared(learned, test);
    if shared > 0 {
        note(&format!(
            "warning: {shared} of the {} texts of --test are in --data too: on these nothing is measured about unseen texts",
            test.len()
        ));
    }
}

/// How many samples of a set have the texts of one in the other.
fn shared(learned: &LabelledSet, test: &LabelledSet) -> usize {
    fn texts(sample: &Sample) -> Vec<&str> {
        sample.fields.iter().map(|field| field.text.as_str()).collect()
    }
    let known: HashSet<Vec<&str>> = learned.samples.iter().map(texts).collect();
    test.samples.iter().filter(|sample| known.contains(&texts(sample))).count()
}

/// The labels of the training data, in order, the training samples, and the test samples, whose labels must be among them.
pub fn training_sets(args: &DataSource, test: &[String]) -> Result<(Vec<String>, LabelledSet, LabelledSet)> {
    let (training, _) = read(args, &args.files)?;
    let of_training = LabelSurvey::of(&training, args.minus_one);
    let known: Vec<String> = of_training.labels().map(str::to_owned).collect();
    let (test, of_test) = read(&args.unlimited(), test)?;
    let training = set(training, &LabelMap::by_name(&known, &of_training)?);
    let test = set(test, &LabelMap::by_name(&known, &of_test)?);
    Ok((known, training, test))
}

/// The samples of files, and the labels of all their rows, whatever the limit.
fn read(args: &DataSource, files: &[String]) -> Result<(Vec<Sample>, LabelSurvey)> {
    let args = DataSource { files: files.to_vec(), ..args.clone() };
    let layout = classes::classified(data::task(&args)?)?;
    let mut samples = data::open(&args, layout)?;
    let mut read: Vec<Sample> = Vec::new();
    while let Some(batch) = data::next(&mut samples, args.limit, read.len())? {
        read.extend(batch);
    }
    data::refuse_empty(&args, read.len(), samples.skipped())?;
    data::report_bad_rows(samples.skipped());
    let mut survey = LabelSurvey::of(&read, args.minus_one);
    labels::survey_rest(&mut samples, &mut survey, None);
    Ok((read, survey))
}

fn set(samples: Vec<Sample>, map: &LabelMap) -> LabelledSet {
    let mut set = LabelledSet::default();
    for sample in samples {
        if let Some(label) = map.class(&sample) {
            set.samples.push(sample);
            set.labels.push(label);
        }
    }
    set
}
