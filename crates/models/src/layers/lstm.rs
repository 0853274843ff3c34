//! One direction of an LSTM over several texts at once, and the mean of its hidden states.
//!
//! Texts come sorted by falling length, so at every step those still running are the first few: texts of mixed length
//! waste no work. A text gives the same bits in any company.

use super::lstm_cell::{step, step_backward};
use crate::kernels::{Accumulate, Packed, View, ViewMut, matmul, scale, sum_rows};

/// One direction.
#[derive(Debug, Clone)]
pub(crate) struct Lstm {
    pub(crate) reversed: bool,
    width: usize,
    hidden: usize,
    /// `[4 hidden][width]`, `[4 hidden][hidden]` and `[4 hidden]`, gates in the order i, f, g, o.
    pub(crate) input: Vec<f32>,
    pub(crate) recurrent: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    forward_product: Packed,
    backward_product: Packed,
}

/// The states of several texts on their way, a row of each list for each text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moving {
    hidden: usize,
    cells: Vec<f32>,
    states: Vec<f32>,
    /// The sum of the hidden states so far.
    pub(crate) sums: Vec<f32>,
}

impl Moving {
    /// Texts that are about to begin.
    pub(crate) fn zeros(texts: usize, hidden: usize) -> Self {
        let row = || vec![0.0; texts * hidden];
        Self { hidden, cells: row(), states: row(), sums: row() }
    }

    /// Adds a text that is where text `row` of `other` is.
    pub(crate) fn push(&mut self, other: &Self, row: usize) {
        self.hidden = other.hidden;
        let range = row * other.hidden..(row + 1) * other.hidden;
        self.cells.extend_from_slice(&other.cells[range.clone()]);
        self.states.extend_from_slice(&other.states[range.clone()]);
        self.sums.extend_from_slice(&other.sums[range]);
    }
}

/// What one text leaves behind on its way: all by word, in the order of the text.
#[derive(Debug)]
pub(crate) struct Passage {
    length: usize,
    gates: Vec<f32>,
    cells: Vec<f32>,
    tanh_cells: Vec<f32>,
}

impl Lstm {
    pub(crate) fn new(reversed: bool, width: usize, input: Vec<f32>, recurrent: Vec<f32>, bias: Vec<f32>) -> Self {
        let hidden = bias.len() / 4;
        let (forward_product, backward_product) = Default::default();
        let mut lstm = Self { reversed, width, hidden, input, recurrent, bias, forward_product, backward_product };
        lstm.refresh();
        lstm
    }

    /// Packs the recurrent weights again after they have changed.
    pub(crate) fn refresh(&mut self) {
        let (hidden, recurrent) = (self.hidden, &self.recurrent);
        self.forward_product = Packed::new(hidden, 4 * hidden, |k, j| recurrent[j * hidden + k]);
        self.backward_product = Packed::new(4 * hidden, hidden, |k, j| recurrent[k * hidden + j]);
    }

    pub(crate) fn hidden(&self) -> usize {
        self.hidden
    }

    /// Runs over each text; gives what the way back needs, and the mean of its hidden states, one row a text.
    pub(crate) fn forward(&self, points: &[&[f32]]) -> (Vec<Passage>, Vec<f32>) {
        let hidden = self.hidden;
        let mut passages: Vec<Passage> = points.iter().map(|x| self.begin(x)).collect();
        let (mut cell, mut state) = (vec![0.0; points.len() * hidden], vec![0.0; points.len() * hidden]);
        let mut recurrent = vec![0.0; points.len() * 4 * hidden];
        let mut means = vec![0.0; points.len() * hidden];
        for at in 0..passages.first().map_or(0, |longest| longest.length) {
            let running = passages.iter().take_while(|passage| passage.length > at).count();
            if at > 0 {
                self.forward_product.product(&state[..running * hidden], &mut recurrent[..running * 4 * hidden]);
            }
            for (text, passage) in passages[..running].iter_mut().enumerate() {
                let word = self.word(at, passage.length);
                step(
                    &mut passage.gates[word * 4 * hidden..][..4 * hidden],
                    &recurrent[text * 4 * hidden..][..4 * hidden],
                    &self.bias,
                    &mut cell[text * hidden..][..hidden],
                    &mut state[text * hidden..][..hidden],
                    &mut means[text * hidden..][..hidden],
                    &mut passage.cells[word * hidden..][..hidden],
                    &mut passage.tanh_cells[word * hidden..][..hidden],
                );
            }
        }
        self.share(&mut means, passages.iter());
        (passages, means)
    }

