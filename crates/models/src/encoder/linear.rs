//! The two layers that everything here is made of, with their gradients: affine maps and layer normalisation.
//!
//! A gradient has the type of the weights it belongs to, so that optimiser and file writer can walk both side by side.

use crate::kernels::{
    Accumulate, View, ViewMut, axpy, dot, fill_rows, layer_norm, layer_norm_backward, layer_norm_backward_weights,
    matmul, sum_rows,
};

/// `y = x W^T + b`, with W row by row (outputs x inputs), as checkpoints store it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Linear {
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
}

impl Linear {
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    pub fn inputs(&self) -> usize {
        self.weight.len() / self.bias.len()
    }

    /// `out = x W^T + b` for every row of `x`.
    pub fn forward(&self, x: &[f32], out: &mut [f32]) {
        fill_rows(&self.bias, out);
        self.product(x, Accumulate::Add, out);
    }

    /// `out = x W^T` for every row of `x`; the activation that follows adds the bias.
    pub fn forward_without_bias(&self, x: &[f32], out: &mut [f32]) {
        self.product(x, Accumulate::Overwrite, out);
    }

    fn product(&self, x: &[f32], into: Accumulate, out: &mut [f32]) {
        let (inputs, outputs) = (self.inputs(), self.outputs());
        let rows = x.len() / inputs;
        let weight = View::new(&self.weight, outputs, inputs).transposed();
        matmul(ViewMut::new(out, rows, outputs), into, View::new(x, rows, inputs), weight, 1.0);
    }

    /// From the gradient of the output to that of the input: `out = d W`, or added to what is there.
    pub fn backward(&self, d: &[f32], into: Accumulate, out: &mut [f32]) {
        let (inputs, outputs) = (self.inputs(), self.outputs());
        let rows = d.len() / outputs;
        let weight = View::new(&self.weight, outputs, inputs);
        matmul(ViewMut::new(out, rows, inputs), into, View::new(d, rows, outputs), weight, 1.0);
    }

    /// One row of [`Linear::forward`], by dot products: its bits cannot depend on what else is asked.
    pub fn forward_row(&self, x: &[f32], out: &mut [f32]) {
        for ((out, row), bias) in out.iter_mut().zip(self.weight.chunks_exact(x.len())).zip(&self.bias) {
            *out = dot(row, x) + bias;
        }
    }

    /// One row of [`Linear::backward`]: `out += d W`.
    pub fn backward_row(&self, d: &[f32], out: &mut [f32]) {
        for (d, row) in d.iter().zip(self.weight.chunks_exact(out.len())) {
            axpy(*d, row, out);
        }
    }

    /// As a gradient: adds what the output gradient `d` at the inputs `x` means for weight and bias.
    pub fn accumulate(&mut self, d: &[f32], x: &[f32]) {
        let (inputs, outputs) = (self.inputs(), self.outputs());
        let rows = d.len() / outputs;
        let (d_rows, x_rows) = (View::new(d, rows, outputs).transposed(), View::new(x, rows, inputs));
        matmul(ViewMut::new(&mut self.weight, outputs, inputs), Accumulate::Add, d_rows, x_rows, 1.0);
        sum_rows(d, &mut self.bias);
    }

    pub fn zeros(outputs: usize, inputs: usize) -> Self {
        Self { weight: vec![0.0; outputs * inputs], bias: vec![0.0; outputs] }
    }
}

/// Layer normalisation.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Norm {
    pub gain: Vec<f32>,
    pub shift: Vec<f32>,
}

/// What the backward pass of a [`Norm`] needs.
#[derive(Debug, Default)]
pub(crate) struct Normalised {
    /// The rows before gain and shift.
    pub rows: Vec<f32>,
    pub inverse_deviations: Vec<f32>,
}

impl Norm {
    /// Normalises `kept.rows` in place and writes the result with gain and shift to `out`.
    pub fn forward(&self, kept: &mut Normalised, epsilon: f32, out: &mut [f32]) {
        kept.inverse_deviations.resize(out.len() / self.gain.len(), 0.0);
        layer_norm(&mut kept.rows, &self.gain, &self.shift, epsilon, out, &mut kept.inverse_deviations);
    }

    /// The gradient `d` of the output becomes that of the input, for the rows of one text which start at row `start`.
    pub fn backward(&self, d: &mut [f32], kept: &Normalised, start: usize) {
        let width = self.gain.len();
        let rows = d.len() / width;
        let normalised = &kept.rows[start * width..][..d.len()];
        layer_norm_backward(d, normalised, &kept.inverse_deviations[start..][..rows], &self.gain);
    }

    /// As a gradient: adds what the output gradient `d` over all rows means for gain and shift.
    pub fn accumulate(&mut self, d: &[f32], kept: &Normalised) {
        layer_norm_backward_weights(d, &kept.rows, &mut self.gain, &mut self.shift);
    }

    pub fn zeros(width: usize) -> Self {
        Self { gain: vec![0.0; width], shift: vec![0.0; width] }
    }
}

/// A buffer made `length` long, with whatever was in it: work space is allocated once and used again.
pub(crate) fn room(buffer: &mut Vec<f32>, length: usize) -> &mut [f32] {
    buffer.resize(length, 0.0);
    buffer
}
