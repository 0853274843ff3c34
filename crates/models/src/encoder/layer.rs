//! One transformer layer: attention, then two affine maps with an activation between, each with a residual connection
//! and a layer normalisation behind it.

use std::sync::Arc;

use super::activation::Activation;
use super::attention::{self, Attention};
use super::distances::Distances;
use super::dropout::{Dropout, Place};
use super::layout::{Layout, Reach};
use super::linear::{Linear, Norm, Normalised, room};
use super::relative::RelativeBias;
use super::rotary::Rotary;
use crate::kernels::{Accumulate, add, multiply};

/// The weights of a layer (or their gradients).
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Layer {
    pub query: Linear,
    /// Keys and values in one map.
    pub key_value: Linear,
    pub attention_output: Linear,
    pub attention_norm: Norm,
    pub up: Linear,
    /// Multiplies what the activation gives, before `down`; empty in families without.
    pub gate: Linear,
    pub down: Linear,
    pub output_norm: Norm,
    pub distances: Option<Distances>,
    /// Turns queries and keys by their rows.
    pub rotary: Option<Arc<Rotary>>,
    /// A row looks at most this far to either side.
    pub window: Option<usize>,
}

/// What all layers of a network share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings<'a> {
    pub attention: Attention<'a>,
    pub activation: Activation,
    pub epsilon: f32,
    /// Norms stand before attention and before `up`, and not behind the residual connections.
    pub norm_first: bool,
}

/// Where a pass through the network stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stand<'a> {
    pub layout: &'a Layout,
    /// Which rows this layer works out.
    pub reach: Reach,
    /// The number of the layer, counted over all applications of shared layers.
    pub layer: usize,
    /// One for each text, or none.
    pub dropout: &'a [Dropout],
    /// The type of every row.
    pub types: &'a [u8],
}

/// What the backward pass for inputs needs of a layer.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(super) attention: attention::Kept,
    pub(super) attention_norm: Normalised,
    /// The slope of the activation.
    pub(super) slope: Vec<f32>,
    pub(super) output_norm: Normalised,
    /// What the activation gave and what it was multiplied with, where there is a gate.
    pub(super) active: Vec<f32>,
    pub(super) gates: Vec<f32>,
}

/// What the backward pass for weights needs beside that: the inputs of the affine maps.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// The hidden rows before the layer; the network fills this in when it trains.
    pub input: Vec<f32>,
    /// Those of them that are worked out.
    pub(super) selected: Vec<f32>,
    pub(super) context: Vec<f32>,
    pub(super) middle: Vec<f32>,
    pub(super) active: Vec<f32>,
}

/// Room for the intermediate gradients.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) wide: Vec<f32>,
    pub(super) branch: Vec<f32>,
    pub(super) d_context: Vec<f32>,
    pub(super) attention: attention::Gradients,
}

/// What a layer needs to add the gradients of its weights.
#[derive(Debug)]
pub(crate) struct Training<'a> {
    pub inputs: &'a Inputs,
    pub gradient: &'a mut Layer,
    pub bias: Option<&'a mut RelativeBias>,
}

impl Layer {
    /// Replaces the hidden rows `x` by those after the layer (of each text all, or only the first).
    pub fn forward(
        &self,
        settings: &Settings<'_>,
        place: Stand<'_>,
        x: &mut Vec<f32>,
        trace: &mut Trace,
        inputs: &mut Inputs,
    ) {
        if settings.norm_first {
            return self.forward_norm_first(settings, place, x, trace, inputs);
        }
        let Stand { layout, reach, layer, dropout, .. } = place;
        let (width, inner) = (settings.attention.width, self.up.outputs());
        let (out, rows) = (reach.layout(layout), reach.rows(layout));

        self.key_value.forward(x, room(&mut trace.attention.keys_values, layout.rows() * 2 * width));
        reach.select(layout, x, width, &mut inputs.selected);
        self.query.forward(&inputs.selected, room(&mut trace.attention.queries, rows * width));
        let context = room(&mut inputs.context, rows * width);
        let attention = self.attention(settings);
        attention.forward([&out, layout], place.types, layer, dropout, &mut trace.attention, context);
        let residual = room(&mut trace.attention_norm.rows, rows * width);
        self.attention_output.forward(context, residual);
        drop_rows(&out, dropout, Place::AttentionOutput { layer }, width, residual);
        add(&inputs.selected, residual);
        let middle = room(&mut inputs.middle, rows * width);
        self.attention_norm.forward(&mut trace.attention_norm, settings.epsilon, middle);

        let slope = room(&mut trace.slope, rows * inner);
        self.up.forward_without_bias(middle, slope);
        let active = room(&mut inputs.active, rows * inner);
        settings.activation.apply(slope, &self.up.bias, active);
        let residual = room(&mut trace.output_norm.rows, rows * width);
        self.down.forward(active, residual);
        drop_rows(&out, dropout, Place::LayerOutput { layer }, width, residual);
        add(middle, residual);
        self.output_norm.forward(&mut trace.output_norm, settings.epsilon, room(x, rows * width));
    }

