//! One step of training: the gradient of a batch, and the weights that follow it.

use rayon::prelude::*;

use super::certified::{Others, Pull};
use super::random::Random;
use super::start::purpose;
use super::{Optimizer, Tally, Target, TrainOptions};
use crate::kernels::{AdamStep, adam, add, multiply, scale, sgd};
use crate::layers::Linear;
use crate::small::reader::PAD;
use crate::small::{Body, Small, Training};

/// A text, read, with what it is to teach.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) ids: Vec<u32>,
    pub(super) target: Target,
    /// What else may stand in it, if training goes by the worst text as well.
    pub(super) others: Option<Others>,
}

/// How much the worst text counts in an epoch, and how much of the boxes around words is taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Robust {
    pub(super) weight: f32,
    pub(super) share: f32,
}

/// A batch is cut into parts of this many texts, whatever the threads.
const PART: usize = 16;

/// What one part of a batch gives.
struct Part {
    tally: Tally,
    /// In the order of [`Body::weights_mut`], then the head's weight and bias.
    weights: Vec<Vec<f32>>,
    /// Of the rows of each text.
    rows: Vec<(usize, Vec<f32>)>,
    /// Of other rows of the table, by id.
    others: Vec<(u32, Vec<f32>)>,
}

/// The weights' running moments, and room for sums.
#[derive(Debug)]
pub(super) struct Follower {
    steps: u32,
    /// First and second moments of every list of weights, and of the embedding table last.
    moments: Vec<[Vec<f32>; 2]>,
    rows: RowSums,
}

impl Follower {
    pub(super) fn new<B: Body>(model: &mut Small<B>, optimizer: Optimizer) -> Self {
        let words = model.table.len() / model.width;
        let moments = match optimizer {
            Optimizer::Sgd => Vec::new(),
            Optimizer::Adam(_) => {
                let zeros = |weights: &[f32]| [vec![0.0; weights.len()], vec![0.0; weights.len()]];
                let mut moments: Vec<_> =
                    weights_mut(&mut model.body, &mut model.head).iter().map(|w| zeros(w)).collect();
                moments.push(zeros(&model.table));
                moments
            }
        };
        Self { steps: 0, moments, rows: RowSums::new(words) }
    }

    /// Moves the model one step down the gradient of the texts of a batch.
    pub(super) fn step<B: Body>(
        &mut self,
        model: &mut Small<B>,
        texts: &[Text],
        batch: &[usize],
        options: &TrainOptions,
        epoch: (usize, Option<Robust>),
        rate: f32,
    ) -> Tally {
        let parts: Vec<Part> =
            batch.par_chunks(PART).map(|part| gradient(model, texts, part, options, epoch)).collect();
        let share = 1.0 / batch.len() as f32;
        let mut tally = Tally::default();
        let mut total: Option<Vec<Vec<f32>>> = None;
        for part in parts {
            tally.add(part.tally);
            for (text, rows) in part.rows {
                self.rows.add(&texts[text].ids, &rows, model.width);
            }
            for (id, row) in part.others {
                self.rows.add(&[id], &row, model.width);
            }
            match &mut total {
                None => total = Some(part.weights),
                Some(total) => total.iter_mut().zip(&part.weights).for_each(|(total, part)| add(part, total)),
            }
        }
        self.steps += 1;
        let step = Step::new(options.optimizer, self.steps, rate);
        let mut moments = self.moments.iter_mut();
        for (weights, mut gradient) in
            weights_mut(&mut model.body, &mut model.head).into_iter().zip(total.unwrap_or_default())
        {
            scale(share, &mut gradient);
            let [first, second] = moments.next().map_or([&mut [][..], &mut []], |[first, second]| [first, second]);
            step.follow(weights, &gradient, first, second);
        }
        self.rows.scale(share);
        let moments = moments.next();
        self.rows.follow(&mut model.table, model.width, moments, &step);
        model.body.refresh();
        tally
    }
}

