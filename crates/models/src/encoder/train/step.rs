//! One step of fine-tuning: the gradient of a batch, and AdamW.
//!
//! A batch is cut into fixed parts; each part's gradient is summed on one thread, and the parts are added in order, so
//! that the same seed gives the same bytes on one thread or many.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::teach::TrainedHead;
use super::{FineTuneOptions, Headed};
use crate::Embedded;
use crate::encoder::batches::rows_of;
use crate::encoder::dropout::{Dropout, mix};
use crate::encoder::network::{Keep, Network, Trace};
use crate::kernels::{Adam, adam, add, scale, sum_squares};
use crate::train::Tally;
use crate::train::start::purpose;

/// Texts of a part, whatever the threads.
const PART: usize = 4;

/// A text, read, with what it is to teach.
#[derive(Debug)]
pub(super) struct Text<T> {
    /// Its pieces; the rows are taken from the table again, because the table is trained.
    pub point: Embedded,
    pub target: T,
}

/// Gradients of everything that is trained.
struct Gradient<H> {
    network: Network,
    head: H,
    /// Of the rows of the word table that the texts have.
    words: BTreeMap<u32, Vec<f32>>,
    tally: Tally,
}

/// The moments of AdamW, and room for gradients.
pub(super) struct Follower<H> {
    step: usize,
    steps: usize,
    moments: Vec<[Vec<f32>; 2]>,
    word_moments: [Vec<f32>; 2],
    total: Gradient<H>,
    /// One for each part that runs at the same time.
    parts: Vec<(Gradient<H>, Trace)>,
}

impl<H: TrainedHead> Follower<H> {
    pub fn new(model: &Headed<H>, options: &FineTuneOptions, steps: usize) -> Self {
        let mut total = Gradient::new(model, options);
        let moments = total.tensors_mut().map(|tensor| [vec![0.0; tensor.len()], vec![0.0; tensor.len()]]).collect();
        let words = if options.frozen_layers.is_some() { 0 } else { model.encoder.network.embeddings.word.len() };
        let word_moments = [vec![0.0; words], vec![0.0; words]];
        let parts = rayon::current_num_threads().min(options.batch.div_ceil(PART));
        let parts = (0..parts).map(|_| (Gradient::new(model, options), Trace::default())).collect();
        Self { step: 0, steps, moments, word_moments, total, parts }
    }

    /// Moves the model one step down the gradient of the texts of a batch. Returns the sum of their losses, how many
    /// labels the model had right, and how many there were.
    pub fn step(
        &mut self,
        model: &mut Headed<H>,
        texts: &[Text<H::Target>],
        batch: &[usize],
        options: &FineTuneOptions,
        epoch: usize,
    ) -> Tally {
        self.total.clear();
        let parts: Vec<&[usize]> = batch.chunks(PART).collect();
        for wave in parts.chunks(self.parts.len()) {
            let work = wave.par_iter().zip(self.parts.par_iter_mut());
            work.for_each(|(part, (gradient, trace))| gradient.fill(model, texts, part, options, epoch, trace));
            for (gradient, _) in &mut self.parts[..wave.len()] {
                self.total.add(gradient);
            }
        }
        let labels: usize = batch.iter().map(|text| H::labels(&texts[*text].target)).sum();
        self.follow(model, options, 1.0 / labels as f32);
        self.total.tally
    }

    fn follow(&mut self, model: &mut Headed<H>, options: &FineTuneOptions, share: f32) {
        self.step += 1;
        let words = self.total.words.values().map(|row| sum_squares(row));
        let squares: f64 = words.sum::<f64>() + self.total.tensors_mut().map(|tensor| sum_squares(tensor)).sum::<f64>();
        let norm = squares.sqrt() as f32 * share;
        let share = if norm > options.largest_gradient { share * options.largest_gradient / norm } else { share };
        let rate = options.rate_at(self.step, self.steps);
        let number = u32::try_from(self.step).unwrap_or(u32::MAX);
        let plain = Adam::default().step(number, rate);
        let decayed = Adam { decay: options.decay, ..Adam::default() }.step(number, rate);

        let weights = tensors_mut(&mut model.encoder.network, &mut model.head);
        let trained = weights.into_iter().zip(self.total.tensors_mut()).filter(|(_, gradient)| !gradient.is_empty());
        let trained: Vec<_> = trained.zip(self.moments.iter_mut().filter(|[first, _]| !first.is_empty())).collect();
        trained.into_par_iter().for_each(|((weights, gradient), [first, second])| {
            scale(share, gradient);
            // Biases and the gains and shifts of norms are vectors of one row; they do not decay.
            adam(weights.values, gradient, first, second, if weights.matrix { &decayed } else { &plain });
        });
        let width = model.encoder.network.embeddings.width();
        let [first, second] = &mut self.word_moments;
        for (id, gradient) in &mut self.total.words {
            let at = *id as usize * width..(*id as usize + 1) * width;
            scale(share, gradient);
            let row = &mut model.encoder.network.embeddings.word[at.clone()];
            adam(row, gradient, &mut first[at.clone()], &mut second[at], &decayed);
        }
    }
}

