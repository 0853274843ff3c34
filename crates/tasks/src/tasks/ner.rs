//! Names in a text.

use fissure_core::Column;
use fissure_core::layer::TOKEN;
use serde_json::Value;

use crate::outgoing::Outgoing;
use crate::tokens::{self, Token};

use crate::metrics::{Metric, SpanMeasure, Spans, TagAccuracy};
use crate::{Answers, questions};

super::task! {
    /// Named entity recognition: a tag on each token (`B-PER`, `I-PER`, `O`, or any other scheme).
    ///
    /// Tokens and tags are lists, or texts with white space between the words; tags may be numbers. An edited entity that
    /// grew to several words is tagged as its scheme has it (`B-PER I-PER`), new words are tagged `O` (the number -100
    /// where tags are numbers).
    fields: {
        "text" (open) = ["tokens", "x", "token", "words", "word", "sentence", "text"],
    }
    labels: {
        "tags" (Label) = ["ner_tags", "y", "tags", "ner", "labels", "label", "bio", "ner_tag"],
    }
    texts: One,
    labelled: Chunks,
    layers: &[TOKEN],
    aliases: &["entities", "named-entity-recognition"],
    metric: "span F1",
    metrics: metrics,
    read: tokens::read_tagged,
    write: write,
    answers: Answers::TokenTags,
    besides: questions::with_tokens,
}

fn metrics(labels: &[String]) -> Vec<Box<dyn Metric>> {
    let spans = |measure| Box::new(Spans::names(measure, labels)) as Box<dyn Metric>;
    let mut metrics: Vec<_> = [SpanMeasure::F1, SpanMeasure::Precision, SpanMeasure::Recall].map(spans).into();
    metrics.push(Box::new(TagAccuracy::tokens(labels)));
    metrics
}

fn write(outgoing: &Outgoing<'_>, column: &Column) -> Value {
    if column.role != "tags" {
        return tokens::write(outgoing, column);
    }
    let tag = |token: &Token<'_>| token.entity_tag(outgoing.sample).unwrap_or("O".into());
    tokens::in_form(outgoing.tokens().iter().map(tag), column.form)
}
