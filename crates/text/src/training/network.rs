//! Learns the weights of the parser's network: what it computes for a sentence, the way back, and the steps of Adam.

use std::collections::BTreeMap;

use super::arithmetic::{add, dot, multiply};
use super::trainer::Shuffler;
use crate::parse::Draft;
use crate::parse::network::{
    ACTION_BIAS, ACTION_ROWS, ACTIONS, CELLS, CODE, FROM_CELLS, FROM_CODE, FROM_INPUT, GATE_BIAS, GATES, HIDDEN,
    HIDDEN_BIAS, INPUT, LABEL_BIAS, LABELS, RELATIONS, SLOTS, SMALL_START, Seen, bend, cell,
};

/// Shares of numbers that are left out at random while it learns.
const DROP_INPUT: f32 = 0.1;
const DROP_CODE: f32 = 0.25;
const DROP_HIDDEN: f32 = 0.15;

/// A network in training, with the slopes of the current batch.
pub struct Learner {
    pub network: Draft,
    slopes: Vec<f32>,
    /// Slopes of the rows that the batch has touched.
    row_slopes: BTreeMap<usize, [f32; INPUT]>,
    moments: Moments,
    row_moments: Moments,
    steps: i32,
}

#[derive(Default)]
struct Moments {
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// A sentence that was read, with what the way back needs.
pub struct Pass {
    rows: Vec<Vec<usize>>,
    input: Vec<f32>,
    input_kept: Vec<f32>,
    /// For each direction: open gates, and cells, of each word.
    gates: [Vec<f32>; 2],
    cells: [Vec<f32>; 2],
    code: Vec<f32>,
    code_kept: Vec<f32>,
    added: Vec<f32>,
    added_slopes: Vec<f32>,
    length: usize,
}

/// The hidden layer for a state: with and without what was left out.
pub struct Hidden {
    pub units: [f32; HIDDEN],
    kept: [f32; HIDDEN],
}

impl Learner {
    pub fn new(mut network: Draft, shuffler: &mut Shuffler) -> Self {
        let mut fill = |range: &mut [f32], bound: f32| {
            range.iter_mut().for_each(|weight| *weight = (2.0 * chance(shuffler) - 1.0) * bound);
        };
        let bound = |inputs: usize, outputs: usize| (6.0 / (inputs + outputs) as f32).sqrt();
        fill(&mut network.rows, 0.15);
        let weights = &mut network.weights;
        for side in 0..2 {
            fill(&mut weights[FROM_INPUT[side]..][..INPUT * GATES], bound(INPUT, CELLS));
            fill(&mut weights[FROM_CELLS[side]..][..CELLS * GATES], bound(CELLS, CELLS));
            weights[GATE_BIAS[side] + CELLS..][..CELLS].fill(1.0);
            fill(&mut weights[LABELS[side]..][..HIDDEN * RELATIONS], bound(HIDDEN, RELATIONS));
        }
        fill(&mut weights[FROM_CODE..SMALL_START], bound(2 * CODE, HIDDEN));
        fill(&mut weights[SMALL_START..HIDDEN_BIAS], 0.05);
        fill(&mut weights[ACTION_ROWS..ACTION_BIAS], bound(HIDDEN, ACTIONS));
        let moments = |length| Moments { mean: vec![0.0; length], square: vec![0.0; length] };
        let (moments, row_moments) = (moments(network.weights.len()), moments(network.rows.len()));
        let slopes = vec![0.0; network.weights.len()];
        Self { network, slopes, row_slopes: BTreeMap::new(), moments, row_moments, steps: 0 }
    }