    /// Turns the gradient `d` of the layer's output into that of its input, for the picked texts. Where there is
    /// `training`, the gradients of the weights are added; the picks are then all texts, in order.
    #[allow(clippy::too_many_arguments)]
    pub fn backward(
        &self,
        settings: &Settings<'_>,
        place: Stand<'_>,
        picks: &[usize],
        d: &mut Vec<f32>,
        trace: &Trace,
        mut training: Option<Training<'_>>,
        scratch: &mut Scratch,
    ) {
        if settings.norm_first {
            return self.backward_norm_first(settings, place, picks, d, trace, scratch);
        }
        let Stand { layout, reach, layer, dropout, types } = place;
        let (width, inner) = (settings.attention.width, self.up.outputs());
        let picked = layout.pick(picks);
        let (out, rows) = (reach.layout(layout), reach.rows(&picked));
        debug_assert_eq!(d.len(), rows * width);

        if let Some(Training { gradient, .. }) = &mut training {
            gradient.output_norm.accumulate(d, &trace.output_norm);
        }
        for_each_pick(&out, picks, width, d, |start, d| self.output_norm.backward(d, &trace.output_norm, start));
        let branch = dropped(&out, dropout, Place::LayerOutput { layer }, width, d, &mut scratch.branch);
        let wide = room(&mut scratch.wide, rows * inner);
        self.down.backward(branch, Accumulate::Overwrite, wide);
        let multiply_slope = |start, wide: &mut [f32]| multiply(&trace.slope[start * inner..][..wide.len()], wide);
        for_each_pick(&out, picks, inner, wide, multiply_slope);
        if let Some(Training { gradient, inputs, .. }) = &mut training {
            gradient.down.accumulate(branch, &inputs.active);
            gradient.up.accumulate(wide, &inputs.middle);
        }
        self.up.backward(wide, Accumulate::Add, d);

        if let Some(Training { gradient, .. }) = &mut training {
            gradient.attention_norm.accumulate(d, &trace.attention_norm);
        }
        for_each_pick(&out, picks, width, d, |start, d| self.attention_norm.backward(d, &trace.attention_norm, start));
        let branch = dropped(&out, dropout, Place::AttentionOutput { layer }, width, d, &mut scratch.branch);
        let d_context = room(&mut scratch.d_context, rows * width);
        self.attention_output.backward(branch, Accumulate::Overwrite, d_context);
        if let Some(Training { gradient, inputs, .. }) = &mut training {
            gradient.attention_output.accumulate(branch, &inputs.context);
        }

        let gradients = &mut scratch.attention;
        // Zeros, because the rows behind the last text are no query's.
        gradients.queries.clear();
        room(&mut gradients.queries, rows * width);
        room(&mut gradients.keys_values, picked.rows() * 2 * width);
        let bias_gradient = training.as_mut().and_then(|training| training.bias.as_deref_mut());
        let kept = &trace.attention;
        let attention = self.attention(settings);
        attention.backward([&out, layout], types, picks, layer, dropout, kept, d_context, gradients, bias_gradient);
        if let Some(Training { gradient, inputs, .. }) = &mut training {
            gradient.query.accumulate(&gradients.queries, &inputs.selected);
            gradient.key_value.accumulate(&gradients.keys_values, &inputs.input);
        }
        self.query.backward(&gradients.queries, Accumulate::Add, d);
        let d_selected = std::mem::take(d);
        *d = reach.spread(&picked, d_selected, width);
        self.key_value.backward(&gradients.keys_values, Accumulate::Add, d);
    }

    /// The attention of this layer.
    pub(super) fn attention<'a>(&'a self, settings: &Settings<'a>) -> Attention<'a> {
        Attention { distances: self.distances.as_ref(), window: self.window, ..settings.attention }
    }

    /// A layer of zeros with the shape of this one: where gradients are added up.
    pub fn zeros_like(&self) -> Self {
        let linear = |like: &Linear| Linear::zeros(like.outputs(), like.inputs());
        let norm = |like: &Norm| Norm::zeros(like.gain.len());
        Self {
            query: linear(&self.query),
            key_value: linear(&self.key_value),
            attention_output: linear(&self.attention_output),
            attention_norm: norm(&self.attention_norm),
            up: linear(&self.up),
            down: linear(&self.down),
            output_norm: norm(&self.output_norm),
            ..Self::default()
        }
    }
}

/// Calls `act` with the first row of each picked text and its part of the gradient.
pub(crate) fn for_each_pick(
    layout: &Layout,
    picks: &[usize],
    width: usize,
    mut d: &mut [f32],
    mut act: impl FnMut(usize, &mut [f32]),
) {
    for &text in picks {
        let (now, later) = d.split_at_mut(layout.length(text) * width);
        act(layout.text(text).start, now);
        d = later;
    }
}

/// Drops numbers of every text by its own choices.
pub(crate) fn drop_rows(layout: &Layout, dropout: &[Dropout], place: Place, width: usize, values: &mut [f32]) {
    for (text, dropout) in dropout.iter().enumerate() {
        dropout.apply(place, &mut values[layout.numbers(text, width)]);
    }
}

/// The gradient behind a place where numbers were dropped: `d` itself when there is no dropout, else a masked copy.
fn dropped<'a>(
    layout: &Layout,
    dropout: &[Dropout],
    place: Place,
    width: usize,
    d: &'a [f32],
    copy: &'a mut Vec<f32>,
) -> &'a [f32] {
    if dropout.is_empty() {
        return d;
    }
    copy.clear();
    copy.extend_from_slice(d);
    drop_rows(layout, dropout, place, width, copy);
    copy
}
