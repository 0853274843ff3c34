//! One transformer layer: attention, then two affine maps with an activation between, each with a residual connection
//! and a layer normalisation behind it.

use super::activation::Activation;
use super::attention::{self, Attention};
use super::dropout::{Dropout, Place};
use super::layout::Layout;
use super::linear::{Linear, Norm, Normalised, room};
use super::relative::RelativeBias;
use crate::kernels::{Into, add, multiply};

/// The weights of a layer (or their gradients).
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Layer {
    /// Queries, keys and values in one map.
    pub qkv: Linear,
    pub attention_output: Linear,
    pub attention_norm: Norm,
    pub up: Linear,
    pub down: Linear,
    pub output_norm: Norm,
}

/// What all layers of a network share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings<'a> {
    pub attention: Attention<'a>,
    pub activation: Activation,
    pub epsilon: f32,
}

/// What the backward pass for inputs needs of a layer.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    attention: attention::Kept,
    attention_norm: Normalised,
    /// The slope of the activation.
    slope: Vec<f32>,
    output_norm: Normalised,
}

/// What the backward pass for weights needs beside that: the inputs of the affine maps.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// The hidden rows before the layer; the network fills this in when it trains.
    pub input: Vec<f32>,
    context: Vec<f32>,
    middle: Vec<f32>,
    active: Vec<f32>,
}

/// Where one backward pass of the network stands.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    pub layout: &'a Layout,
    /// The texts whose gradients run through this pass, in the order of the gradient's rows; one text may come twice.
    pub picks: &'a [usize],
    /// The number of the layer, counted over all applications of shared layers.
    pub layer: usize,
    /// One for each text, or none.
    pub dropout: &'a [Dropout],
}

/// Room for the intermediate gradients.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    wide: Vec<f32>,
    branch: Vec<f32>,
    d_context: Vec<f32>,
    d_qkv: Vec<f32>,
}

impl Layer {
    /// Replaces the hidden rows `x` by those after the layer.
    #[allow(clippy::too_many_arguments)]
    pub fn forward(
        &self,
        settings: &Settings<'_>,
        layout: &Layout,
        number: usize,
        dropout: &[Dropout],
        x: &mut [f32],
        trace: &mut Trace,
        inputs: &mut Inputs,
    ) {
        let (rows, width, inner) = (layout.rows(), settings.attention.width, self.up.outputs());
        self.qkv.forward(x, room(&mut trace.attention.qkv, rows * 3 * width));
        let context = room(&mut inputs.context, rows * width);
        settings.attention.forward(layout, &mut trace.attention, number, dropout, context);
        let residual = room(&mut trace.attention_norm.rows, rows * width);
        self.attention_output.forward(context, residual);
        drop_rows(layout, dropout, Place::AttentionOutput { layer: number }, residual);
        add(x, residual);
        let middle = room(&mut inputs.middle, rows * width);
        self.attention_norm.forward(&mut trace.attention_norm, settings.epsilon, middle);

        let slope = room(&mut trace.slope, rows * inner);
        self.up.forward_without_bias(middle, slope);
        let active = room(&mut inputs.active, rows * inner);
        settings.activation.apply(slope, &self.up.bias, active);
        let residual = room(&mut trace.output_norm.rows, rows * width);
        self.down.forward(active, residual);
        drop_rows(layout, dropout, Place::LayerOutput { layer: number }, residual);
        add(middle, residual);
        self.output_norm.forward(&mut trace.output_norm, settings.epsilon, x);
    }

