//! The encoder without a head: embeddings and a stack of layers, forward, and backward for inputs and weights.

use super::activation::Activation;
use super::attention::Attention;
use super::dropout::Dropout;
use super::embeddings::{self, Embeddings};
use super::layer::{self, Inputs, Layer, Scratch, Settings, Stand, Training, for_each_pick};
use super::layout::{Layout, Reach};
use super::linear::{Linear, Norm, Normalised};
use super::relative::RelativeBias;

/// The weights of an encoder (or their gradients, where frozen parts are empty).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Network {
    pub embeddings: Embeddings,
    pub bias: Option<RelativeBias>,
    pub layers: Vec<Layer>,
    /// Which of `layers` is applied, in order; ALBERT applies one many times.
    pub order: Vec<usize>,
    pub heads: usize,
    /// The width of a hidden row.
    pub width: usize,
    pub activation: Activation,
    pub epsilon: f32,
    /// What scores are multiplied by, beside 1 / sqrt(the width of a head).
    pub score_scale: f32,
    /// Norms stand first in every layer, and there is one behind the last.
    pub norm_first: bool,
    pub last_norm: Norm,
}

/// What a forward pass keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    Nothing,
    /// Enough for gradients with respect to the input.
    ForInputs,
    /// Enough for gradients with respect to the weights too.
    ForWeights,
}

/// The texts of a batch, beside their embedding rows.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub layout: Layout,
    /// The rows that are wanted of the last layer.
    pub reach: Reach,
    /// For every row, 0 in the first text and 1 in its pair.
    pub types: Vec<u8>,
    /// One for each text when training; else none.
    pub dropout: Vec<Dropout>,
}

impl Default for Batch {
    fn default() -> Self {
        Self { layout: Layout::default(), reach: Reach::All, types: Vec::new(), dropout: Vec::new() }
    }
}

/// What a forward pass kept, and room for the next one.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub batch: Batch,
    /// The hidden rows after the last layer, laid out as the last layer's reach says.
    pub hidden: Vec<f32>,
    embeddings: embeddings::Kept,
    layers: Vec<layer::Trace>,
    inputs: Vec<Inputs>,
    last_norm: Normalised,
}

impl Network {
    /// Runs the embedding `rows` of a batch through all layers; the result is `trace.hidden`.
    pub fn forward(&self, rows: &[f32], batch: Batch, keep: Keep, trace: &mut Trace) {
        let Trace { hidden, embeddings, layers, inputs, .. } = trace;
        let Batch { layout, types, dropout, .. } = &batch;
        hidden.resize(layout.rows() * self.width, 0.0);
        self.embeddings.forward(rows, types, layout, dropout, self.epsilon, embeddings, hidden);
        // What is not needed again is overwritten by the next layer, while it is still in the cache.
        layers.resize_with(if keep == Keep::Nothing { 1 } else { self.order.len() }, layer::Trace::default);
        inputs.resize_with(if keep == Keep::ForWeights { self.order.len() } else { 1 }, Inputs::default);
        let settings = self.settings();
        for (number, &layer) in self.order.iter().enumerate() {
            let kept = if keep == Keep::Nothing { 0 } else { number };
            let inputs = if keep == Keep::ForWeights { &mut inputs[number] } else { &mut inputs[0] };
            if keep == Keep::ForWeights {
                inputs.input.clone_from(hidden);
            }
            let stand = self.stand(&batch, number);
            self.layers[layer].forward(&settings, stand, hidden, &mut layers[kept], inputs);
        }
        if !self.last_norm.gain.is_empty() {
            trace.last_norm.rows.clone_from(&trace.hidden);
            self.last_norm.forward(&mut trace.last_norm, self.epsilon, &mut trace.hidden);
        }
        trace.batch = batch;
    }

