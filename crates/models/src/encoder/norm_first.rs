//! Layers whose norms stand first, with a gate between the affine maps and rotary positions: ModernBERT (Warner et al.
//! 2024). They answer and give gradients of their input; they are not trained here, so nothing is dropped.

use super::layer::{Inputs, Layer, Scratch, Settings, Stand, Trace, for_each_pick};
use super::layout::Layout;
use super::linear::{Norm, Normalised, room};
use super::rotary::Rotary;
use crate::kernels::{Accumulate, add, multiply};

impl Layer {
    /// `x + attention(norm(x))`, and then `x + down(activation(up(norm(x))) * gate(norm(x)))`.
    pub(super) fn forward_norm_first(
        &self,
        settings: &Settings<'_>,
        place: Stand<'_>,
        x: &mut Vec<f32>,
        trace: &mut Trace,
        inputs: &mut Inputs,
    ) {
        let Stand { layout, reach, layer, .. } = place;
        let (width, inner) = (settings.attention.width, self.up.outputs());
        let (out, rows) = (reach.layout(layout), reach.rows(layout));

        // Not the room of `inputs.active` and the like: the norm keeps what it needs in the trace.
        let normal = room(&mut inputs.middle, layout.rows() * width);
        normalise(&self.attention_norm, x, &mut trace.attention_norm, settings.epsilon, normal);
        self.key_value.forward(normal, room(&mut trace.attention.keys_values, layout.rows() * 2 * width));
        reach.select(layout, normal, width, &mut inputs.selected);
        self.query.forward(&inputs.selected, room(&mut trace.attention.queries, rows * width));
        if let Some(rotary) = &self.rotary {
            turn(rotary, &out, width, width, false, &mut trace.attention.queries);
            turn(rotary, layout, width, 2 * width, false, &mut trace.attention.keys_values);
        }
        let context = room(&mut inputs.context, rows * width);
        self.attention(settings).forward([&out, layout], place.types, layer, &[], &mut trace.attention, context);
        let before = std::mem::take(x);
        reach.select(layout, &before, width, x);
        let mut branch = vec![0.0; rows * width];
        self.attention_output.forward(context, &mut branch);
        add(&branch, x);

        let normal = room(&mut inputs.middle, rows * width);
        normalise(&self.output_norm, x, &mut trace.output_norm, settings.epsilon, normal);
        let slope = room(&mut trace.slope, rows * inner);
        self.up.forward_without_bias(normal, slope);
        settings.activation.apply(slope, &self.up.bias, room(&mut trace.active, rows * inner));
        self.gate.forward(normal, room(&mut trace.gates, rows * inner));
        let gated = room(&mut inputs.active, rows * inner);
        gated.copy_from_slice(&trace.active);
        multiply(&trace.gates, gated);
        self.down.forward(gated, &mut branch);
        add(&branch, x);
    }

    /// Turns the gradient of the layer's output into that of its input, for the picked texts.
    pub(super) fn backward_norm_first(
        &self,
        settings: &Settings<'_>,
        place: Stand<'_>,
        picks: &[usize],
        d: &mut Vec<f32>,
        trace: &Trace,
        scratch: &mut Scratch,
    ) {
        let Stand { layout, reach, layer, types, .. } = place;
        let (width, inner) = (settings.attention.width, self.up.outputs());
        let picked = layout.pick(picks);
        let (out, rows) = (reach.layout(layout), reach.rows(&picked));
        let picked_out = reach.layout(&picked);

        let wide = room(&mut scratch.wide, rows * inner);
        self.down.backward(d, Accumulate::Overwrite, wide);
        let mut d_gates = wide.to_vec();
        let times = |kept: &[f32], d: &mut [f32]| {
            for_each_pick(&out, picks, inner, d, |start, d| multiply(&kept[start * inner..][..d.len()], d));
        };
        times(&trace.active, &mut d_gates);
        times(&trace.gates, wide);
        times(&trace.slope, wide);
        let mut d_normal = vec![0.0; rows * width];
        self.up.backward(wide, Accumulate::Overwrite, &mut d_normal);
        self.gate.backward(&d_gates, Accumulate::Add, &mut d_normal);
        for_each_pick(&out, picks, width, &mut d_normal, |start, d| {
            back(&self.output_norm, d, &trace.output_norm, start);
        });
        add(&d_normal, d);

        let d_context = room(&mut scratch.d_context, rows * width);
        self.attention_output.backward(d, Accumulate::Overwrite, d_context);
        let gradients = &mut scratch.attention;
        // Zeros, because the rows behind the last text are no query's.
        gradients.queries.clear();
        room(&mut gradients.queries, rows * width);
        room(&mut gradients.keys_values, picked.rows() * 2 * width);
        let attention = self.attention(settings);
        attention.backward([&out, layout], types, picks, layer, &[], &trace.attention, d_context, gradients, None);
        if let Some(rotary) = &self.rotary {
            turn(rotary, &picked_out, width, width, true, &mut gradients.queries);
            turn(rotary, &picked, width, 2 * width, true, &mut gradients.keys_values);
        }
        let mut d_selected = vec![0.0; rows * width];
        self.query.backward(&gradients.queries, Accumulate::Overwrite, &mut d_selected);
        let mut d_normal = reach.spread(&picked, d_selected, width);
        self.key_value.backward(&gradients.keys_values, Accumulate::Add, &mut d_normal);
        for_each_pick(layout, picks, width, &mut d_normal, |start, d| {
            back(&self.attention_norm, d, &trace.attention_norm, start);
        });
        *d = reach.spread(&picked, std::mem::take(d), width);
        add(&d_normal, d);
    }
}

/// Normalises rows; the first layer has no norm here, because the embeddings end with one.
pub(super) fn normalise(norm: &Norm, x: &[f32], kept: &mut Normalised, epsilon: f32, out: &mut [f32]) {
    if norm.gain.is_empty() {
        out.copy_from_slice(x);
        return;
    }
    kept.rows.clear();
    kept.rows.extend_from_slice(x);
    norm.forward(kept, epsilon, out);
}

/// The gradient behind [`normalise`], for the rows of one text.
pub(super) fn back(norm: &Norm, d: &mut [f32], kept: &Normalised, start: usize) {
    if !norm.gain.is_empty() {
        norm.backward(d, kept, start);
    }
}

/// Turns the rows of every text.
fn turn(rotary: &Rotary, layout: &Layout, width: usize, stride: usize, back: bool, rows: &mut [f32]) {
    for text in 0..layout.texts() {
        rotary.turn(&mut rows[layout.numbers(text, stride)], width, stride, back);
    }
}
