//! cnn (Kim 2014): convolutions of several spans over the words, the maximum over time of each filter, relu.

use super::{Body, Small, Training, Windows};
use crate::Result;
use crate::layers::{Convolution, Peaks};
use crate::train::certified::{Others, Pull};
use crate::weights::Weights;

/// The convolutions, usually of spans 3, 4 and 5 with 100 filters each.
#[derive(Debug, Clone)]
pub(crate) struct Cnn {
    pub(crate) convolutions: Vec<Convolution>,
}

impl Body for Cnn {
    const ARCHITECTURE: &'static str = "cnn";
    const GROUP: usize = 8;

    /// For each text, the peaks of each convolution.
    type Tape = Vec<Vec<Peaks>>;

    fn windows(small: &Small<Self>) -> Option<Windows<'_>> {
        Some(Windows::of(small))
    }

    fn features(&self) -> usize {
        self.convolutions.iter().map(Convolution::filters).sum()
    }

    fn fewest_rows(&self) -> usize {
        self.convolutions.iter().map(|convolution| convolution.span).fold(5, usize::max)
    }

    fn forward(&self, points: &[&[f32]]) -> (Self::Tape, Vec<f32>) {
        let wide = self.features();
        let mut features = vec![0.0; points.len() * wide];
        let mut windows = Vec::new();
        let texts = points.iter().zip(features.chunks_exact_mut(wide));
        let tape = texts.map(|(x, mut features)| {
            let one = |convolution: &Convolution| {
                let out = features.split_off_mut(..convolution.filters()).unwrap_or_default();
                convolution.forward(x, &mut windows, out)
            };
            self.convolutions.iter().map(one).collect()
        });
        (tape.collect(), features)
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
        for ((text, mut features), inputs) in of.iter().zip(features.chunks_exact(self.features())).zip(&mut inputs) {
            for (place, (convolution, peaks)) in self.convolutions.iter().zip(&tape[*text]).enumerate() {
                let gradient = features.split_off(..convolution.filters()).unwrap_or_default();
                convolution.backward(peaks, gradient, inputs);
                if let Some(Training { points, gradients }) = &mut training
                    && let [weight, bias] = &mut gradients[2 * place..][..2]
                {
                    convolution.backward_weights(points[*text], peaks, gradient, weight, bias);
                }
            }
        }
        inputs
    }

    fn worst(
        model: &Small<Self>,
        ids: &[u32],
        others: &Others,
        label: usize,
        share: f32,
        pull: &mut Pull<'_>,
    ) -> Option<f64> {
        Some(super::worst_cnn::worst(model, ids, others, label, share, pull))
    }

    fn weight_lengths(&self) -> Vec<usize> {
        self.convolutions.iter().flat_map(|convolution| [convolution.weight.len(), convolution.bias.len()]).collect()
    }

    fn weights_mut(&mut self) -> Vec<&mut Vec<f32>> {
        self.convolutions.iter_mut().flat_map(|convolution| [&mut convolution.weight, &mut convolution.bias]).collect()
    }

    fn load(weights: &Weights, width: usize) -> Result<Self> {
        let mut convolutions = Vec::new();
        loop {
            let name = format!("convs.{}.weight", convolutions.len());
            match (weights.shape(&name), convolutions.is_empty()) {
                (None, false) => return Ok(Self { convolutions }),
                // The file says how many filters there are, and how far they look; everything else must fit.
                (Some(&[filters, _, span]), _) if filters > 0 && span > 0 => {
                    let stored = weights.get(&name, &[filters, width, span])?;
                    let bias = weights.get(&format!("convs.{}.bias", convolutions.len()), &[filters])?;
                    let weight = turned(&stored, filters, width, span);
                    convolutions.push(Convolution { span, width, weight, bias });
                }
                // Asked for in the usual shape, a tensor that is missing or has another form is named by the error.
                _ => weights.get(&name, &[100, width, 3]).map(|_| ())?,
            }
        }
    }

    fn tensors(&self) -> Vec<(String, Vec<usize>, Vec<f32>)> {
        let tensors =
            self.convolutions.iter().enumerate().flat_map(|(place, Convolution { span, width, weight, bias })| {
                let filters = bias.len();
                let weight = turned(weight, filters, *span, *width);
                [
                    (format!("convs.{place}.weight"), vec![filters, *width, *span], weight),
                    (format!("convs.{place}.bias"), vec![filters], bias.clone()),
                ]
            });
        tensors.collect()
    }
}

/// `[filters][rows][columns]` to `[filters][columns][rows]`: files keep a filter by channel, we by word.
fn turned(weight: &[f32], filters: usize, rows: usize, columns: usize) -> Vec<f32> {
    let number = |i: usize| {
        let (filter, place) = (i / (rows * columns), i % (rows * columns));
        weight[filter * rows * columns + place % rows * columns + place / rows]
    };
    (0..filters * rows * columns).map(number).collect()
}