    /// Moves texts one step on; `gates` has a row for each, as its next word alone makes them.
    pub(crate) fn advance(&self, gates: &mut [f32], moving: &mut Moving) {
        let hidden = self.hidden;
        let mut recurrent = vec![0.0; gates.len()];
        self.forward_product.product(&moving.states, &mut recurrent);
        let (mut kept_cell, mut kept_tanh) = (vec![0.0; hidden], vec![0.0; hidden]);
        for (text, gates) in gates.chunks_exact_mut(4 * hidden).enumerate() {
            step(
                gates,
                &recurrent[text * 4 * hidden..][..4 * hidden],
                &self.bias,
                &mut moving.cells[text * hidden..][..hidden],
                &mut moving.states[text * hidden..][..hidden],
                &mut moving.sums[text * hidden..][..hidden],
                &mut kept_cell,
                &mut kept_tanh,
            );
        }
    }

    /// The hidden state at every word of a text that was run over.
    pub(crate) fn states(&self, passage: &Passage) -> Vec<f32> {
        let hidden = self.hidden;
        let gates = passage.gates.chunks_exact(4 * hidden).flat_map(|gates| &gates[3 * hidden..]);
        gates.zip(&passage.tanh_cells).map(|(out, cell)| out * cell).collect()
    }

    /// The gradient of the gates of each text before activation, from that of the means; passages sorted as they were.
    pub(crate) fn backward(&self, passages: &[&Passage], means: &[f32]) -> Vec<Vec<f32>> {
        let mut shares = means.to_vec();
        self.share(&mut shares, passages.iter().copied());
        self.backward_from(passages, |text, _| &shares[text * self.hidden..][..self.hidden])
    }

    /// The same, from the gradient of the hidden state at every word of every text.
    pub(crate) fn backward_states(&self, passages: &[&Passage], states: &[Vec<f32>]) -> Vec<Vec<f32>> {
        self.backward_from(passages, |text, word| &states[text][word * self.hidden..][..self.hidden])
    }

