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
        let mut block = |at: usize, wide: usize| {
            let load = |x: &[f32], gate: usize| load(x, gate * size + at, wide);
            let gate = |gates: &[f32], gate: usize| {
                let (input, recurrent, bias) = (load(gates, gate), load(recurrent, gate), load(bias, gate));
                std::array::from_fn::<f32, LANES, _>(|lane| input[lane] + (recurrent[lane] + bias[lane]))
            };
            let [mut i, mut f, mut g, mut o] = [gate(gates, 0), gate(gates, 1), gate(gates, 2), gate(gates, 3)];
            let (mut cells, mut sums) = (load(cell, 0), load(sum, 0));
            let (mut squashed, mut out) = ([0.0; LANES], [0.0; LANES]);
            for lane in 0..LANES {
                i[lane] = sigmoid(i[lane]);
                f[lane] = sigmoid(f[lane]);
                g[lane] = tanh(g[lane]);
                o[lane] = sigmoid(o[lane]);
                cells[lane] = f[lane].mul_add(cells[lane], i[lane] * g[lane]);
                squashed[lane] = tanh(cells[lane]);
                out[lane] = o[lane] * squashed[lane];
                sums[lane] += out[lane];
            }
            for (place, numbers) in [i, f, g, o].iter().enumerate() {
                store(numbers, gates, place * size + at, wide);
            }
            store(&cells, cell, at, wide);
            store(&cells, kept_cell, at, wide);
            store(&squashed, kept_tanh, at, wide);
            store(&out, hidden, at, wide);
            store(&sums, sum, at, wide);
        };
        for at in (0..size / LANES).map(|block| block * LANES) {
            block(at, LANES);
        }
        if !size.is_multiple_of(LANES) {
            block(size / LANES * LANES, size % LANES);
        }
    }

    /// From the gradient of this step's hidden state (what comes back from the next step, plus the share of the mean)
    /// and of its cell, writes the gradient of the gates before activation, and moves `cell_gradient` one step back.
    pub(super) fn step_backward(
        gates: &[f32], previous_cell: &[f32], kept_tanh: &[f32], hidden_gradient: &[f32], mean_gradient: &[f32],
        cell_gradient: &mut [f32], gate_gradients: &mut [f32],
    ) {
        let size = cell_gradient.len();
        let mut block = |at: usize, wide: usize| {
            let load = |x: &[f32], gate: usize| load(x, gate * size + at, wide);
            let [i, f, g, o] = [load(gates, 0), load(gates, 1), load(gates, 2), load(gates, 3)];
            let (previous, squashed) = (load(previous_cell, 0), load(kept_tanh, 0));
            let (from_next, from_mean) = (load(hidden_gradient, 0), load(mean_gradient, 0));
            let mut cells = load(cell_gradient, 0);
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
            for (place, numbers) in out.iter().enumerate() {
                store(numbers, gate_gradients, place * size + at, wide);
            }
            store(&cells, cell_gradient, at, wide);
        };
        for at in (0..size / LANES).map(|block| block * LANES) {
            block(at, LANES);
        }
        if !size.is_multiple_of(LANES) {
            block(size / LANES * LANES, size % LANES);
        }
    }
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