    /// Turns the gradient `d` of the hidden rows of the picked texts (a text may be picked many times) into that of
    /// their embedding rows. Returns for each row what is gained if no other row attends to it.
    pub fn backward(&self, trace: &Trace, picks: &[usize], d: &mut Vec<f32>) -> Vec<f32> {
        let (settings, mut scratch) = (self.settings(), Scratch::default());
        scratch.attention.absences = vec![0.0; trace.batch.layout.pick(picks).rows()];
        if !self.last_norm.gain.is_empty() {
            let rows = trace.batch.reach.layout(&trace.batch.layout);
            for_each_pick(&rows, picks, self.width, d, |start, d| self.last_norm.backward(d, &trace.last_norm, start));
        }
        for (number, &layer) in self.order.iter().enumerate().rev() {
            let (stand, kept) = (self.stand(&trace.batch, number), &trace.layers[number]);
            self.layers[layer].backward(&settings, stand, picks, d, kept, None, &mut scratch);
        }
        let Batch { layout, dropout, .. } = &trace.batch;
        self.embeddings.backward(layout, picks, dropout, &trace.embeddings, d, None);
        scratch.attention.absences
    }

    /// Adds the gradients of the weights to `gradient`, down to the first layer that it has room for, and turns `d`
    /// into the gradient of the embedding rows if it comes that far. Frozen layers below are not visited.
    pub fn backward_weights(&self, trace: &Trace, d: &mut Vec<f32>, gradient: &mut Self) {
        let (settings, mut scratch) = (self.settings(), Scratch::default());
        let picks: Vec<usize> = (0..trace.batch.layout.texts()).collect();
        let frozen = |layer: usize| gradient.layers[layer].query.weight.is_empty();
        let lowest = self.order.iter().position(|layer| !frozen(*layer)).unwrap_or(self.order.len());
        for (number, &layer) in self.order.iter().enumerate().skip(lowest).rev() {
            let (inputs, bias) = (&trace.inputs[number], gradient.bias.as_mut());
            let training = Some(Training { inputs, gradient: &mut gradient.layers[layer], bias });
            let (stand, kept) = (self.stand(&trace.batch, number), &trace.layers[number]);
            self.layers[layer].backward(&settings, stand, &picks, d, kept, training, &mut scratch);
        }
        if !gradient.embeddings.norm.gain.is_empty() {
            let Batch { layout, dropout, .. } = &trace.batch;
            let gradient = Some(&mut gradient.embeddings);
            self.embeddings.backward(layout, &picks, dropout, &trace.embeddings, d, gradient);
        }
    }

    fn stand<'a>(&self, batch: &'a Batch, layer: usize) -> Stand<'a> {
        let reach = if layer + 1 == self.order.len() { batch.reach } else { Reach::All };
        Stand { layout: &batch.layout, reach, layer, dropout: &batch.dropout, types: &batch.types }
    }

    /// A network of zeros to add gradients up in. With `frozen` layers, they and the embeddings have no room there. The
    /// word table has none ever: its gradient is the rows that `backward_weights` leaves in `d`.
    pub fn gradient(&self, frozen: Option<usize>) -> Self {
        let first = frozen.map_or(0, |frozen| self.order.get(frozen).map_or(self.layers.len(), |layer| *layer));
        let layer = |(at, layer): (usize, &Layer)| if at < first { Layer::default() } else { layer.zeros_like() };
        let embeddings = &self.embeddings;
        let zeros = |like: &[f32]| vec![0.0; like.len()];
        Self {
            embeddings: if frozen.is_some() {
                Embeddings::default()
            } else {
                Embeddings {
                    word: Vec::new(),
                    positions: zeros(&embeddings.positions),
                    first_position: embeddings.first_position,
                    width: embeddings.width,
                    longest: embeddings.longest,
                    types: zeros(&embeddings.types),
                    norm: Norm::zeros(embeddings.norm.gain.len()),
                    projection: embeddings.projection.as_ref().map(|like| Linear::zeros(like.outputs(), like.inputs())),
                }
            },
            bias: self.bias.as_ref().filter(|_| frozen.is_none()).map(|bias| RelativeBias::new(zeros(&bias.table))),
            layers: self.layers.iter().enumerate().map(layer).collect(),
            order: self.order.clone(),
            last_norm: Norm::default(),
            ..*self
        }
    }

    fn settings(&self) -> Settings<'_> {
        let scale = self.score_scale / ((self.width / self.heads) as f32).sqrt();
        let (heads, width, bias) = (self.heads, self.width, self.bias.as_ref());
        let attention = Attention { heads, width, scale, bias, distances: None, window: None };
        Settings { attention, activation: self.activation, epsilon: self.epsilon, norm_first: self.norm_first }
    }
}
