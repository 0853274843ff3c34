//! Training one of the small classifiers.

use rayon::prelude::*;
use serde_json::json;

use super::certified::{Certify, Others};
use super::epochs::{Course, Epochs};
use super::start::Split;
use super::step::{Follower, Robust, Text};
use super::{Example, Measure, Nonsense, Progress, Tally, Target, TrainOptions, Trained};
use crate::small::{Body, Small, in_groups};
use crate::{Input, Result};

/// Runs the epochs up to `until` at most; the options say how many there would be in all, which the growth of boxes goes by.
pub(super) fn learn<B: Body>(
    mut model: Small<B>,
    (examples, nonsense): (&[Example], &Nonsense),
    split: &Split,
    (options, until): (&TrainOptions, usize),
    certify: Option<&Certify<'_>>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Trained> {
    let mut training = read(&model, examples, &split.training, certify)?;
    let unsure = model.read(&nonsense.inputs())?.into_iter();
    training.extend(unsure.map(|reading| Text {
        ids: reading.ids().collect(),
        target: Target::Unsure(nonsense.weight),
        others: None,
    }));
    let validation = read(&model, examples, &split.validation, None)?;
    let mut follower = Follower::new(&mut model, options.optimizer);
    let grown = |epoch: usize| certify.map(|certify| (certify, certify.grown(epoch, options.epochs)));
    let mut step = |model: &mut Small<B>, members: &[usize], epoch: usize| {
        let rate = options.rate * options.rate_decay.powi(epoch as i32 - 1);
        let robust = grown(epoch).map(|(certify, share)| Robust { weight: certify.weight * share, share });
        follower.step(model, &training, members, options, (epoch, robust), rate)
    };
    let held_out = |model: &Small<B>| Ok((!validation.is_empty()).then(|| measure(model, &validation, options)));
    // Before the boxes have grown the model has not learned what it is to learn.
    let ready = |epoch: &usize| grown(*epoch).is_none_or(|(_, share)| share >= 1.0);
    let best_from = (1..options.epochs).find(ready).unwrap_or(options.epochs);
    let epochs = Epochs { best_from, epochs: until, ..options.epochs() };
    let mut course = Course {
        step: &mut step,
        measure: &held_out,
        keep: &Small::clone,
        restore: &mut |model: &mut Small<B>, best| *model = best,
    };
    let (epochs, best_epoch, found) = epochs.run(&mut model, training.len(), &mut course, progress)?;
    if let Some(found) = found {
        model.notes.insert("val_accuracy".to_owned(), json!(found.accuracy));
    }
    model.notes.insert("train_examples".to_owned(), json!(split.training.len()));
    model.notes.insert("seed".to_owned(), json!(options.seed));
    model.notes.insert(super::recipe::KEY.to_owned(), options.recipe());
    Ok(Trained { model: Box::new(model), epochs, best_epoch, held_out: split.held_out(examples) })
}

fn read<B: Body>(
    model: &Small<B>,
    examples: &[Example],
    indices: &[usize],
    certify: Option<&Certify<'_>>,
) -> Result<Vec<Text>> {
    let input = |at: &usize| Input { text: &examples[*at].text, pair: examples[*at].pair.as_deref() };
    let readings = model.read(&indices.iter().map(input).collect::<Vec<_>>())?;
    let texts = readings.par_iter().zip(indices).map(|(reading, at)| Text {
        ids: reading.ids().collect(),
        target: Target::Label(examples[*at].label),
        others: certify.map(|certify| Others::read(model, reading, &(certify.choices)(*at))),
    });
    Ok(texts.collect())
}

/// Loss and accuracy without dropout.
fn measure<B: Body>(model: &Small<B>, texts: &[Text], options: &TrainOptions) -> Measure {
    let lengths: Vec<usize> = texts.iter().map(|text| text.ids.len()).collect();
    let found = in_groups(&lengths, B::GROUP, |group| {
        let rows: Vec<Vec<f32>> = group.iter().map(|text| model.gather(texts[*text].ids.iter().copied())).collect();
        let (_, logits) = model.forward(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let tallies = group.iter().zip(logits).map(|(text, logits)| {
            let target = texts[*text].target;
            Tally::of(options.loss.toward(&logits, target).0, &logits, target)
        });
        Ok::<_, std::convert::Infallible>(tallies.collect())
    });
    let mut total = Tally::default();
    // Summed in the order of the texts, so that the last digit does not depend on the threads.
    found.into_iter().flatten().for_each(|tally| total.add(tally));
    total.measure()
}
