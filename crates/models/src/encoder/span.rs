//! Questions about a text, answered by a span of it.

use std::ops::Range;
use std::path::Path;

use super::Encoder;
use super::head::SpanHead;
use super::layout::Reach;
use super::network::{Keep, Trace};
use crate::kernels::log_softmax;
use crate::{Input, Piece, Result};

/// The most pieces an answer has.
const LONGEST_ANSWER: usize = 30;

/// An encoder with a head that marks where an answer starts and ends (`...ForQuestionAnswering`).
#[derive(Debug)]
pub struct SpanFinder {
    pub(super) encoder: Encoder,
    pub(super) head: SpanHead,
}

/// The best answer in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSpan {
    /// The bytes of the context that answer the question; empty if the context has no pieces.
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
            reader.head_linear("qa_outputs", 2, network.width).map(SpanHead)
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
            let rows = |text: usize| &trace.hidden[layout.numbers(text, self.encoder.network.width)];
            let one = |text: usize| {
                let point = &points[texts.start + text];
                FoundSpan { truncated: point.truncated, ..self.best(&point.pieces, &self.head.logits(rows(text))) }
            };
            Ok((0..layout.texts()).map(one).collect())
        };
        self.encoder.over_batches(&points, Reach::All, Keep::Nothing, find)
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
