//! A two-layer network over the mean of a point's rows: the network of the papers' Gaussian toy, in double precision.

use fissure_core::Dice;
use fissure_models::{
    Answer, Capabilities, Embedded, Gradient, Input, Matrix, Model, Piece, PullBack, WeightsFn, WhiteBox,
};

use crate::confidence::argmax;

/// z = V tanh(W mean(rows) + b) + a. Its texts are numbers with spaces between them ("0.5 -1.25"): one row.
#[derive(Debug, Clone)]
pub struct Network {
    capabilities: Capabilities,
    inputs: usize,
    /// W and V row by row, then b and a.
    pub(crate) first: Vec<f64>,
    pub(crate) first_bias: Vec<f64>,
    pub(crate) second: Vec<f64>,
    pub(crate) second_bias: Vec<f64>,
}

/// The values of the layers at one point.
pub(crate) struct Pass {
    pub mean: Vec<f64>,
    pub hidden: Vec<f64>,
    pub logits: Vec<f64>,
}

impl Network {
    /// Weights drawn evenly from [-1/sqrt(n), 1/sqrt(n)], n the number of inputs of a layer.
    pub fn random(inputs: usize, hidden: usize, classes: usize, seed: u64) -> Self {
        let mut dice = Dice::new(seed, &["network"]);
        let mut draw = |count: usize, inputs: usize| -> Vec<f64> {
            let reach = 1.0 / (inputs.max(1) as f64).sqrt();
            (0..count).map(|_| reach * (2.0 * dice.unit() - 1.0)).collect()
        };
        Self {
            inputs,
            first: draw(hidden * inputs, inputs),
            first_bias: draw(hidden, inputs),
            second: draw(classes * hidden, hidden),
            second_bias: draw(classes, hidden),
            capabilities: Capabilities {
                labels: (0..classes).map(|class| class.to_string()).collect(),
                probabilities: true,
                gradients: true,
            },
        }
    }

    /// A point of one row.
    pub fn point(&self, x: &[f64]) -> Embedded {
        let piece = Piece { id: 0, source: None, word: None };
        let rows = Matrix::new(self.inputs, x.iter().map(|&value| value as f32).collect());
        Embedded { pieces: vec![piece], rows, truncated: false }
    }

    pub(crate) fn forward(&self, rows: &Matrix) -> Pass {
        let count = rows.count().max(1) as f64;
        let mut mean = vec![0.0; self.inputs];
        for row in rows.values.chunks_exact(self.inputs) {
            mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += f64::from(*value) / count);
        }
        let hidden: Vec<f64> =
            affine(&self.first, &self.first_bias, &mean).into_iter().map(|value| value.tanh()).collect();
        let logits = affine(&self.second, &self.second_bias, &hidden);
        Pass { mean, hidden, logits }
    }

    /// The gradient of sum_c w_c z_c before the tanh, from which all others follow.
    pub(crate) fn backward(&self, pass: &Pass, weights: &[f64]) -> Vec<f64> {
        let width = pass.hidden.len();
        let slope = |at: usize| 1.0 - pass.hidden[at] * pass.hidden[at];
        (0..width)
            .map(|at| slope(at) * weights.iter().enumerate().map(|(c, w)| w * self.second[c * width + at]).sum::<f64>())
            .collect()
    }

    fn input_gradient(&self, rows: &Matrix, pass: &Pass, weights: &[f32]) -> Gradient {
        let weights: Vec<f64> = weights.iter().map(|&w| f64::from(w)).collect();
        let inner = self.backward(pass, &weights);
        let count = rows.count();
        let column =
            |at: usize| inner.iter().enumerate().map(|(h, g)| g * self.first[h * self.inputs + at]).sum::<f64>();
        let one: Vec<f32> = (0..self.inputs).map(|at| (column(at) / count.max(1) as f64) as f32).collect();
        Gradient::new(count, Matrix::new(self.inputs, one))
    }
}

fn affine(matrix: &[f64], bias: &[f64], x: &[f64]) -> Vec<f64> {
    let row = |at: usize| matrix[at * x.len()..][..x.len()].iter().zip(x).map(|(m, v)| m * v).sum::<f64>();
    bias.iter().enumerate().map(|(at, b)| b + row(at)).collect()
}

impl Model for Network {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn answer(&self, inputs: &[Input<'_>]) -> fissure_models::Result<Vec<Answer>> {
        let logits = self.logits_at(&self.embed(inputs)?)?;
        Ok(logits
            .iter()
            .map(|z| {
                let largest = z.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let log_sum = largest + z.iter().map(|v| (v - largest).exp()).sum::<f32>().ln();
                let log_probs = Some(z.iter().map(|v| v - log_sum).collect());
                Answer { predicted: argmax(z), log_probs, truncated: false }
            })
            .collect())
    }

    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        Some(self)
    }
}

impl WhiteBox for Network {
    /// Numbers that are missing or unreadable count as 0.
    fn embed(&self, inputs: &[Input<'_>]) -> fissure_models::Result<Vec<Embedded>> {
        Ok(inputs
            .iter()
            .map(|input| {
                let mut numbers = input.text.split_whitespace().map(|word| word.parse().unwrap_or(0.0));
                let x: Vec<f64> = (0..self.inputs).map(|_| numbers.next().unwrap_or(0.0)).collect();
                self.point(&x)
            })
            .collect())
    }

    fn logits_at(&self, points: &[Embedded]) -> fissure_models::Result<Vec<Vec<f32>>> {
        let logits = |point: &Embedded| self.forward(&point.rows).logits.iter().map(|&z| z as f32).collect();
        Ok(points.iter().map(logits).collect())
    }

    fn pull_back(&self, points: &[Embedded], ask: &WeightsFn<'_>) -> fissure_models::Result<Vec<PullBack>> {
        let one = |(at, point): (usize, &Embedded)| {
            let pass = self.forward(&point.rows);
            let logits: Vec<f32> = pass.logits.iter().map(|&z| z as f32).collect();
            let gradients = ask(at, &logits).iter().map(|w| self.input_gradient(&point.rows, &pass, w)).collect();
            PullBack { logits, gradients }
        };
        Ok(points.iter().enumerate().map(one).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_the_slope() {
        let network = Network::random(3, 5, 4, 1);
        let point = Embedded { rows: Matrix::new(3, vec![0.3, -0.2, 0.9, 0.1, 0.4, -0.5]), ..network.point(&[0.0; 3]) };
        let weights = [1.0, -0.5, 0.25, 2.0];
        let pulled = network.pull_back(std::slice::from_ref(&point), &|_, _| vec![weights.to_vec()]).unwrap();
        let gradient = pulled[0].gradients[0].to_rows();
        let value = |rows: &Matrix| -> f64 {
            network.forward(rows).logits.iter().zip(weights).map(|(z, w)| z * f64::from(w)).sum()
        };
        for at in 0..6 {
            let (mut up, mut down) = (point.rows.clone(), point.rows.clone());
            up.values[at] += 1e-3;
            down.values[at] -= 1e-3;
            let step = f64::from(up.values[at]) - f64::from(down.values[at]);
            let slope = (value(&up) - value(&down)) / step;
            assert!((slope - f64::from(gradient.values[at])).abs() < 1e-6, "{at}: {slope}");
        }
    }

    #[test]
    fn a_text_is_a_list_of_numbers() {
        let network = Network::random(2, 3, 2, 0);
        let embedded = network.embed(&["0.5 -1.25".into(), "what".into()]).unwrap();
        assert_eq!(embedded[0].rows.values, [0.5, -1.25]);
        assert_eq!(embedded[1].rows.values, [0.0, 0.0]);
    }
}
