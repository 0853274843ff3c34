//! Classification of whole texts, or of pairs.

use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use super::Encoder;
use super::head::{ClassHead, Kept};
use super::network::{Keep, Trace};
use crate::kernels::log_softmax;
use crate::model::check_logits;
use crate::small::best;
use crate::weights::Config;
use crate::{
    Answer, Capabilities, Embedded, Error, Gradient, Input, Matrix, Model, PullBack, Result, WeightsFn, WhiteBox,
};

/// Rows that run backward together at most, unless one text alone has more.
const MOST_ROWS_BACKWARD: usize = 256;

/// An encoder with a classification head.
#[derive(Debug)]
pub struct Classifier {
    pub(crate) encoder: Encoder,
    pub(crate) head: ClassHead,
    pub(crate) capabilities: Capabilities,
}

impl Classifier {
    /// Reads a Hugging Face directory of a `...ForSequenceClassification` model.
    pub fn open(directory: &Path) -> Result<Self> {
        let (encoder, (head, labels)) = Encoder::open(directory, |reader, network| {
            reader.require("ForSequenceClassification")?;
            let head = reader.class_head(network.width)?;
            let labels = labels(reader.config, head.classifier.outputs())?;
            Ok((head, labels))
        })?;
        Ok(Self { encoder, head, capabilities: Capabilities { labels, probabilities: true, gradients: true } })
    }

    /// Reads at most `limit` pieces of a text, `[CLS]` and `[SEP]` among them.
    pub fn with_max_length(mut self, limit: usize) -> Result<Self> {
        self.encoder.set_max_length(limit)?;
        Ok(self)
    }

    /// The most pieces of a text that are read.
    pub fn max_length(&self) -> usize {
        self.encoder.tokens.limit()
    }

    /// The scores of every text of a batch.
    pub(crate) fn scores(&self, trace: &Trace) -> Vec<Kept> {
        let rows = self.head.pooling.reach().layout(&trace.batch.layout);
        let of_text = |text: usize| &trace.hidden[rows.numbers(text, self.encoder.network.width)];
        (0..rows.texts()).map(|text| self.head.forward(&self.head.pooled(of_text(text)), None)).collect()
    }

    /// All gradients that `ask` wants of one batch.
    fn gradients(&self, points: &Range<usize>, trace: &Trace, ask: &WeightsFn<'_>) -> Result<Vec<PullBack>> {
        let layout = &trace.batch.layout;
        let scores = self.scores(trace);
        let mut wanted: Vec<(usize, Vec<f32>)> = Vec::new();
        for (text, kept) in scores.iter().enumerate() {
            let (point, expected) = (points.start + text, kept.logits.len());
            for weights in ask(point, &kept.logits) {
                if weights.len() != expected {
                    return Err(Error::WrongWeights { point, expected, found: weights.len() });
                }
                wanted.push((text, weights));
            }
        }
        let pull_back = |kept: &Kept| PullBack { logits: kept.logits.clone(), gradients: Vec::new() };
        let mut found: Vec<PullBack> = scores.iter().map(pull_back).collect();
        let mut wanted = wanted.as_slice();
        while let Some((first, _)) = wanted.first() {
            let mut rows = layout.length(*first);
            let fits = |(text, _): &&(usize, Vec<f32>)| {
                rows += layout.length(*text);
                rows <= MOST_ROWS_BACKWARD
            };
            let together = 1 + wanted[1..].iter().take_while(fits).count();
            let (now, later) = wanted.split_at(together);
            self.pull_together(trace, &scores, now, &mut found);
            wanted = later;
        }
        Ok(found)
    }

    /// One backward pass for several (text, weight vector) pairs side by side.
    fn pull_together(&self, trace: &Trace, scores: &[Kept], wanted: &[(usize, Vec<f32>)], found: &mut [PullBack]) {
        let (layout, network) = (&trace.batch.layout, &self.encoder.network);
        let picks: Vec<usize> = wanted.iter().map(|(text, _)| *text).collect();
        let (reach, picked) = (self.head.pooling.reach(), layout.pick(&picks));
        let mut d = vec![0.0; reach.rows(&picked) * network.width];
        let rows = reach.layout(&picked);
        for (at, (text, weights)) in wanted.iter().enumerate() {
            let d_rows = &mut d[rows.numbers(at, network.width)];
            self.head.backward_rows(weights, &scores[*text], None, None, d_rows);
        }
        let absences = network.backward(trace, &picks, &mut d);
        let width = network.embeddings.width();
        for (at, text) in picks.into_iter().enumerate() {
            let rows = Matrix::new(width, d[picked.numbers(at, width)].to_vec());
            let gradient = Gradient::new(layout.length(text), rows).with_absences(absences[picked.text(at)].to_vec());
            found[text].gradients.push(gradient);
        }
    }
}

impl Model for Classifier {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        let points = self.embed(inputs)?;
        let logits = self.logits_at(&points)?;
        let answer = |(input, (logits, point)): (usize, (Vec<f32>, &Embedded))| {
            check_logits(input, &logits)?;
            let log_probs = log_softmax(&logits);
            Ok(Answer { predicted: best(&logits), log_probs: Some(log_probs), truncated: point.truncated })
        };
        logits.into_iter().zip(&points).enumerate().map(answer).collect()
    }

    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        Some(self)
    }
}

impl WhiteBox for Classifier {
    fn embed(&self, inputs: &[Input<'_>]) -> Result<Vec<Embedded>> {
        self.encoder.embed(inputs)
    }

    fn logits_at(&self, points: &[Embedded]) -> Result<Vec<Vec<f32>>> {
        let logits = |_, trace: &Trace| Ok(self.scores(trace).into_iter().map(|kept| kept.logits).collect());
        self.encoder.over_batches(points, self.head.pooling.reach(), Keep::Nothing, logits)
    }

    fn pull_back(&self, points: &[Embedded], ask: &WeightsFn<'_>) -> Result<Vec<PullBack>> {
        let gradients = |points: Range<usize>, trace: &Trace| self.gradients(&points, trace, ask);
        self.encoder.over_batches(points, self.head.pooling.reach(), Keep::ForInputs, gradients)
    }

    fn words(&self) -> Vec<String> {
        self.encoder.tokens.words().to_vec()
    }

    fn pad_embedding(&self) -> Option<&[f32]> {
        let (id, width) = (self.encoder.tokens.padding()?, self.encoder.network.embeddings.width());
        self.encoder.network.embeddings.word.get(id as usize * width..(id as usize + 1) * width)
    }
}

/// The names of the classes: `id2label` in order, or `LABEL_0` and so on if there is none.
pub(crate) fn labels(config: &Config, classes: usize) -> Result<Vec<String>> {
    let kind = config.get("problem_type").and_then(Value::as_str);
    if kind.is_some_and(|kind| kind != "single_label_classification") {
        return Err(config.bad("problem_type", "\"single_label_classification\": one label a text"));
    }
    let Some(found) = config.get("id2label") else {
        return Ok((0..classes).map(|class| format!("LABEL_{class}")).collect());
    };
    let names = (0..classes).map(|class| found.get(class.to_string()).and_then(Value::as_str).map(str::to_owned));
    let names = names
        .collect::<Option<Vec<String>>>()
        .filter(|names| Some(names.len()) == found.as_object().map(|all| all.len()));
    let wrong =
        || config.bad("id2label", format!("an object with a name for each of the {classes} classes of the weights"));
    let names = names.ok_or_else(wrong)?;
    if names.len() < 2 {
        return Err(config.bad("id2label", "at least two classes (a regression has none)"));
    }
    Ok(names)
}
