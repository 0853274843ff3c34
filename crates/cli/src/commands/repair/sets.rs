//! The user's data as labelled sets.

use std::collections::BTreeSet;

use fissure_core::Sample;
use fissure_models::Offers;
use fissure_repair::Set;

use crate::args::Data;
use crate::commands::{data, examples};
use crate::{Error, Result};

/// Labelled samples, by the labels of a model. Those whose label the model does not know are left out.
pub fn known(args: &Data, files: &[String], offers: &Offers) -> Result<Set> {
    let samples = read(args, files)?;
    let map = examples::label_map(offers, &samples);
    Ok(set(samples, |label| map.index(&offers.labels, label)))
}

/// Labelled samples to settle something on, and others to measure it on: those of the test files, or half of the data.
pub fn halves(args: &Data, test: &[String], offers: &Offers, seed: u64) -> Result<(Set, Set)> {
    let all = known(args, &args.data, offers)?;
    match test {
        [] => Ok(all.split(0.5, seed)),
        files => Ok((all, known(&Data { limit: None, ..args.clone() }, files, offers)?)),
    }
}

/// The labels of the training data, in order, the training samples, and the test samples.
pub fn learnt(args: &Data, test: &[String]) -> Result<(Vec<String>, Set, Set)> {
    let training = read(args, &args.data)?;
    let labels: BTreeSet<String> =
        training.iter().filter_map(|sample| sample.label.as_ref().map(ToString::to_string)).collect();
    let labels: Vec<String> = labels.into_iter().collect();
    let of = |samples| set(samples, |label| labels.iter().position(|known| known == label));
    let test = Data { limit: None, ..args.clone() }.with(test);
    let test = read(&test, &test.data)?;
    let (training, test) = (of(training), of(test));
    Ok((labels, training, test))
}

fn read(args: &Data, files: &[String]) -> Result<Vec<Sample>> {
    let args = args.clone().with(files);
    let layout = examples::classified(data::layout(&args)?)?;
    let mut samples = data::open(&args, layout)?;
    let mut read: Vec<Sample> = Vec::new();
    while let Some(batch) = data::next(&mut samples, args.limit, read.len())? {
        read.extend(batch);
    }
    data::report_bad_rows(&samples);
    if read.is_empty() { Err(Error::NoSamples { files: files.join(" ") }) } else { Ok(read) }
}

fn set(samples: Vec<Sample>, index: impl Fn(&str) -> Option<usize>) -> Set {
    let mut set = Set::default();
    for sample in samples {
        if let Some(label) = sample.label.as_ref().and_then(|label| index(&label.to_string())) {
            set.samples.push(sample);
            set.labels.push(label);
        }
    }
    set
}
