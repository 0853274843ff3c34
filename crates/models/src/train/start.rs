//! Where training starts: which examples are held out, and a model with random weights.

use serde_json::Map;

use super::random::Random;
use super::{Example, TrainOptions, vectors, vocabulary};
use crate::layers::{Convolution, Linear, Lstm};
use crate::small::{BiLstm, Body, Cnn, FastText, Reader, Small};
use crate::{Error, Offers, Result};

/// The indices of the examples to learn from and of those held out.
#[derive(Debug)]
pub(crate) struct Split {
    pub(crate) training: Vec<usize>,
    pub(crate) validation: Vec<usize>,
}

/// What a stream of chance is for.
pub(crate) mod purpose {
    pub(crate) const SPLIT: u64 = 0;
    pub(crate) const WEIGHTS: u64 = 1;
    pub(crate) const ORDER: u64 = 2;
    pub(crate) const DROPOUT: u64 = 3;
}

/// Holds out a share of the examples, by the seed; where a share is asked for, at least one.
pub(crate) fn split(count: usize, share: f32, seed: u64) -> Result<Split> {
    let held_out = match share {
        0.0 => 0,
        share => ((count as f64 * f64::from(share)) as usize).max(1),
    };
    if count <= held_out {
        return Err(Error::TooFewExamples { found: count, held_out });
    }
    let mut training: Vec<usize> = (0..count).collect();
    Random::of(&[seed, purpose::SPLIT]).shuffle(&mut training);
    let mut validation = training.split_off(count - held_out);
    training.sort_unstable();
    validation.sort_unstable();
    Ok(Split { training, validation })
}

pub(super) fn fasttext(
    examples: &[Example],
    split: &Split,
    labels: &[String],
    options: &TrainOptions,
) -> Result<Small<FastText>> {
    // The range of torchtext's classifier, which the papers took.
    start(examples, split, labels, options, 0.5, |width, _| FastText { width })
}

pub(super) fn cnn(
    examples: &[Example],
    split: &Split,
    labels: &[String],
    options: &TrainOptions,
) -> Result<Small<Cnn>> {
    start(examples, split, labels, options, 0.25, |width, random| {
        let convolution = |span: &usize| {
            let reach = span * width;
            let weight = random.fan_in(options.filters * reach, reach);
            Convolution { span: *span, width, weight, bias: random.fan_in(options.filters, reach) }
        };
        Cnn { convolutions: options.spans.iter().map(convolution).collect() }
    })
}

pub(super) fn bilstm(
    examples: &[Example],
    split: &Split,
    labels: &[String],
    options: &TrainOptions,
) -> Result<Small<BiLstm>> {
    start(examples, split, labels, options, 0.25, |width, random| {
        let hidden = options.hidden;
        let directions = [false, true].map(|reversed| {
            let mut weights = |columns: usize| random.fan_in(4 * hidden * columns, hidden);
            let (input, recurrent, bias) = (weights(width), weights(hidden), weights(1));
            Lstm::new(reversed, width, input, recurrent, bias)
        });
        BiLstm { directions }
    })
}

/// A model with the vocabulary of the training part and random weights: embeddings from `-range` to `range` (Kim 2014:
/// 0.25) unless a file of vectors has them, everything else from -1/sqrt(inputs) to 1/sqrt(inputs), as PyTorch does.
fn start<B: Body>(
    examples: &[Example],
    split: &Split,
    labels: &[String],
    options: &TrainOptions,
    range: f32,
    body: impl FnOnce(usize, &mut Random) -> B,
) -> Result<Small<B>> {
    let width = options.embedding_width;
    let words = vocabulary::build(split.training.iter().map(|at| &examples[*at]), B::BIGRAMS, options);
    let mut random = Random::of(&[options.seed, purpose::WEIGHTS]);
    let mut table = random.between(words.len() * width, range);
    if let Some(path) = &options.vectors {
        vectors::read_into(path, &words, width, &mut table)?;
    }
    table[..width].fill(0.0);
    let body = body(width, &mut random);
    let features = body.features();
    let head = Linear { weight: random.fan_in(labels.len() * features, features), bias: vec![0.0; labels.len()] };
    let reader = Reader::new(words, options.max_words, body.fewest_rows(), B::BIGRAMS)
        .expect("words are counted by themselves, bigrams have a space and marks have brackets: none comes twice");
    let offers = Offers { labels: labels.to_vec(), probabilities: true, gradients: true };
    Ok(Small { reader, width, table, body, head, offers, notes: Map::new() })
}
