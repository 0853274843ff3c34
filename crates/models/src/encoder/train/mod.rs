//! Fine-tuning an encoder on labelled texts, deterministic by seed whatever the threads.

mod options;
mod step;

use std::path::Path;

pub use options::FineTuneOptions;

use self::step::{Follower, Text};
use super::classifier::labels as labels_of;
use super::head::ClassHead;
use super::layout::Reach;
use super::linear::Linear;
use super::load::Reader;
use super::network::{Keep, Network, Trace};
use super::{Classifier, Encoder};
use crate::train::random::Random;
use crate::train::start::{Split, purpose, split};
use crate::train::{Example, HeldOut, Measure, Nonsense, Progress, Target, check_labels};
use crate::{Embedded, Error, Input, Offers, Result};

/// A fine-tuned classifier, and how it came to be.
#[derive(Debug)]
pub struct FineTuned {
    pub model: Classifier,
    /// The end of each epoch.
    pub epochs: Vec<Progress>,
    /// The epoch, counted from 1, whose weights the model has: the best in validation, or the last without any.
    pub best_epoch: usize,
    /// `None` where no examples were held out.
    pub held_out: Option<HeldOut>,
}

/// Trains a classifier of `labels` that starts from the encoder in a Hugging Face directory. Where the directory holds a
/// classifier of these labels or of some of them, what its head knows is kept and trained on; the rest starts at random.
pub fn fine_tune(
    directory: &Path,
    examples: &[Example],
    labels: &[String],
    options: &FineTuneOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<FineTuned> {
    fine_tune_against(directory, examples, &Nonsense::default(), labels, options, progress)
}

/// The same, with texts that the model should learn to be unsure about.
pub fn fine_tune_against(
    directory: &Path,
    examples: &[Example],
    nonsense: &Nonsense,
    labels: &[String],
    options: &FineTuneOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<FineTuned> {
    options.check()?;
    nonsense.check()?;
    check_labels(examples, labels)?;
    let split = split(examples, options.validation, options.seed)?;
    let held_out = split.held_out(examples);
    let Split { training, validation } = split;
    let (mut encoder, head) = Encoder::open(directory, |reader, network| start(reader, network, labels, options.seed))?;
    let longest = encoder.network.embeddings.longest();
    encoder.set_max_length(options.max_length.min(longest))?;
    let layers = encoder.network.order.len();
    if options.frozen_layers.is_some_and(|frozen| frozen > layers) {
        let found = format!("{:?}", options.frozen_layers);
        return Err(Error::BadOption { option: "frozen layers", found, expected: "at most the layers of the encoder" });
    }
    let offers = Offers { labels: labels.to_vec(), probabilities: true, gradients: true };
    let mut model = Classifier { encoder, head, offers };
    let mut training = read(&model, examples, &training)?;
    let unsure = model.encoder.embed(&nonsense.inputs())?.into_iter();
    training.extend(unsure.map(|point| Text { point, target: Target::Unsure(nonsense.weight) }));
    let validation = read(&model, examples, &validation)?;
    let (epochs, best_epoch) = learn(&mut model, &training, &validation, options, progress)?;
    model.encoder.set_max_length(longest)?;
    Ok(FineTuned { model, epochs, best_epoch, held_out })
}

/// All epochs; the model is left with the weights of the best.
fn learn(
    model: &mut Classifier,
    training: &[Text],
    validation: &[Text],
    options: &FineTuneOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<(Vec<Progress>, usize)> {
    let batches = training.len().div_ceil(options.batch);
    let mut follower = Follower::new(model, options, options.epochs * batches);
    let mut epochs: Vec<Progress> = Vec::new();
    let mut chosen: Option<(usize, Measure, Network, ClassHead)> = None;
    for epoch in 1..=options.epochs {
        let mut end = run_epoch(model, &mut follower, training, options, epoch, progress)?;
        if !validation.is_empty() {
            let found = measure(model, validation, options)?;
            end.validation = Some(found);
            if chosen.as_ref().is_none_or(|(_, best, ..)| found.is_better_than(*best)) {
                chosen = Some((epoch, found, model.encoder.network.clone(), model.head.clone()));
            }
        }
        progress(&end);
        epochs.push(end);
        if chosen.as_ref().is_some_and(|(best, ..)| epoch - best >= options.patience.max(1)) {
            break;
        }
    }
    let mut best_epoch = epochs.len();
    if let Some((epoch, _, network, head)) = chosen {
        (best_epoch, model.encoder.network, model.head) = (epoch, network, head);
    }
    Ok((epochs, best_epoch))
}

fn run_epoch(
    model: &mut Classifier,
    follower: &mut Follower,
    training: &[Text],
    options: &FineTuneOptions,
    epoch: usize,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Progress> {
    let mut order: Vec<usize> = (0..training.len()).collect();
    Random::of(&[options.seed, purpose::ORDER, epoch as u64]).shuffle(&mut order);
    let batches = order.len().div_ceil(options.batch);
    let (mut loss, mut right, mut seen) = (0.0, 0, 0);
    let none = Measure { loss: 0.0, accuracy: 0.0 };
    let mut told = Progress { epoch, epochs: options.epochs, batch: 0, batches, training: none, validation: None };
    for (at, members) in order.chunks(options.batch).enumerate() {
        let found = follower.step(model, training, members, options, epoch);
        if !found.0.is_finite() {
            return Err(Error::Diverged { epoch, batch: at + 1, loss: found.0, rate: options.rate });
        }
        (loss, right, seen) = (loss + found.0, right + found.1, seen + found.2);
        let count = seen.max(1) as f64;
        let training = Measure { loss: loss / count, accuracy: right as f64 / count };
        told = Progress { batch: at + 1, training, ..told };
        progress(&told);
    }
    Ok(told)
}

/// Loss and accuracy without dropout.
fn measure(model: &Classifier, texts: &[Text], options: &FineTuneOptions) -> Result<Measure> {
    let points: Vec<Embedded> = texts.iter().map(|text| model.encoder.place(text.point.clone())).collect();
    let logits = |_, trace: &Trace| Ok(model.scores(trace).into_iter().map(|kept| kept.logits).collect());
    let logits: Vec<Vec<f32>> = model.encoder.over_batches(&points, Reach::First, Keep::Nothing, logits)?;
    let (mut loss, mut right) = (0.0, 0);
    for (logits, text) in logits.iter().zip(texts) {
        loss += options.loss.toward(logits, text.target).0;
        right += usize::from(Target::Label(super::classifier::best(logits)) == text.target);
    }
    let count = texts.len() as f64;
    Ok(Measure { loss: loss / count, accuracy: right as f64 / count })
}

fn read(model: &Classifier, examples: &[Example], indices: &[usize]) -> Result<Vec<Text>> {
    let input = |at: &usize| Input { text: &examples[*at].text, pair: examples[*at].pair.as_deref() };
    let inputs: Vec<Input<'_>> = indices.iter().map(input).collect();
    let points = model.encoder.embed(&inputs)?;
    Ok(points
        .into_iter()
        .zip(indices)
        .map(|(point, at)| Text { point, target: Target::Label(examples[*at].label) })
        .collect())
}

/// The head to start from: what the file knows of these labels, and chance for the rest.
fn start(reader: &Reader<'_>, network: &Network, labels: &[String], seed: u64) -> Result<ClassHead> {
    let (names, width) = (&reader.family.head, network.width);
    // BERT starts at a standard deviation of 0.02; this is as wide a spread, drawn evenly.
    let spread = 0.02 * 3.0_f32.sqrt();
    let mut random = Random::of(&[seed, purpose::WEIGHTS]);
    let mut linear =
        |outputs: usize| Linear { weight: random.between(outputs * width, spread), bias: vec![0.0; outputs] };
    let (dense, mut classifier) = (linear(width), linear(labels.len()));
    if reader.require("ForSequenceClassification").is_ok()
        && let Ok(head) = reader.class_head(width)
        && let Ok(known) = labels_of(reader.config, head.classifier.outputs())
        && known.iter().all(|label| labels.contains(label))
    {
        // A model that learns one class more goes on from what it knows of the others.
        for (from, label) in known.iter().enumerate() {
            for to in (0..labels.len()).filter(|to| labels[*to] == *label) {
                classifier.weight[to * width..][..width]
                    .copy_from_slice(&head.classifier.weight[from * width..][..width]);
                classifier.bias[to] = head.classifier.bias[from];
            }
        }
        return Ok(ClassHead { classifier, ..head });
    }
    // A pooler that came with the encoder is a better start than chance.
    let dense = reader.head_linear(names.dense, width, width).unwrap_or(dense);
    Ok(ClassHead { dense, activation: names.activation, classifier })
}