    /// Reads a sentence, given the rows of each word.
    pub fn read(&self, rows: Vec<Vec<usize>>, shuffler: &mut Shuffler) -> Pass {
        let length = rows.len();
        let weights = &self.network.weights;
        let mut input = vec![0.0; length * INPUT];
        for (rows, input) in rows.iter().zip(input.chunks_exact_mut(INPUT)) {
            rows.iter().for_each(|row| add(&self.network.rows[row * INPUT..(row + 1) * INPUT], input));
        }
        let input_kept = kept(length * INPUT, DROP_INPUT, shuffler);
        times(&input_kept, &mut input);
        let mut code = vec![0.0; length * CODE];
        let (mut all_gates, mut all_cells) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for side in 0..2 {
            let mut gates = vec![0.0; length * GATES];
            let bias = &weights[GATE_BIAS[side]..][..GATES];
            gates.chunks_exact_mut(GATES).for_each(|gates| gates.copy_from_slice(bias));
            multiply::<INPUT, GATES>(&input, &weights[FROM_INPUT[side]..][..INPUT * GATES], &mut gates);
            let mut states = vec![0.0; length * CELLS];
            let (mut cells, mut last) = ([0.0; CELLS], [0.0; CELLS]);
            for at in order(side, length) {
                let gates = &mut gates[at * GATES..][..GATES];
                multiply::<CELLS, GATES>(&last, &weights[FROM_CELLS[side]..][..CELLS * GATES], gates);
                cell(gates, &mut cells, &mut last);
                states[at * CELLS..][..CELLS].copy_from_slice(&cells);
                code[at * CODE + side * CELLS..][..CELLS].copy_from_slice(&last);
            }
            all_gates[side] = gates;
            all_cells[side] = states;
        }
        let code_kept = kept(length * CODE, DROP_CODE, shuffler);
        let mut seen = code.clone();
        times(&code_kept, &mut seen);
        let mut added = vec![0.0; SLOTS * length * HIDDEN];
        for (slot, added) in added.chunks_exact_mut(length * HIDDEN).enumerate() {
            multiply::<CODE, HIDDEN>(&seen, &weights[FROM_CODE + slot * CODE * HIDDEN..][..CODE * HIDDEN], added);
        }
        let added_slopes = vec![0.0; added.len()];
        Pass {
            rows,
            input,
            input_kept,
            gates: all_gates,
            cells: all_cells,
            code,
            code_kept,
            added,
            added_slopes,
            length,
        }
    }

    pub fn hidden(&self, pass: &Pass, seen: &Seen, shuffler: &mut Shuffler) -> Hidden {
        let weights = &self.network.weights;
        let mut units = [0.0; HIDDEN];
        units.copy_from_slice(&weights[HIDDEN_BIAS..][..HIDDEN]);
        for (slot, word) in seen.words.iter().enumerate() {
            if let Some(word) = word {
                add(&pass.added[(slot * pass.length + word) * HIDDEN..][..HIDDEN], &mut units);
            }
        }
        seen.small().iter().for_each(|row| add(&weights[SMALL_START + row * HIDDEN..][..HIDDEN], &mut units));
        let mut mask = [0.0; HIDDEN];
        for (unit, mask) in units.iter_mut().zip(&mut mask) {
            *mask = if *unit > 0.0 && chance(shuffler) >= DROP_HIDDEN { 1.0 / (1.0 - DROP_HIDDEN) } else { 0.0 };
            *unit *= *mask;
        }
        Hidden { units, kept: mask }
    }

