//! bilstm: an LSTM in each direction, and the mean over time of both hidden states.

use super::{Body, Recurrent, Small, Training};
use crate::Result;
use crate::kernels::Accumulate;
use crate::layers::{Lstm, Passage};
use crate::train::random::Random;
use crate::weights::Weights;

/// The two directions, onward first.
#[derive(Debug, Clone)]
pub(crate) struct BiLstm {
    pub(crate) directions: [Lstm; 2],
}

/// The endings of the names of each direction's tensors.
const ENDINGS: [&str; 2] = ["l0", "l0_reverse"];

impl Body for BiLstm {
    const ARCHITECTURE: &'static str = "bilstm";
    /// Two tiles of the recurrent product.
    const GROUP: usize = 12;

    type Tape = [Vec<Passage>; 2];

    fn recurrent(small: &Small<Self>) -> Option<Recurrent<'_>> {
        Some(Recurrent::of(small))
    }

    fn features(&self) -> usize {
        2 * self.directions[0].hidden()
    }

    fn forward(&self, points: &[&[f32]]) -> (Self::Tape, Vec<f32>) {
        let [(onward, onward_means), (back, back_means)] =
            [self.directions[0].forward(points), self.directions[1].forward(points)];
        let hidden = self.directions[0].hidden();
        let rows = onward_means.chunks_exact(hidden).zip(back_means.chunks_exact(hidden));
        ([onward, back], rows.flat_map(|(onward, back)| [onward, back].concat()).collect())
    }

    fn backward(
        &self,
        tape: &Self::Tape,
        of: &[usize],
        features: &[f32],
        lengths: &[usize],
        mut training: Option<Training<'_>>,
    ) -> Vec<Vec<f32>> {
        let mut inputs: Vec<Vec<f32>> = lengths.iter().map(|length| vec![0.0; *length]).collect();
        let hidden = self.directions[0].hidden();
        for (place, (lstm, passages)) in self.directions.iter().zip(tape).enumerate() {
            let passages: Vec<&Passage> = of.iter().map(|text| &passages[*text]).collect();
            let means: Vec<f32> =
                features.chunks_exact(2 * hidden).flat_map(|both| &both[place * hidden..][..hidden]).copied().collect();
            let gates = lstm.backward(&passages, &means);
            for (at, gates) in gates.iter().enumerate() {
                lstm.backward_inputs(
                    gates,
                    &mut inputs[at],
                    if place == 0 { Accumulate::Overwrite } else { Accumulate::Add },
                );
                if let Some(Training { points, gradients }) = &mut training
                    && let [input, recurrent, bias] = &mut gradients[3 * place..][..3]
                {
                    lstm.backward_weights(points[of[at]], passages[at], gates, [input, recurrent, bias]);
                }
            }
        }
        inputs
    }

    fn weight_lengths(&self) -> Vec<usize> {
        self.directions.iter().flat_map(|lstm| [lstm.input.len(), lstm.recurrent.len(), lstm.bias.len()]).collect()
    }

    fn weights_mut(&mut self) -> Vec<&mut Vec<f32>> {
        let lists = self.directions.iter_mut().flat_map(|lstm| [&mut lstm.input, &mut lstm.recurrent, &mut lstm.bias]);
        lists.collect()
    }

    fn refresh(&mut self) {
        self.directions.iter_mut().for_each(Lstm::refresh);
    }

    fn load(weights: &Weights, width: usize) -> Result<Self> {
        Self::read(weights, width)
    }

    fn tensors(&self) -> Vec<(String, Vec<usize>, Vec<f32>)> {
        self.named()
    }
}

impl BiLstm {
    /// Two directions that start at random.
    pub(crate) fn random(width: usize, hidden: usize, random: &mut Random) -> Self {
        let directions = [false, true].map(|reversed| {
            let mut weights = |columns: usize| random.fan_in(4 * hidden * columns, hidden);
            let (input, recurrent, bias) = (weights(width), weights(hidden), weights(1));
            Lstm::new(reversed, width, input, recurrent, bias)
        });
        Self { directions }
    }

    pub(super) fn read(weights: &Weights, width: usize) -> Result<Self> {
        // The file says how large the hidden state is; everything else must fit.
        let hidden = match weights.shape("lstm.weight_hh_l0") {
            Some(&[_, hidden]) if hidden > 0 => hidden,
            _ => 128,
        };
        let direction = |reversed: bool| -> Result<Lstm> {
            let ending = ENDINGS[usize::from(reversed)];
            let get = |part: &str, shape: &[usize]| weights.get(&format!("lstm.{part}_{ending}"), shape);
            let input = get("weight_ih", &[4 * hidden, width])?;
            let recurrent = get("weight_hh", &[4 * hidden, hidden])?;
            // Two biases that are only ever added are one.
            let biases = get("bias_ih", &[4 * hidden])?.into_iter().zip(get("bias_hh", &[4 * hidden])?);
            Ok(Lstm::new(
                reversed,
                width,
                input,
                recurrent,
                biases.map(|(input, recurrent)| input + recurrent).collect(),
            ))
        };
        Ok(Self { directions: [direction(false)?, direction(true)?] })
    }

    /// The weights under their names in the file.
    pub(super) fn named(&self) -> Vec<(String, Vec<usize>, Vec<f32>)> {
        let tensors = self.directions.iter().zip(ENDINGS).flat_map(|(lstm, ending)| {
            let (rows, hidden) = (lstm.bias.len(), lstm.hidden());
            let name = |part: &str| format!("lstm.{part}_{ending}");
            [
                (name("weight_ih"), vec![rows, lstm.input.len() / rows], lstm.input.clone()),
                (name("weight_hh"), vec![rows, hidden], lstm.recurrent.clone()),
                (name("bias_ih"), vec![rows], lstm.bias.clone()),
                (name("bias_hh"), vec![rows], vec![0.0; rows]),
            ]
        });
        tensors.collect()
    }
}
