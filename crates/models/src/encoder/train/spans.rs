//! Fine-tuning a reader: where the answer to a question starts and ends in a passage.

use std::ops::Range;
use std::path::Path;

use super::step::Text;
use super::{FineTuneOptions, FineTuned, Headed, learn, random_linear};
use crate::encoder::head::SpanHead;
use crate::encoder::span::SpanFinder;
use crate::train::start::{Split, split_sources};
use crate::train::{HeldOut, Progress};
use crate::{Embedded, Error, Input, Piece, Result};

/// A question about a passage, with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub question: String,
    pub context: String,
    /// The bytes of the passage that answer the question; `None` if nothing does.
    pub answer: Option<Range<usize>>,
    /// Readings of one source are never split between training and held-out examples.
    pub source: Option<String>,
}

/// Trains a reader that starts from the encoder in a Hugging Face directory; where that holds a reader, its head is
/// trained on. Questions without an answer, and those whose answer lies behind what is read, teach that there is none.
pub fn fine_tune_reader(
    directory: &Path,
    readings: &[Reading],
    options: &FineTuneOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<FineTuned<SpanFinder>> {
    options.check()?;
    for (example, reading) in readings.iter().enumerate() {
        if reading.answer.as_ref().is_some_and(|answer| reading.context.get(answer.clone()).is_none_or(str::is_empty)) {
            return Err(Error::BadAnswer { example });
        }
    }
    let split =
        split_sources(readings.iter().map(|reading| reading.source.as_deref()), options.validation, options.seed)?;
    let held_out = baseline(readings, &split);
    let mut model = Headed::open(directory, options, |reader, network| {
        let known =
            reader.require("ForQuestionAnswering").and_then(|()| reader.head_linear("qa_outputs", 2, network.width));
        Ok(SpanHead(known.unwrap_or_else(|_| random_linear(2, network.width, options.seed))))
    })?;
    let Split { training, validation } = split;
    let [training, validation] = [training, validation].map(|indices| read(&model, readings, &indices));
    let (epochs, best_epoch) = learn(&mut model, &training?, &validation?, options, progress)?;
    let Headed { encoder, head } = model.finish()?;
    Ok(FineTuned { model: SpanFinder { encoder, head }, epochs, best_epoch, held_out })
}

/// What always answering "no answer" gets right of the readings held out; its label is number 0.
fn baseline(readings: &[Reading], split: &Split) -> Option<HeldOut> {
    let examples = split.validation.len();
    let right = split.validation.iter().filter(|at| readings[**at].answer.is_none()).count();
    (examples > 0).then(|| HeldOut { examples, most_frequent: 0, accuracy: right as f64 / examples as f64 })
}

fn read(model: &Headed<SpanHead>, readings: &[Reading], indices: &[usize]) -> Result<Vec<Text<[usize; 2]>>> {
    let input = |at: &usize| Input { text: &readings[*at].question, pair: Some(&readings[*at].context) };
    let points = model.encoder.embed(&indices.iter().map(input).collect::<Vec<_>>())?.into_iter().zip(indices);
    let text = |(point, at): (Embedded, &usize)| {
        let target = readings[*at].answer.as_ref().and_then(|answer| rows_of_answer(&point.pieces, answer));
        Text { point, target: target.unwrap_or([0, 0]) }
    };
    Ok(points.map(text).collect())
}

/// The first and the last piece of an answer; `None` if not all of it is read.
fn rows_of_answer(pieces: &[Piece], answer: &Range<usize>) -> Option<[usize; 2]> {
    let bytes = |piece: &Piece| match &piece.source {
        Some((1, bytes)) => Some(bytes.clone()),
        _ => None,
    };
    let touches =
        |piece: &Piece| bytes(piece).is_some_and(|bytes| bytes.start < answer.end && answer.start < bytes.end);
    let (first, last) = (pieces.iter().position(touches)?, pieces.iter().rposition(touches)?);
    let whole = bytes(&pieces[last]).is_some_and(|bytes| bytes.end >= answer.end);
    whole.then_some([first, last])
}