    /// Takes the slopes of the scores of a state back to the words that were seen.
    pub fn back(
        &mut self,
        pass: &mut Pass,
        seen: &Seen,
        hidden: &Hidden,
        actions: &[f32; ACTIONS],
        labels: Option<(usize, [f32; RELATIONS])>,
    ) {
        let weights = &self.network.weights;
        let slopes = &mut self.slopes;
        let mut back = [0.0; HIDDEN];
        for (action, slope) in actions.iter().enumerate() {
            let at = ACTION_ROWS + action * HIDDEN;
            slopes[ACTION_BIAS + action] += slope;
            scaled(*slope, &weights[at..][..HIDDEN], &mut back);
            scaled(*slope, &hidden.units, &mut slopes[at..][..HIDDEN]);
        }
        if let Some((side, labels)) = labels {
            add(&labels, &mut slopes[LABEL_BIAS[side]..][..RELATIONS]);
            for (unit, back) in back.iter_mut().enumerate() {
                if hidden.units[unit] != 0.0 {
                    let at = LABELS[side] + unit * RELATIONS;
                    *back += dot(&weights[at..][..RELATIONS], &labels);
                    scaled(hidden.units[unit], &labels, &mut slopes[at..][..RELATIONS]);
                }
            }
        }
        times(&hidden.kept, &mut back);
        add(&back, &mut slopes[HIDDEN_BIAS..][..HIDDEN]);
        for (slot, word) in seen.words.iter().enumerate() {
            if let Some(word) = word {
                add(&back, &mut pass.added_slopes[(slot * pass.length + word) * HIDDEN..][..HIDDEN]);
            }
        }
        for row in seen.small() {
            add(&back, &mut slopes[SMALL_START + row * HIDDEN..][..HIDDEN]);
        }
    }

    /// Takes what the states of a sentence have left behind back to the weights.
    pub fn finish(&mut self, mut pass: Pass) {
        let weights = &self.network.weights;
        let slopes = &mut self.slopes;
        let length = pass.length;
        let mut seen = pass.code.clone();
        times(&pass.code_kept, &mut seen);
        let mut code_back = vec![0.0; length * CODE];
        for slot in 0..SLOTS {
            let at = FROM_CODE + slot * CODE * HIDDEN;
            for word in 0..length {
                let back = &pass.added_slopes[(slot * length + word) * HIDDEN..][..HIDDEN];
                outer::<HIDDEN>(
                    &seen[word * CODE..][..CODE],
                    back,
                    &weights[at..],
                    &mut slopes[at..],
                    &mut code_back[word * CODE..][..CODE],
                );
            }
        }
        times(&pass.code_kept, &mut code_back);
        let mut input_back = vec![0.0; length * INPUT];
        for side in 0..2 {
            let (gates, cells) = (&mut pass.gates[side], &pass.cells[side]);
            let (mut out_back, mut cell_back) = ([0.0; CELLS], [0.0; CELLS]);
            let places: Vec<usize> = order(side, length).collect();
            for step in (0..length).rev() {
                let at = places[step];
                let before = step.checked_sub(1).map(|step| places[step]);
                add(&code_back[at * CODE + side * CELLS..][..CELLS], &mut out_back);
                let gates = &mut gates[at * GATES..][..GATES];
                for unit in 0..CELLS {
                    let [open, forget, out, value] = [0, 1, 2, 3].map(|gate| gates[gate * CELLS + unit]);
                    let bent = bend(cells[at * CELLS + unit]);
                    let last = before.map_or(0.0, |before| cells[before * CELLS + unit]);
                    let back = cell_back[unit] + out_back[unit] * out * (1.0 - bent * bent);
                    gates[unit] = back * value * open * (1.0 - open);
                    gates[CELLS + unit] = back * last * forget * (1.0 - forget);
                    gates[2 * CELLS + unit] = out_back[unit] * bent * out * (1.0 - out);
                    gates[3 * CELLS + unit] = back * open * (1.0 - value * value);
                    cell_back[unit] = back * forget;
                }
                add(gates, &mut slopes[GATE_BIAS[side]..][..GATES]);
                out_back = [0.0; CELLS];
                if let Some(before) = before {
                    let code = &pass.code[before * CODE + side * CELLS..][..CELLS];
                    let from = FROM_CELLS[side];
                    outer::<GATES>(code, gates, &weights[from..], &mut slopes[from..], &mut out_back);
                }
                let from = FROM_INPUT[side];
                outer::<GATES>(
                    &pass.input[at * INPUT..][..INPUT],
                    gates,
                    &weights[from..],
                    &mut slopes[from..],
                    &mut input_back[at * INPUT..][..INPUT],
                );
            }
        }
        times(&pass.input_kept, &mut input_back);
        for (rows, back) in pass.rows.iter().zip(input_back.chunks_exact(INPUT)) {
            for row in rows {
                add(back, self.row_slopes.entry(*row).or_insert([0.0; INPUT]));
            }
        }
    }