/// The gradient of one part of a batch, summed over its texts.
fn gradient<B: Body>(
    model: &Small<B>,
    texts: &[Text],
    part: &[usize],
    options: &TrainOptions,
    (epoch, robust): (usize, Option<Robust>),
) -> Part {
    let mut order = part.to_vec();
    order.sort_by_key(|text| std::cmp::Reverse(texts[*text].ids.len()));
    let rows: Vec<Vec<f32>> = order.iter().map(|text| model.gather(texts[*text].ids.iter().copied())).collect();
    let points: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
    let (tape, mut features) = model.body.forward(&points);
    let wide = model.body.features();
    let mut weights: Vec<Vec<f32>> = model.body.weight_lengths().into_iter().map(|length| vec![0.0; length]).collect();
    let (mut head_weight, mut head_bias) = (vec![0.0; model.head.weight.len()], vec![0.0; model.head.bias.len()]);
    let mut tally = Tally::default();
    let mut others = Vec::new();
    for (text, features) in order.iter().zip(features.chunks_exact_mut(wide)) {
        let kept = kept(options, epoch, *text, wide);
        kept.iter().for_each(|kept| multiply(kept, features));
        let logits = model.head.forward(features);
        let target = texts[*text].target;
        let (mut loss, mut pull) = options.loss.toward(&logits, target);
        if let (Some(robust), Some((label, other))) = (robust, texts[*text].worst_of())
            && robust.weight > 0.0
        {
            let mut into = Pull {
                weight: robust.weight,
                body: &mut weights,
                head_weight: &mut head_weight,
                head_bias: &mut head_bias,
                rows: Vec::new(),
            };
            if let Some(worst) = B::worst(model, &texts[*text].ids, other, label, robust.share, &mut into) {
                others.append(&mut into.rows);
                scale(1.0 - robust.weight, &mut pull);
                loss = f64::from(1.0 - robust.weight) * loss + f64::from(robust.weight) * worst;
            }
        }
        tally.add(Tally::of(loss, &logits, target));
        Linear::backward_weights(&pull, features, &mut head_weight, &mut head_bias);
        model.head.backward(&pull, features);
        kept.iter().for_each(|kept| multiply(kept, features));
    }
    let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
    let all: Vec<usize> = (0..order.len()).collect();
    let training = Training { points: &points, gradients: &mut weights };
    let inputs = model.body.backward(&tape, &all, &features, &lengths, Some(training));
    weights.extend([head_weight, head_bias]);
    Part { tally, weights, rows: order.into_iter().zip(inputs).collect(), others }
}

/// For each feature 0, or what makes up for those that are 0; `None` without dropout.
fn kept(options: &TrainOptions, epoch: usize, text: usize, wide: usize) -> Option<Vec<f32>> {
    let dropout = options.dropout;
    (dropout > 0.0).then(|| {
        let mut random = Random::of(&[options.seed, purpose::DROPOUT, epoch as u64, text as u64]);
        (0..wide).map(|_| if random.uniform() < dropout { 0.0 } else { 1.0 / (1.0 - dropout) }).collect()
    })
}

fn weights_mut<'a, B: Body>(body: &'a mut B, head: &'a mut Linear) -> Vec<&'a mut Vec<f32>> {
    let mut weights = body.weights_mut();
    weights.extend([&mut head.weight, &mut head.bias]);
    weights
}

/// How weights follow a gradient at this step.
pub(super) enum Step {
    Sgd(f32),
    Adam(AdamStep),
}

impl Step {
    /// The step number `number`, counted from 1.
    pub(super) fn new(optimizer: Optimizer, number: u32, rate: f32) -> Self {
        match optimizer {
            Optimizer::Sgd => Self::Sgd(rate),
            Optimizer::Adam(settings) => Self::Adam(settings.step(number, rate)),
        }
    }

    pub(super) fn follow(&self, weights: &mut [f32], gradient: &[f32], first: &mut [f32], second: &mut [f32]) {
        match self {
            Self::Sgd(rate) => sgd(weights, gradient, *rate),
            Self::Adam(step) => adam(weights, gradient, first, second, step),
        }
    }
}

/// The gradient of those embedding rows that the batch has: few of many thousands.
#[derive(Debug)]
pub(super) struct RowSums {
    /// For each word of the vocabulary, where its sum is.
    slots: Vec<Option<u32>>,
    ids: Vec<u32>,
    sums: Vec<f32>,
}

impl RowSums {
    /// Of a table with this many rows.
    pub(super) fn new(rows: usize) -> Self {
        Self { slots: vec![None; rows], ids: Vec::new(), sums: Vec::new() }
    }

    /// Multiplies all sums.
    pub(super) fn scale(&mut self, share: f32) {
        scale(share, &mut self.sums);
    }

    pub(super) fn add(&mut self, ids: &[u32], rows: &[f32], width: usize) {
        // One row may stand for all.
        for (id, row) in ids.iter().zip(rows.chunks_exact(width).cycle()) {
            // The row of `<pad>` stays zero.
            if *id == PAD {
                continue;
            }
            let slot = *self.slots[*id as usize].get_or_insert_with(|| {
                self.ids.push(*id);
                self.sums.resize(self.ids.len() * width, 0.0);
                self.ids.len() as u32 - 1
            });
            add(row, &mut self.sums[slot as usize * width..][..width]);
        }
    }

    /// Moves the rows of the table, and forgets the sums.
    pub(super) fn follow(
        &mut self,
        table: &mut [f32],
        width: usize,
        mut moments: Option<&mut [Vec<f32>; 2]>,
        step: &Step,
    ) {
        for (id, sum) in self.ids.iter().zip(self.sums.chunks_exact(width)) {
            let range = *id as usize * width..(*id as usize + 1) * width;
            let [first, second] = match &mut moments {
                Some([first, second]) => [&mut first[range.clone()], &mut second[range.clone()]],
                None => [&mut [][..], &mut []],
            };
            step.follow(&mut table[range], sum, first, second);
            self.slots[*id as usize] = None;
        }
        self.ids.clear();
        self.sums.clear();
    }
}
