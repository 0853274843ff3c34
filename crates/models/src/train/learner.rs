//! The epochs of training, and which of them was the best.

use serde_json::json;

use super::random::Random;
use super::start::{Split, purpose};
use super::step::{Follower, Tally, Text};
use super::{Example, Measure, Nonsense, Progress, Target, TrainOptions, Trained};
use crate::small::{Body, Small, in_groups};
use crate::{Error, Input, Result};

pub(super) fn learn<B: Body>(
    mut model: Small<B>,
    (examples, nonsense): (&[Example], &Nonsense),
    split: &Split,
    options: &TrainOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Trained> {
    let mut training = read(&model, examples, &split.training)?;
    let unsure = model.read(&nonsense.inputs())?.into_iter();
    training
        .extend(unsure.map(|reading| Text { ids: reading.ids().collect(), target: Target::Unsure(nonsense.weight) }));
    let validation = read(&model, examples, &split.validation)?;
    let mut follower = Follower::new(&mut model, options.optimizer);
    let mut epochs: Vec<Progress> = Vec::new();
    let mut chosen: Option<(usize, Measure, Small<B>)> = None;
    for epoch in 1..=options.epochs {
        let mut end = run_epoch(&mut model, &mut follower, &training, options, epoch, progress)?;
        if !validation.is_empty() {
            let measure = measure(&model, &validation, options);
            end.validation = Some(measure);
            if chosen.as_ref().is_none_or(|(_, best, _)| measure.is_better_than(*best)) {
                chosen = Some((epoch, measure, model.clone()));
            }
        }
        progress(&end);
        epochs.push(end);
        if chosen.as_ref().is_some_and(|(best, _, _)| epoch - best >= options.patience.max(1)) {
            break;
        }
    }
    let mut best_epoch = epochs.len();
    if let Some((epoch, measure, best)) = chosen {
        (best_epoch, model) = (epoch, best);
        model.notes.insert("val_accuracy".to_owned(), json!(measure.accuracy));
    }
    model.notes.insert("train_examples".to_owned(), json!(split.training.len()));
    model.notes.insert("seed".to_owned(), json!(options.seed));
    model.notes.insert(super::recipe::KEY.to_owned(), options.recipe());
    Ok(Trained { model: Box::new(model), epochs, best_epoch, held_out: split.held_out(examples) })
}

fn run_epoch<B: Body>(
    model: &mut Small<B>,
    follower: &mut Follower,
    training: &[Text],
    options: &TrainOptions,
    epoch: usize,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Progress> {
    let mut order: Vec<usize> = (0..training.len()).collect();
    Random::of(&[options.seed, purpose::ORDER, epoch as u64]).shuffle(&mut order);
    let rate = options.rate * options.rate_decay.powi(epoch as i32 - 1);
    let batches = order.len().div_ceil(options.batch);
    let mut tally = Tally::default();
    let mut told =
        Progress { epoch, epochs: options.epochs, batch: 0, batches, training: tally.measure(), validation: None };
    for (batch, members) in order.chunks(options.batch).enumerate() {
        let found = follower.step(model, training, members, options, epoch, rate);
        if !found.loss.is_finite() {
            return Err(Error::Diverged { epoch, batch: batch + 1, loss: found.loss, rate: options.rate });
        }
        tally.add(found);
        told = Progress { batch: batch + 1, training: tally.measure(), ..told };
        progress(&told);
    }
    Ok(told)
}

fn read<B: Body>(model: &Small<B>, examples: &[Example], indices: &[usize]) -> Result<Vec<Text>> {
    let input = |at: &usize| Input { text: &examples[*at].text, pair: examples[*at].pair.as_deref() };
    let readings = model.read(&indices.iter().map(input).collect::<Vec<_>>())?;
    let texts = readings
        .into_iter()
        .zip(indices)
        .map(|(reading, at)| Text { ids: reading.ids().collect(), target: Target::Label(examples[*at].label) });
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

impl Tally {
    fn measure(self) -> Measure {
        let texts = self.texts.max(1) as f64;
        Measure { loss: self.loss / texts, accuracy: self.right as f64 / texts }
    }
}