    /// A step of Adam along the slopes of the batch.
    pub fn step(&mut self, rate: f32) {
        self.steps += 1;
        let rate = rate * (1.0 - SECOND.powi(self.steps)).sqrt() / (1.0 - FIRST.powi(self.steps));
        self.moments.step(0, &mut self.slopes, &mut self.network.weights, rate);
        for (row, mut slopes) in std::mem::take(&mut self.row_slopes) {
            let weights = &mut self.network.rows[row * INPUT..(row + 1) * INPUT];
            self.row_moments.step(row * INPUT, &mut slopes, weights, rate);
        }
    }
}

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.99;

impl Moments {
    /// Moves `weights`, whose moments begin at `start`, and clears the slopes.
    fn step(&mut self, start: usize, slopes: &mut [f32], weights: &mut [f32], rate: f32) {
        let (means, squares) = (&mut self.mean[start..], &mut self.square[start..]);
        for (((weight, slope), mean), square) in weights.iter_mut().zip(slopes).zip(means).zip(squares) {
            *mean = FIRST * *mean + (1.0 - FIRST) * *slope;
            *square = SECOND * *square + (1.0 - SECOND) * *slope * *slope;
            *weight -= rate * *mean / (square.sqrt() + 1e-6);
            *slope = 0.0;
        }
    }
}

/// The way back through a product: slopes of the matrix, and of what was multiplied with it.
fn outer<const OUT: usize>(from: &[f32], back: &[f32], matrix: &[f32], slopes: &mut [f32], from_back: &mut [f32]) {
    for (at, (x, x_back)) in from.iter().zip(from_back).enumerate() {
        *x_back += dot(&matrix[at * OUT..][..OUT], back);
        scaled(*x, back, &mut slopes[at * OUT..][..OUT]);
    }
}

fn order(side: usize, length: usize) -> impl Iterator<Item = usize> {
    (0..length).map(move |step| if side == 0 { step } else { length - 1 - step })
}

fn scaled(by: f32, from: &[f32], to: &mut [f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += by * from);
}

fn times(by: &[f32], to: &mut [f32]) {
    to.iter_mut().zip(by).for_each(|(to, by)| *to *= by);
}

/// Zero for what is left out, and for the rest what makes up for it.
fn kept(length: usize, drop: f32, shuffler: &mut Shuffler) -> Vec<f32> {
    (0..length).map(|_| if chance(shuffler) < drop { 0.0 } else { 1.0 / (1.0 - drop) }).collect()
}

/// A number from 0 to 1.
pub fn chance(shuffler: &mut Shuffler) -> f32 {
    shuffler.below(1 << 24) as f32 / (1 << 24) as f32
}

/// Slopes of the logarithm of the probability of `right` (a share for each), with probabilities by softmax over what is
/// `allowed`.
pub fn slopes<const N: usize>(
    scores: &[f32; N],
    allowed: impl Fn(usize) -> bool,
    right: impl Fn(usize) -> bool,
) -> [f32; N] {
    let top = (0..N).filter(|at| allowed(*at)).fold(f32::MIN, |top, at| top.max(scores[at]));
    let mut chances = [0.0; N];
    (0..N).filter(|at| allowed(*at)).for_each(|at| chances[at] = (scores[at] - top).exp());
    let sum: f32 = chances.iter().sum();
    let good: f32 = (0..N).filter(|at| right(*at)).map(|at| chances[at]).sum();
    let slope = |at: usize| chances[at] / sum - if right(at) { chances[at] / good.max(1e-20) } else { 0.0 };
    std::array::from_fn(slope)
}
