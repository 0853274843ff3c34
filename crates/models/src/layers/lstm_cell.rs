//! One step of an LSTM for one text: the arithmetic between two recurrent products. Gates lie in the order i, f, g, o.

use crate::kernels::dispatch::{LANES, dispatched};
use crate::kernels::{sigmoid, tanh};

dispatched! {
    /// Takes the gates as the input alone makes them, adds the recurrent part and the bias, and leaves them activated.
    /// Moves `cell` and `hidden` one step on, adds `hidden` to `sum`, and keeps the cell and its tanh for the way back.
    pub(super) fn step(
        gates: &mut [f32], recurrent: &[f32], bias: &[f32], cell: &mut [f32], hidden: &mut [f32], sum: &mut [f32],
        kept_cell: &mut [f32], kept_tanh: &mut [f32],
    ) {
        let size = cell.len();
        let whole = size / LANES * LANES;
        for at in (0..whole).step_by(LANES) {
            block(at, LANES, size, gates, recurrent, bias, cell, hidden, sum, kept_cell, kept_tanh);
        }
        if whole < size {
            block(whole, size - whole, size, gates, recurrent, bias, cell, hidden, sum, kept_cell, kept_tanh);
        }
    }

    /// From the gradient of this step's hidden state (what comes back from the next step, plus the share of the mean)
    /// and of its cell, writes the gradient of the gates before activation, and moves `cell_gradient` one step back.
    pub(super) fn step_backward(
        gates: &[f32], previous_cell: &[f32], kept_tanh: &[f32], hidden_gradient: &[f32], mean_gradient: &[f32],
        cell_gradient: &mut [f32], gate_gradients: &mut [f32],
    ) {
        let size = cell_gradient.len();
        let whole = size / LANES * LANES;
        let from = [gates, previous_cell, kept_tanh, hidden_gradient, mean_gradient];
        for at in (0..whole).step_by(LANES) {
            block_backward(at, LANES, size, from, cell_gradient, gate_gradients);
        }
        if whole < size {
            block_backward(whole, size - whole, size, from, cell_gradient, gate_gradients);
        }
    }
}

// Functions and not closures: the compiler must put them into the functions that are compiled for the processor.

/// [`step`] for `wide` neighbours of the hidden state.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn block(
    at: usize,
    wide: usize,
    size: usize,
    gates: &mut [f32],
    recurrent: &[f32],
    bias: &[f32],
    cell: &mut [f32],
    hidden: &mut [f32],
    sum: &mut [f32],
    kept_cell: &mut [f32],
    kept_tanh: &mut [f32],
) {
    let mut sums = [[0.0; LANES]; 4];
    for (gate, sums) in sums.iter_mut().enumerate() {
        let place = gate * size + at;
        let (input, recurrent, bias) =
            (load(gates, place, wide), load(recurrent, place, wide), load(bias, place, wide));
        for lane in 0..LANES {
            sums[lane] = input[lane] + (recurrent[lane] + bias[lane]);
        }
    }
    let [mut i, mut f, mut g, mut o] = sums;
    let (mut cells, mut totals) = (load(cell, at, wide), load(sum, at, wide));
    let (mut squashed, mut out) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        i[lane] = sigmoid(i[lane]);
        f[lane] = sigmoid(f[lane]);
        g[lane] = tanh(g[lane]);
        o[lane] = sigmoid(o[lane]);
        cells[lane] = f[lane].mul_add(cells[lane], i[lane] * g[lane]);
        squashed[lane] = tanh(cells[lane]);
        out[lane] = o[lane] * squashed[lane];
        totals[lane] += out[lane];
    }
    for (gate, numbers) in [i, f, g, o].iter().enumerate() {
        store(numbers, gates, gate * size + at, wide);
    }
    store(&cells, cell, at, wide);
    store(&cells, kept_cell, at, wide);
    store(&squashed, kept_tanh, at, wide);
    store(&out, hidden, at, wide);
    store(&totals, sum, at, wide);
}

/// [`step_backward`] for `wide` neighbours of the hidden state.
#[inline(always)]
fn block_backward(
    at: usize,
    wide: usize,
    size: usize,
    [gates, previous_cell, kept_tanh, hidden_gradient, mean_gradient]: [&[f32]; 5],
    cell_gradient: &mut [f32],
    gate_gradients: &mut [f32],
) {
    let (i, f) = (load(gates, at, wide), load(gates, size + at, wide));
    let (g, o) = (load(gates, 2 * size + at, wide), load(gates, 3 * size + at, wide));
    let (previous, squashed) = (load(previous_cell, at, wide), load(kept_tanh, at, wide));
    let (from_next, from_mean) = (load(hidden_gradient, at, wide), load(mean_gradient, at, wide));
    let mut cells = load(cell_gradient, at, wide);
    let mut out = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let (i, f, g, o, t) = (i[lane], f[lane], g[lane], o[lane], squashed[lane]);
        let hidden = from_next[lane] + from_mean[lane];
        let cell = (hidden * o).mul_add(1.0 - t * t, cells[lane]);
        out[0][lane] = cell * g * i * (1.0 - i);
        out[1][lane] = cell * previous[lane] * f * (1.0 - f);
        out[2][lane] = cell * i * (1.0 - g * g);
        out[3][lane] = hidden * t * o * (1.0 - o);
        cells[lane] = cell * f;
    }
    for (gate, numbers) in out.iter().enumerate() {
        store(numbers, gate_gradients, gate * size + at, wide);
    }
    store(&cells, cell_gradient, at, wide);
}

/// Up to 16 numbers as an array: arithmetic on local arrays vectorises where that on many slices may not.
#[inline(always)]
fn load(x: &[f32], at: usize, wide: usize) -> [f32; LANES] {
    let mut lanes = [0.0; LANES];
    lanes[..wide].copy_from_slice(&x[at..][..wide]);
    lanes
}

#[inline(always)]
fn store(lanes: &[f32; LANES], x: &mut [f32], at: usize, wide: usize) {
    x[at..][..wide].copy_from_slice(&lanes[..wide]);
}