    /// Turns the gradient `d` of the layer's output into that of its input. Where `training` holds the inputs of the
    /// affine maps and a place for gradients, those of the weights are added; the picks are then all texts, in order.
    pub fn backward(
        &self,
        settings: &Settings<'_>,
        pass: &Pass<'_>,
        d: &mut [f32],
        trace: &Trace,
        mut training: Option<Training<'_>>,
        scratch: &mut Scratch,
    ) {
        let Pass { layout, picks, layer, dropout } = *pass;
        let (rows, width, inner) = (d.len() / settings.attention.width, settings.attention.width, self.up.outputs());
        if let Some(Training { gradient, .. }) = &mut training {
            gradient.output_norm.accumulate(d, &trace.output_norm);
        }
        for_each_pick(layout, picks, width, d, |start, d| self.output_norm.backward(d, &trace.output_norm, start));

        let branch = dropped(layout, dropout, Place::LayerOutput { layer }, d, &mut scratch.branch);
        let wide = room(&mut scratch.wide, rows * inner);
        self.down.backward(branch, Into::Replace, wide);
        for_each_pick(layout, picks, inner, wide, |start, wide| {
            multiply(&trace.slope[start * inner..][..wide.len()], wide);
        });
        if let Some(Training { gradient, inputs, .. }) = &mut training {
            gradient.down.accumulate(branch, &inputs.active);
            gradient.up.accumulate(wide, &inputs.middle);
        }
        self.up.backward(wide, Into::Add, d);

        if let Some(Training { gradient, .. }) = &mut training {
            gradient.attention_norm.accumulate(d, &trace.attention_norm);
        }
        for_each_pick(layout, picks, width, d, |start, d| {
            self.attention_norm.backward(d, &trace.attention_norm, start)
        });

        let branch = dropped(layout, dropout, Place::AttentionOutput { layer }, d, &mut scratch.branch);
        let d_context = room(&mut scratch.d_context, rows * width);
        self.attention_output.backward(branch, Into::Replace, d_context);
        if let Some(Training { gradient, inputs, .. }) = &mut training {
            gradient.attention_output.accumulate(branch, &inputs.context);
        }
        let d_qkv = room(&mut scratch.d_qkv, rows * 3 * width);
        let bias_gradient = training.as_mut().and_then(|training| training.bias.as_deref_mut());
        let kept = &trace.attention;
        settings.attention.backward(layout, picks, kept, layer, dropout, d_context, d_qkv, bias_gradient);
        if let Some(Training { gradient, inputs, .. }) = &mut training {
            gradient.qkv.accumulate(d_qkv, &inputs.input);
        }
        self.qkv.backward(d_qkv, Into::Add, d);
    }

    /// A layer of zeros with the shape of this one: where gradients are added up.
    pub fn zeros_like(&self) -> Self {
        let linear = |like: &Linear| Linear::zeros(like.outputs(), like.inputs());
        let norm = |like: &Norm| Norm::zeros(like.gain.len());
        Self {
            qkv: linear(&self.qkv),
            attention_output: linear(&self.attention_output),
            attention_norm: norm(&self.attention_norm),
            up: linear(&self.up),
            down: linear(&self.down),
            output_norm: norm(&self.output_norm),
        }
    }
}

/// What a layer needs to add the gradients of its weights.
#[derive(Debug)]
pub(crate) struct Training<'a> {
    pub inputs: &'a Inputs,
    pub gradient: &'a mut Layer,
    pub bias: Option<&'a mut RelativeBias>,
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
pub(crate) fn drop_rows(layout: &Layout, dropout: &[Dropout], place: Place, values: &mut [f32]) {
    let width = values.len() / layout.rows().max(1);
    for (text, dropout) in dropout.iter().enumerate() {
        let rows = layout.text(text);
        dropout.apply(place, &mut values[rows.start * width..rows.end * width]);
    }
}

/// The gradient behind a place where numbers were dropped: `d` itself when there is no dropout, else a masked copy.
fn dropped<'a>(layout: &Layout, dropout: &[Dropout], place: Place, d: &'a [f32], room: &'a mut Vec<f32>) -> &'a [f32] {
    if dropout.is_empty() {
        return d;
    }
    room.clear();
    room.extend_from_slice(d);
    drop_rows(layout, dropout, place, room);
    room
}
