//! The inside of a torch model, by way of `fissure/torch.py`.

use std::sync::Arc;

use fissure_models::{
    Answer, Capabilities, Embedded, Error, Gradient, Input, Matrix, Model, Piece, PullBack, Result, WeightsFn, WhiteBox,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::door::Door;

/// A white box of Python.
#[derive(Debug)]
pub struct TorchModel {
    inner: Arc<Py<PyAny>>,
    capabilities: Capabilities,
    words: Vec<String>,
    padding: Option<Vec<f32>>,
    door: Door,
}

/// Tokens, where each comes from, the number of its word, rows, and whether the text was cut.
type Cut = (Vec<u32>, Vec<Option<(u8, usize, usize)>>, Vec<Option<u32>>, Vec<u8>, bool);

impl TorchModel {
    pub fn new(py: Python<'_>, inner: Py<PyAny>, labels: &[String], door: &Door) -> PyResult<Self> {
        let words = inner.call_method0(py, "words")?.extract(py)?;
        let padding: Option<Vec<u8>> = inner.call_method0(py, "pad_embedding")?.extract(py)?;
        let capabilities = Capabilities { labels: labels.to_vec(), probabilities: true, gradients: true };
        let padding = padding.map(|row| numbers(&row));
        Ok(Self { inner: Arc::new(inner), capabilities, words, padding, door: door.clone() })
    }

    /// Asks Python; its exception is kept, and comes back as itself.
    fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.inner);
        let asked = self.door.ask(move |py| work(inner.bind(py)));
        asked.map_err(|why| Error::Remote { place: "the model".into(), why })
    }
}

/// Points as Python takes them: tokens, and rows as bytes.
type Points = Vec<(Vec<u32>, Vec<u8>)>;

impl Model for TorchModel {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        let texts = texts(inputs);
        let logits: Vec<Vec<f32>> = self.ask(move |inner| inner.call_method1("logits", (texts,))?.extract())?;
        logits.iter().enumerate().map(|(input, logits)| answer(input, logits)).collect()
    }

    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        Some(self)
    }
}

impl WhiteBox for TorchModel {
    fn embed(&self, inputs: &[Input<'_>]) -> Result<Vec<Embedded>> {
        let texts = texts(inputs);
        let cut: Vec<Cut> = self.ask(move |inner| inner.call_method1("embed", (texts,))?.extract())?;
        let embedded = |(ids, places, words, rows, truncated): Cut| {
            let rows = numbers(&rows);
            let width = rows.len().checked_div(ids.len()).unwrap_or(1).max(1);
            let pieces = ids.into_iter().zip(places).zip(words).map(|((id, place), word)| Piece {
                id,
                source: place.map(|(which, start, end)| (which, start..end)),
                word,
            });
            Embedded { pieces: pieces.collect(), rows: Matrix::new(width, rows), truncated }
        };
        Ok(cut.into_iter().map(embedded).collect())
    }

    fn logits_at(&self, points: &[Embedded]) -> Result<Vec<Vec<f32>>> {
        let points = given(points);
        self.ask(move |inner| inner.call_method1("logits_at", (listed(inner.py(), points)?,))?.extract())
    }

    /// A batch at a time: a pass forward, and then passes backward that serve all texts of the batch at once.
    fn pull_back(&self, points: &[Embedded], ask: &WeightsFn<'_>) -> Result<Vec<PullBack>> {
        let sent = given(points);
        let passes: Py<PyAny> =
            self.ask(move |inner| Ok(inner.call_method1("passes", (listed(inner.py(), sent)?,))?.unbind()))?;
        let passes = Arc::new(passes);
        let mut found: Vec<PullBack> = Vec::with_capacity(points.len());
        while found.len() < points.len() {
            let next = Arc::clone(&passes);
            let (pass, logits): (Py<PyAny>, Vec<Vec<f32>>) = self.ask(move |inner| {
                let pass = next.bind(inner.py()).call_method0("__next__")?;
                let logits = pass.getattr("logits")?.extract()?;
                Ok((pass.unbind(), logits))
            })?;
            let first = found.len();
            let weights: Vec<Vec<Vec<f32>>> =
                logits.iter().enumerate().map(|(at, logits)| ask(first + at, logits)).collect();
            let pulled = self.pulled(pass, &weights, &logits)?;
            for ((logits, own), at) in logits.into_iter().zip(pulled).zip(first..) {
                let point = &points[at].rows;
                let gradient = |rows: Vec<f32>| Gradient::new(point.count(), Matrix::new(point.width, rows));
                found.push(PullBack { logits, gradients: own.into_iter().map(gradient).collect() });
            }
        }
        // The generator ends, and with it what it holds: frozen weights, no dropout.
        self.ask(move |inner| passes.bind(inner.py()).call_method0("close").map(|_| ()))?;
        Ok(found)
    }

    fn words(&self) -> Vec<String> {
        self.words.clone()
    }

    fn pad_embedding(&self) -> Option<&[f32]> {
        self.padding.as_deref()
    }
}

impl TorchModel {
    /// For each text of a pass the gradients that it wants, row by row.
    fn pulled(&self, pass: Py<PyAny>, weights: &[Vec<Vec<f32>>], logits: &[Vec<f32>]) -> Result<Vec<Vec<Vec<f32>>>> {
        let most = weights.iter().map(Vec::len).max().unwrap_or(0);
        // Whoever wants fewer gets a pass with nothing in it, which is thrown away.
        let wanted = |pull: usize| -> Vec<Vec<f32>> {
            let own = weights.iter().zip(logits);
            own.map(|(own, logits)| own.get(pull).cloned().unwrap_or_else(|| vec![0.0; logits.len()])).collect()
        };
        let wanted: Vec<Vec<Vec<f32>>> = (0..most).map(wanted).collect();
        let pulled: Vec<Vec<Vec<u8>>> = self.ask(move |inner| {
            let pass = pass.bind(inner.py());
            wanted.into_iter().map(|weights| pass.call_method1("pull", (weights,))?.extract()).collect()
        })?;
        let of = |at: usize| (0..weights[at].len()).map(|pull| numbers(&pulled[pull][at])).collect();
        Ok((0..weights.len()).map(of).collect())
    }
}

fn texts(inputs: &[Input<'_>]) -> Vec<(String, Option<String>)> {
    inputs.iter().map(|input| (input.text.to_owned(), input.pair.map(str::to_owned))).collect()
}

fn given(points: &[Embedded]) -> Points {
    let one = |point: &Embedded| {
        let ids = point.pieces.iter().map(|piece| piece.id).collect();
        (ids, point.rows.values.iter().flat_map(|value| value.to_ne_bytes()).collect())
    };
    points.iter().map(one).collect()
}

fn listed(py: Python<'_>, points: Points) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for (ids, rows) in points {
        list.append((ids, PyBytes::new(py, &rows)))?;
    }
    Ok(list)
}

/// Numbers of 32 bits, as torch holds them.
fn numbers(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_ne_bytes([four[0], four[1], four[2], four[3]])).collect()
}

/// The class with the highest logit, and the logarithms of all probabilities.
fn answer(input: usize, logits: &[f32]) -> Result<Answer> {
    if let Some(class) = logits.iter().position(|logit| !logit.is_finite()) {
        return Err(Error::Logit { input, class, value: logits[class] });
    }
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - highest).exp()).sum();
    let log_probs = logits.iter().map(|logit| (f64::from(logit - highest) - sum.ln()) as f32).collect();
    let predicted = (1..logits.len()).fold(0, |best, class| if logits[class] > logits[best] { class } else { best });
    Ok(Answer { predicted, log_probs: Some(log_probs), truncated: false })
}