impl<H: TrainedHead> Gradient<H> {
    fn new(model: &Headed<H>, options: &FineTuneOptions) -> Self {
        let network = model.encoder.network.gradient(options.frozen_layers);
        Self { network, head: model.head.gradient(), words: BTreeMap::new(), tally: Tally::default() }
    }

    fn clear(&mut self) {
        self.tensors_mut().for_each(|tensor| tensor.fill(0.0));
        self.words.clear();
        self.tally = Tally::default();
    }

    /// The gradient of one part of a batch, summed over its texts.
    fn fill(
        &mut self,
        model: &Headed<H>,
        texts: &[Text<H::Target>],
        part: &[usize],
        options: &FineTuneOptions,
        epoch: usize,
        trace: &mut Trace,
    ) {
        self.clear();
        let (encoder, width) = (&model.encoder, model.encoder.network.width);
        let points: Vec<Embedded> = part.iter().map(|text| encoder.place(texts[*text].point.clone())).collect();
        let reach = model.head.reach();
        let mut batch = encoder.batch(&points, reach);
        let key = |text: usize| {
            [options.seed, purpose::DROPOUT, epoch as u64, text as u64].into_iter().fold(0, |a, b| mix(a ^ mix(b)))
        };
        if options.dropout > 0.0 {
            batch.dropout = part.iter().map(|text| Dropout { rate: options.dropout, key: key(*text) }).collect();
        }
        encoder.network.forward(&rows_of(&points), batch, Keep::ForWeights, trace);
        let mut d = vec![0.0; trace.hidden.len()];
        let rows = reach.layout(&trace.batch.layout);
        for (at, text) in part.iter().enumerate() {
            let here = rows.numbers(at, width);
            let training = Some((&mut self.head, &mut d[here.clone()]));
            let dropout = trace.batch.dropout.get(at);
            let target = &texts[*text].target;
            self.tally.add(model.head.teach(&trace.hidden[here], target, options.loss, dropout, training));
        }
        encoder.network.backward_weights(trace, &mut d, &mut self.network);
        if options.frozen_layers.is_none() {
            let width = encoder.network.embeddings.width();
            let pieces = points.iter().flat_map(|point| &point.pieces);
            for (piece, d) in pieces.zip(d.chunks_exact(width)) {
                add(d, self.words.entry(piece.id).or_insert_with(|| vec![0.0; width]));
            }
        }
    }

    fn add(&mut self, other: &mut Self) {
        let pairs: Vec<_> = self.tensors_mut().zip(other.tensors_mut()).collect();
        pairs.into_par_iter().for_each(|(total, part)| add(part, total));
        for (id, row) in &other.words {
            match self.words.get_mut(id) {
                Some(total) => add(row, total),
                None => drop(self.words.insert(*id, row.clone())),
            }
        }
        self.tally.add(other.tally);
    }

    fn tensors_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        tensors_mut(&mut self.network, &mut self.head).into_iter().map(|weights| weights.values)
    }
}

/// A tensor that is trained.
struct Weights<'a> {
    values: &'a mut Vec<f32>,
    matrix: bool,
}

/// Everything but the word table, always in the same order.
fn tensors_mut<'a, H: TrainedHead>(network: &'a mut Network, head: &'a mut H) -> Vec<Weights<'a>> {
    let embeddings = &mut network.embeddings;
    let mut matrices = vec![&mut embeddings.positions, &mut embeddings.types];
    let mut vectors = vec![&mut embeddings.norm.gain, &mut embeddings.norm.shift];
    matrices.extend(network.bias.as_mut().map(|bias| &mut bias.table));
    let mut linears: Vec<_> = embeddings.projection.as_mut().into_iter().collect();
    for layer in &mut network.layers {
        linears.extend([&mut layer.query, &mut layer.key_value, &mut layer.attention_output]);
        linears.extend([&mut layer.up, &mut layer.down]);
        for norm in [&mut layer.attention_norm, &mut layer.output_norm] {
            vectors.extend([&mut norm.gain, &mut norm.shift]);
        }
    }
    linears.extend(head.linears_mut());
    for linear in linears {
        matrices.push(&mut linear.weight);
        vectors.push(&mut linear.bias);
    }
    let weights = |matrix: bool| move |values: &'a mut Vec<f32>| Weights { values, matrix };
    matrices.into_iter().map(weights(true)).chain(vectors.into_iter().map(weights(false))).collect()
}
