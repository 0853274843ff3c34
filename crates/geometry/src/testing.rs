//! Small exact models for the tests of this crate.

use fissure_models::{
    Answer, Capabilities, Embedded, Gradient, Input, Matrix, Model, Piece, PullBack, Result, WeightsFn, WhiteBox,
};

use crate::confidence::argmax;

/// z = W (sum of the rows) + b. Its words are the letters a, b, c, ...: letter k has row k of `table`.
#[derive(Debug)]
pub struct Linear {
    capabilities: Capabilities,
    width: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
    table: Vec<Vec<f32>>,
    names: Vec<String>,
}

impl Linear {
    pub fn new(width: usize, weights: Vec<f32>, bias: Vec<f32>) -> Self {
        let labels = (0..bias.len()).map(|class| class.to_string()).collect();
        let capabilities = Capabilities { labels, probabilities: true, gradients: true };
        Self { capabilities, width, weights, bias, table: Vec::new(), names: Vec::new() }
    }

    pub fn with_words(mut self, table: Vec<Vec<f32>>) -> Self {
        self.names = (0..table.len()).map(|at| char::from(b'a' + at as u8).to_string()).collect();
        self.table = table;
        self
    }

    fn logits(&self, rows: &Matrix) -> Vec<f32> {
        let mut sum = vec![0f32; self.width];
        for row in rows.values.chunks_exact(self.width) {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        let row = |class: usize| {
            self.weights[class * self.width..][..self.width].iter().zip(&sum).map(|(w, x)| w * x).sum::<f32>()
        };
        (0..self.bias.len()).map(|class| row(class) + self.bias[class]).collect()
    }
}

/// A point without words.
pub fn embedded(width: usize, values: &[f32]) -> Embedded {
    let rows = Matrix::new(width, values.to_vec());
    let pieces = (0..rows.count()).map(|_| Piece { id: 0, source: None, word: None }).collect();
    Embedded { pieces, rows, truncated: false }
}

impl Model for Linear {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        let logits = self.logits_at(&self.embed(inputs)?)?;
        Ok(logits.iter().map(|z| Answer { predicted: argmax(z), log_probs: None, truncated: false }).collect())
    }

    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        Some(self)
    }
}

impl WhiteBox for Linear {
    fn embed(&self, inputs: &[Input<'_>]) -> Result<Vec<Embedded>> {
        let one = |input: &Input<'_>| {
            let (mut pieces, mut values) = (Vec::new(), Vec::new());
            for (field, text) in [Some(input.text), input.pair].into_iter().flatten().enumerate() {
                for (at, letter) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_lowercase()) {
                    let id = usize::from(letter - b'a');
                    let word = Some(pieces.len() as u32);
                    pieces.push(Piece { id: id as u32, source: Some((field as u8, at..at + 1)), word });
                    values.extend(self.table.get(id).cloned().unwrap_or_else(|| vec![0.0; self.width]));
                }
            }
            Embedded { pieces, rows: Matrix { width: self.width, values }, truncated: false }
        };
        Ok(inputs.iter().map(one).collect())
    }

    fn logits_at(&self, points: &[Embedded]) -> Result<Vec<Vec<f32>>> {
        Ok(points.iter().map(|point| self.logits(&point.rows)).collect())
    }

    fn pull_back(&self, points: &[Embedded], ask: &WeightsFn<'_>) -> Result<Vec<PullBack>> {
        let one = |(at, point): (usize, &Embedded)| {
            let logits = self.logits(&point.rows);
            let gradient = |w: Vec<f32>| {
                let column =
                    |k: usize| w.iter().enumerate().map(|(c, w)| w * self.weights[c * self.width + k]).sum::<f32>();
                let row: Vec<f32> = (0..self.width).map(column).collect();
                Gradient::new(point.rows.count(), Matrix::new(self.width, row))
            };
            let gradients = ask(at, &logits).into_iter().map(gradient).collect();
            PullBack { logits, gradients }
        };
        Ok(points.iter().enumerate().map(one).collect())
    }

    fn words(&self) -> Vec<String> {
        self.names.clone()
    }
}
