//! Fine-tuning an encoder on labelled texts, deterministic by seed whatever the threads.

mod options;
mod spans;
mod step;
mod tags;
pub(super) mod teach;

use std::path::Path;

pub use options::FineTuneOptions;
pub use spans::{Reading, fine_tune_reader};
pub use tags::fine_tune_tagger;

use self::step::{Follower, Text};
use self::teach::TrainedHead;
use super::classifier::labels as labels_of;
use super::head::{ClassHead, Pooling};
use super::linear::Linear;
use super::load::Reader;
use super::network::{Keep, Network, Trace};
use super::{Classifier, Encoder};
use crate::train::epochs::{Course, Epochs};
use crate::train::random::Random;
use crate::train::start::{Split, purpose, split};
use crate::train::{Example, HeldOut, Measure, Nonsense, Progress, Tally, Target, check_labels};
use crate::{Capabilities, Embedded, Error, Input, Result};

/// A fine-tuned model, and how it came to be.
#[derive(Debug)]
pub struct FineTuned<M = Classifier> {
    pub model: M,
    /// The end of each epoch.
    pub epochs: Vec<Progress>,
    /// The epoch, counted from 1, whose weights the model has: the best in validation, or the last without any.
    pub best_epoch: usize,
    /// `None` if no examples were held out.
    pub held_out: Option<HeldOut>,
}

/// An encoder with the head that is trained.
pub(crate) struct Headed<H> {
    pub encoder: Encoder,
    pub head: H,
}

impl<H> Headed<H> {
    /// Opens an encoder to train it; it reads as much as the options say.
    fn open(
        directory: &Path,
        options: &FineTuneOptions,
        head: impl FnOnce(&Reader<'_>, &Network) -> Result<H>,
    ) -> Result<Self> {
        let (mut encoder, head) = Encoder::open(directory, head)?;
        encoder.check_trainable()?;
        let longest = encoder.network.embeddings.longest();
        encoder.set_max_length(options.max_length.min(longest))?;
        let layers = encoder.network.order.len();
        if options.frozen_layers.is_some_and(|frozen| frozen > layers) {
            let found = format!("{:?}", options.frozen_layers);
            let expected = "at most the layers of the encoder";
            return Err(Error::BadOption { option: "frozen layers", found, expected });
        }
        Ok(Self { encoder, head })
    }

    /// The trained model, which reads as much as the encoder can.
    fn finish(mut self) -> Result<Self> {
        let longest = self.encoder.network.embeddings.longest();
        self.encoder.set_max_length(longest)?;
        Ok(self)
    }
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
    let mut model = Headed::open(directory, options, |reader, network| start(reader, network, labels, options.seed))?;
    let mut training = read(&model, examples, &training)?;
    let unsure = model.encoder.embed(&nonsense.inputs())?.into_iter();
    training.extend(unsure.map(|point| Text { point, target: Target::Unsure(nonsense.weight) }));
    let validation = read(&model, examples, &validation)?;
    let (epochs, best_epoch) = learn(&mut model, &training, &validation, options, progress)?;
    let Headed { encoder, head } = model.finish()?;
    let capabilities = Capabilities { labels: labels.to_vec(), probabilities: true, gradients: true };
    Ok(FineTuned { model: Classifier { encoder, head, capabilities }, epochs, best_epoch, held_out })
}

/// All epochs; the model is left with the weights of the best.
fn learn<H: TrainedHead>(
    model: &mut Headed<H>,
    training: &[Text<H::Target>],
    validation: &[Text<H::Target>],
    options: &FineTuneOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<(Vec<Progress>, usize)> {
    let batches = training.len().div_ceil(options.batch);
    let mut follower = Follower::new(model, options, options.epochs * batches);
    let FineTuneOptions { seed, epochs, batch, patience, rate, .. } = *options;
    let mut step = |model: &mut Headed<H>, members: &[usize], epoch: usize| {
        follower.step(model, training, members, options, epoch)
    };
    let held_out = |model: &Headed<H>| match validation {
        [] => Ok(None),
        texts => measure(model, texts, options).map(Some),
    };
    let mut course = Course {
        step: &mut step,
        measure: &held_out,
        keep: &|model: &Headed<H>| (model.encoder.network.clone(), model.head.clone()),
        restore: &mut |model: &mut Headed<H>, best| (model.encoder.network, model.head) = best,
    };
    let plan = Epochs { seed, epochs, batch, patience, best_from: 1, rate };
    let (epochs, best_epoch, _) = plan.run(model, training.len(), &mut course, progress)?;
    Ok((epochs, best_epoch))
}

/// Loss and accuracy without dropout.
fn measure<H: TrainedHead>(model: &Headed<H>, texts: &[Text<H::Target>], options: &FineTuneOptions) -> Result<Measure> {
    let points: Vec<Embedded> = texts.iter().map(|text| model.encoder.place(text.point.clone())).collect();
    let (reach, width) = (model.head.reach(), model.encoder.network.width);
    let score = |points: std::ops::Range<usize>, trace: &Trace| {
        let rows = reach.layout(&trace.batch.layout);
        let one = |text: usize| {
            let target = &texts[points.start + text].target;
            model.head.teach(&trace.hidden[rows.numbers(text, width)], target, options.loss, None, None)
        };
        Ok((0..rows.texts()).map(one).collect())
    };
    let mut total = Tally::default();
    // Summed in the order of the texts, so that the last digit does not depend on the threads.
    model.encoder.over_batches(&points, reach, Keep::Nothing, score)?.into_iter().for_each(|tally| total.add(tally));
    Ok(total.measure())
}

/// An affine map to start from: BERT starts at a standard deviation of 0.02; this is as wide a spread, drawn evenly.
fn random_linear(outputs: usize, inputs: usize, seed: u64) -> Linear {
    let spread = 0.02 * 3.0_f32.sqrt();
    let weight = Random::of(&[seed, purpose::WEIGHTS]).between(outputs * inputs, spread);
    Linear { weight, bias: vec![0.0; outputs] }
}

fn read(model: &Headed<ClassHead>, examples: &[Example], indices: &[usize]) -> Result<Vec<Text<Target>>> {
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
    Ok(ClassHead { pooling: Pooling::First, dense, activation: names.activation, norm: None, classifier })
}
