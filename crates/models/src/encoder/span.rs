//! Questions about a text, answered by a span of it.

use std::ops::Range;
use std::path::Path;

use super::Encoder;
use super::layout::Reach;
use super::linear::Linear;
use super::network::{Keep, Trace};
use crate::kernels::log_softmax;
use crate::{Input, Piece, Result};

/// The most pieces an answer has.
const LONGEST_ANSWER: usize = 30;

/// An encoder with a head that marks where an answer starts and ends (`...ForQuestionAnswering`).
#[derive(Debug)]
pub struct SpanFinder {
    encoder: Encoder,
    head: Linear,
}

/// The best answer in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSpan {
    /// The bytes of the context that answer the question; empty where the context has no pieces.
    pub bytes: Range<usize>,
    /// The logarithm of the probability of this start and this end.
    pub log_prob: f32,
    /// The same for "no answer here": start and end at the first mark.
    pub no_answer: f32,
    /// Whether question and context together were longer than the model reads.
    pub truncated: bool,
}

impl SpanFinder {
    pub fn open(directory: &Path) -> Result<Self> {
        let (encoder, head) = Encoder::open(directory, |reader, network| {
            reader.require("ForQuestionAnswering")?;
            reader.head_linear("qa_outputs", 2, network.width)
        })?;
        Ok(Self { encoder, head })
    }

    /// Reads at most `limit` pieces of question and context together.
    pub fn with_max_length(mut self, limit: usize) -> Result<Self> {
        self.encoder.set_max_length(limit)?;
        Ok(self)
    }

    /// For each (question, context), the best span of the context.
    pub fn find(&self, questions: &[(&str, &str)]) -> Result<Vec<FoundSpan>> {
        let input = |&(question, context)| Input { text: question, pair: Some(context) };
        let inputs: Vec<Input<'_>> = questions.iter().map(input).collect();
        let points = self.encoder.embed(&inputs)?;
        let find = |texts: Range<usize>, trace: &Trace| {
            let layout = &trace.batch.layout;
            let one = |text: usize| {
                let point = &points[texts.start + text];
                FoundSpan { truncated: point.truncated, ..self.best(&point.pieces, &self.logits(trace, text)) }
            };
            Ok((0..layout.texts()).map(one).collect())
        };
        self.encoder.over_batches(&points, Reach::All, Keep::Nothing, find)
    }

    /// The scores of every row of a text as start and as end.
    fn logits(&self, trace: &Trace, text: usize) -> [Vec<f32>; 2] {
        let width = self.encoder.network.width;
        let rows = trace.batch.layout.text(text);
        let mut logits = [Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len())];
        for row in trace.hidden[rows.start * width..rows.end * width].chunks_exact(width) {
            let mut two = [0.0; 2];
            self.head.forward_row(row, &mut two);
            logits[0].push(two[0]);
            logits[1].push(two[1]);
        }
        logits
    }

    fn best(&self, pieces: &[Piece], logits: &[Vec<f32>; 2]) -> FoundSpan {
        let [starts, ends] = [log_softmax(&logits[0]), log_softmax(&logits[1])];
        let no_answer = starts[0] + ends[0];
        let bytes = |at: usize| match &pieces[at].source {
            Some((1, bytes)) => Some(bytes.clone()),
            _ => None,
        };
        let mut best = FoundSpan { bytes: 0..0, log_prob: f32::NEG_INFINITY, no_answer, truncated: false };
        for (start, start_score) in starts.iter().enumerate() {
            let Some(first) = bytes(start) else { continue };
            for (end, end_score) in ends.iter().enumerate().skip(start).take(LONGEST_ANSWER) {
                let Some(last) = bytes(end) else { break };
                let log_prob = start_score + end_score;
                if log_prob > best.log_prob {
                    best = FoundSpan { bytes: first.start..last.end.max(first.start), log_prob, ..best };
                }
            }
        }
        best
    }
}