    /// `above(text, word)` is the gradient of the hidden state there, as far as it comes from above.
    fn backward_from<'a>(&self, passages: &[&Passage], above: impl Fn(usize, usize) -> &'a [f32]) -> Vec<Vec<f32>> {
        let hidden = self.hidden;
        let mut gates: Vec<Vec<f32>> = passages.iter().map(|passage| vec![0.0; passage.gates.len()]).collect();
        let (mut cell, mut state) = (vec![0.0; passages.len() * hidden], vec![0.0; passages.len() * hidden]);
        let mut now = vec![0.0; passages.len() * 4 * hidden];
        let start = vec![0.0; hidden];
        for at in (0..passages.first().map_or(0, |longest| longest.length)).rev() {
            let running = passages.iter().take_while(|passage| passage.length > at).count();
            for (text, passage) in passages[..running].iter().enumerate() {
                let length = passage.length;
                let word = self.word(at, length);
                let previous = match at {
                    0 => &start[..],
                    _ => &passage.cells[self.word(at - 1, length) * hidden..][..hidden],
                };
                let now = &mut now[text * 4 * hidden..][..4 * hidden];
                step_backward(
                    &passage.gates[word * 4 * hidden..][..4 * hidden],
                    previous,
                    &passage.tanh_cells[word * hidden..][..hidden],
                    &state[text * hidden..][..hidden],
                    above(text, word),
                    &mut cell[text * hidden..][..hidden],
                    now,
                );
                gates[text][word * 4 * hidden..][..4 * hidden].copy_from_slice(now);
            }
            if at > 0 {
                self.backward_product.product(&now[..running * 4 * hidden], &mut state[..running * hidden]);
            }
        }
        gates
    }

    /// The gradient of one text's rows, from that of its gates: replaces what is in `inputs`, or is added to it.
    pub(crate) fn backward_inputs(&self, gates: &[f32], inputs: &mut [f32], into: Accumulate) {
        let (count, wide) = (inputs.len() / self.width, 4 * self.hidden);
        let weight = View::new(&self.input, wide, self.width);
        matmul(ViewMut::new(inputs, count, self.width), into, View::new(gates, count, wide), weight, 1.0);
    }

    /// Adds the gradients of the input weight, the recurrent weight and the bias.
    pub(crate) fn backward_weights(
        &self,
        x: &[f32],
        passage: &Passage,
        gates: &[f32],
        [input, recurrent, bias]: [&mut [f32]; 3],
    ) {
        let (count, hidden, wide) = (x.len() / self.width, self.hidden, 4 * self.hidden);
        let turned = View::new(gates, count, wide).transposed();
        matmul(ViewMut::new(input, wide, self.width), Accumulate::Add, turned, View::new(x, count, self.width), 1.0);
        sum_rows(gates, bias);

        let states = self.states(passage);
        // Every word but the first of the way, beside the state that the word before it left.
        let steps = count.saturating_sub(1);
        let (words, before) = if self.reversed { (0, 1) } else { (1, 0) };
        let gates = View::new(&gates[words.min(count) * wide..][..steps * wide], steps, wide).transposed();
        let states = View::new(&states[before.min(count) * hidden..][..steps * hidden], steps, hidden);
        matmul(ViewMut::new(recurrent, wide, hidden), Accumulate::Add, gates, states, 1.0);
    }

    /// The gates of a text as its input alone makes them.
    fn begin(&self, x: &[f32]) -> Passage {
        let (count, wide) = (x.len() / self.width, 4 * self.hidden);
        let mut gates = vec![0.0; count * wide];
        let weight = View::new(&self.input, wide, self.width).transposed();
        matmul(
            ViewMut::new(&mut gates, count, wide),
            Accumulate::Overwrite,
            View::new(x, count, self.width),
            weight,
            1.0,
        );
        Passage {
            length: count,
            gates,
            cells: vec![0.0; count * self.hidden],
            tanh_cells: vec![0.0; count * self.hidden],
        }
    }

    /// Divides the row of each text by its length.
    fn share<'a>(&self, rows: &mut [f32], passages: impl Iterator<Item = &'a Passage>) {
        for (row, passage) in rows.chunks_exact_mut(self.hidden).zip(passages) {
            scale(1.0 / passage.length.max(1) as f32, row);
        }
    }

    /// The word read at a step.
    fn word(&self, step: usize, length: usize) -> usize {
        if self.reversed { length - 1 - step } else { step }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{assert_gradient, numbers, wide};
    use super::*;

    const WIDTH: usize = 4;
    /// More than one block of lanes, and a rest.
    const HIDDEN: usize = 19;
    const LENGTHS: [usize; 3] = [6, 4, 1];

    /// The sum over the texts of the means' products with `cotangent`, in float64.
    fn formula(
        reversed: bool,
        input: &[f64],
        recurrent: &[f64],
        bias: &[f64],
        points: &[f64],
        cotangent: &[f32],
    ) -> f64 {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let (mut total, mut start) = (0.0, 0);
        for (text, length) in LENGTHS.into_iter().enumerate() {
            let x = &points[start * WIDTH..][..length * WIDTH];
            start += length;
            let (mut cell, mut state) = (vec![0.0; HIDDEN], vec![0.0; HIDDEN]);
            for step in 0..length {
                let word = if reversed { length - 1 - step } else { step };
                let gate = |gate: usize, j: usize| -> f64 {
                    let row = gate * HIDDEN + j;
                    let from_input = (0..WIDTH).map(|k| input[row * WIDTH + k] * x[word * WIDTH + k]).sum::<f64>();
                    let from_state = (0..HIDDEN).map(|k| recurrent[row * HIDDEN + k] * state[k]).sum::<f64>();
                    from_input + from_state + bias[row]
                };
                let gates: Vec<[f64; 4]> = (0..HIDDEN).map(|j| [0, 1, 2, 3].map(|g| gate(g, j))).collect();
                for (j, [i, f, g, o]) in gates.into_iter().enumerate() {
                    cell[j] = sigmoid(f) * cell[j] + sigmoid(i) * g.tanh();
                    state[j] = sigmoid(o) * cell[j].tanh();
                    total += state[j] * f64::from(cotangent[text * HIDDEN + j]) / length as f64;
                }
            }
        }
        total
    }

    #[test]
    fn gradients_in_both_directions() {
        for reversed in [false, true] {
            let words: usize = LENGTHS.iter().sum();
            let (input, recurrent) = (numbers(4 * HIDDEN * WIDTH, 1), numbers(4 * HIDDEN * HIDDEN, 2));
            let (bias, points) = (numbers(4 * HIDDEN, 3), numbers(words * WIDTH, 4));
            let cotangent = numbers(LENGTHS.len() * HIDDEN, 5);
            let value = |place: usize, at: &[f64]| -> f64 {
                let mut places = [wide(&input), wide(&recurrent), wide(&bias), wide(&points)];
                places[place] = at.to_vec();
                let [input, recurrent, bias, points] = &places;
                formula(reversed, input, recurrent, bias, points, &cotangent)
            };

            let lstm = Lstm::new(reversed, WIDTH, input.clone(), recurrent.clone(), bias.clone());
            let mut rest = &points[..];
            let texts = LENGTHS.map(|length| rest.split_off(..length * WIDTH).expect("enough numbers"));
            let (passages, means) = lstm.forward(&texts);
            let found: f64 = means.iter().zip(&cotangent).map(|(m, w)| f64::from(*m) * f64::from(*w)).sum();
            assert!((found - value(2, &wide(&bias))).abs() < 1e-5);

            let gates = lstm.backward(&passages.iter().collect::<Vec<_>>(), &cotangent);
            let mut gradients = [vec![0.0; input.len()], vec![0.0; recurrent.len()], vec![0.0; bias.len()]];
            let mut point_gradient = Vec::new();
            for ((x, passage), gates) in texts.iter().zip(&passages).zip(&gates) {
                let mut inputs = vec![9.0; x.len()];
                lstm.backward_inputs(gates, &mut inputs, Accumulate::Overwrite);
                point_gradient.extend(inputs);
                let [input, recurrent, bias] = &mut gradients;
                lstm.backward_weights(x, passage, gates, [input, recurrent, bias]);
            }
            assert_gradient("input", &gradients[0], &input, |at| value(0, at));
            assert_gradient("recurrent", &gradients[1], &recurrent, |at| value(1, at));
            assert_gradient("bias", &gradients[2], &bias, |at| value(2, at));
            assert_gradient("points", &point_gradient, &points, |at| value(3, at));
        }
    }

    /// The gradient from every state is that from the mean if every state gets its share; and it is that of its own sum.
    #[test]
    fn gradients_from_every_state() {
        let (input, recurrent) = (numbers(4 * HIDDEN * WIDTH, 1), numbers(4 * HIDDEN * HIDDEN, 2));
        let lstm = Lstm::new(true, WIDTH, input, recurrent, numbers(4 * HIDDEN, 3));
        let x = numbers(6 * WIDTH, 4);
        let (passages, mean) = lstm.forward(&[&x]);
        let states = lstm.states(&passages[0]);
        for (at, mean) in mean.iter().enumerate() {
            let total: f32 = states.chunks_exact(HIDDEN).map(|state| state[at]).sum();
            assert!((total / 6.0 - mean).abs() < 1e-6);
        }
        let cotangent = numbers(6 * HIDDEN, 5);
        let value = |x: &[f32]| -> f64 {
            let (passages, _) = lstm.forward(&[x]);
            let states = lstm.states(&passages[0]);
            states.iter().zip(&cotangent).map(|(state, w)| f64::from(*state) * f64::from(*w)).sum()
        };
        let gates = lstm.backward_states(&[&passages[0]], std::slice::from_ref(&cotangent));
        let mut found = vec![0.0; x.len()];
        lstm.backward_inputs(&gates[0], &mut found, Accumulate::Overwrite);
        for at in 0..x.len() {
            let moved = |step: f32| {
                let mut x = x.clone();
                x[at] += step;
                value(&x)
            };
            let expected = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            assert!((f64::from(found[at]) - expected).abs() < 2e-3, "{at}: {} {expected}", found[at]);
        }
    }

    #[test]
    fn a_text_gives_the_same_bits_in_any_company() {
        let lstm = Lstm::new(
            false,
            WIDTH,
            numbers(4 * HIDDEN * WIDTH, 1),
            numbers(4 * HIDDEN * HIDDEN, 2),
            numbers(4 * HIDDEN, 3),
        );
        let texts: Vec<Vec<f32>> = (0..8).map(|text| numbers((9 - text) * WIDTH, text as u64)).collect();
        let points: Vec<&[f32]> = texts.iter().map(Vec::as_slice).collect();
        let cotangent = numbers(texts.len() * HIDDEN, 9);
        let (passages, means) = lstm.forward(&points);
        let gates = lstm.backward(&passages.iter().collect::<Vec<_>>(), &cotangent);
        for text in 0..texts.len() {
            let (passages, mean) = lstm.forward(&points[text..=text]);
            assert_eq!(mean, means[text * HIDDEN..][..HIDDEN]);
            let alone = lstm.backward(&[&passages[0]], &cotangent[text * HIDDEN..][..HIDDEN]);
            assert_eq!(alone[0], gates[text]);
        }
    }
}
