//! One step of training: the gradient of a batch, and the weights that follow it.

use rayon::prelude::*;

use super::random::Random;
use super::start::purpose;
use super::{Optimizer, Target, TrainOptions};
use crate::kernels::{AdamStep, adam, add, multiply, scale, sgd};
use crate::layers::Linear;
use crate::small::reader::PAD;
use crate::small::{Body, Small, Training, best};

/// A text, read, with what it is to teach.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) ids: Vec<u32>,
    pub(super) target: Target,
}

/// Sums over some texts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) loss: f64,
    pub(super) right: usize,
    pub(super) texts: usize,
}

impl Tally {
    /// Of one text. What has no label adds to the loss alone, so that a mean is over the texts that have one.
    pub(super) fn of(loss: f64, logits: &[f32], target: Target) -> Self {
        match target {
            Target::Label(label) => Self { loss, right: usize::from(best(logits) == label), texts: 1 },
            Target::Unsure(_) => Self { loss, right: 0, texts: 0 },
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.loss += other.loss;
        self.right += other.right;
        self.texts += other.texts;
    }
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
        Self { steps: 0, moments, rows: RowSums { slots: vec![None; words], ids: Vec::new(), sums: Vec::new() } }
    }

    /// Moves the model one step down the gradient of the texts of a batch.
    pub(super) fn step<B: Body>(
        &mut self,
        model: &mut Small<B>,
        texts: &[Text],
        batch: &[usize],
        options: &TrainOptions,
        epoch: usize,
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
            match &mut total {
                None => total = Some(part.weights),
                Some(total) => total.iter_mut().zip(&part.weights).for_each(|(total, part)| add(part, total)),
            }
        }
        self.steps += 1;
        let step = match options.optimizer {
            Optimizer::Sgd => Step::Sgd(rate),
            Optimizer::Adam(settings) => Step::Adam(settings.step(self.steps, rate)),
        };
        let mut moments = self.moments.iter_mut();
        for (weights, mut gradient) in
            weights_mut(&mut model.body, &mut model.head).into_iter().zip(total.unwrap_or_default())
        {
            scale(share, &mut gradient);
            let [first, second] = moments.next().map_or([&mut [][..], &mut []], |[first, second]| [first, second]);
            step.follow(weights, &gradient, first, second);
        }
        scale(share, &mut self.rows.sums);
        let moments = moments.next();
        self.rows.follow(&mut model.table, model.width, moments, &step);
        model.body.refresh();
        tally
    }
}

/// The gradient of one part of a batch, summed over its texts.
fn gradient<B: Body>(model: &Small<B>, texts: &[Text], part: &[usize], options: &TrainOptions, epoch: usize) -> Part {
    let mut order = part.to_vec();
    order.sort_by_key(|text| std::cmp::Reverse(texts[*text].ids.len()));
    let rows: Vec<Vec<f32>> = order.iter().map(|text| model.gather(texts[*text].ids.iter().copied())).collect();
    let points: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
    let (tape, mut features) = model.body.forward(&points);
    let wide = model.body.features();
    let mut weights: Vec<Vec<f32>> = model.body.weight_lengths().into_iter().map(|length| vec![0.0; length]).collect();
    let (mut head_weight, mut head_bias) = (vec![0.0; model.head.weight.len()], vec![0.0; model.head.bias.len()]);
    let mut tally = Tally::default();
    for (text, features) in order.iter().zip(features.chunks_exact_mut(wide)) {
        let kept = kept(options, epoch, *text, wide);
        kept.iter().for_each(|kept| multiply(kept, features));
        let logits = model.head.forward(features);
        let target = texts[*text].target;
        let (loss, pull) = options.loss.toward(&logits, target);
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
    Part { tally, weights, rows: order.into_iter().zip(inputs).collect() }
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
enum Step {
    Sgd(f32),
    Adam(AdamStep),
}

impl Step {
    fn follow(&self, weights: &mut [f32], gradient: &[f32], first: &mut [f32], second: &mut [f32]) {
        match self {
            Self::Sgd(rate) => sgd(weights, gradient, *rate),
            Self::Adam(step) => adam(weights, gradient, first, second, step),
        }
    }
}

/// The gradient of those embedding rows that the batch has: few of many thousands.
#[derive(Debug)]
struct RowSums {
    /// For each word of the vocabulary, where its sum is.
    slots: Vec<Option<u32>>,
    ids: Vec<u32>,
    sums: Vec<f32>,
}

impl RowSums {
    fn add(&mut self, ids: &[u32], rows: &[f32], width: usize) {
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
    fn follow(&mut self, table: &mut [f32], width: usize, mut moments: Option<&mut [Vec<f32>; 2]>, step: &Step) {
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
