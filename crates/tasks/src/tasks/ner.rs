//! Names in a text.

use fissure_core::Column;
use fissure_core::layer::{ENTITY, TOKEN};
use serde_json::Value;

use crate::metrics::{Metric, SpanMeasure, Spans, TagAccuracy};
use crate::row_builder::RowBuilder;
use crate::sample_builder::SampleBuilder;
use crate::{Answers, Fault, questions, scheme, tokens};

super::task! {
    /// Named entity recognition: a tag on each token (`B-PER`, `I-PER`, `O`, or any other scheme).
    ///
    /// Tokens and tags are lists, or texts with white space between the words; tags may be numbers. An entity that edits
    /// made longer or shorter is tagged in its scheme (`B-PER I-PER`, `S-PER`); other tags stay as they are, and new words
    /// are tagged `O` (-100 if tags are numbers).
    fields: {
        "text" (open) = ["tokens", "x", "token", "words", "word", "sentence", "text"],
    }
    labels: {
        "tags" (Label) = ["ner_tags", "y", "tags", "ner", "labels", "label", "bio", "ner_tag"],
    }
    texts: One,
    labelled: Chunks,
    layers: &[TOKEN, ENTITY],
    aliases: &["entities", "named_entities"],
    metric: "span F1",
    metrics: metrics,
    read: read,
    write: write,
    answers: Answers::TokenTags,
    besides: questions::with_tokens,
}

fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    tokens::read_tagged(sample_builder)?;
    scheme::mark_entities(&mut sample_builder.sample);
    Ok(())
}

fn metrics(labels: &[String]) -> Vec<Box<dyn Metric>> {
    let spans = |measure| Box::new(Spans::names(measure, labels)) as Box<dyn Metric>;
    let mut metrics: Vec<_> = [SpanMeasure::F1, SpanMeasure::Precision, SpanMeasure::Recall].map(spans).into();
    metrics.push(Box::new(TagAccuracy::tokens(labels)));
    metrics
}

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    if column.role != "tags" {
        return tokens::write(row_builder, column);
    }
    tokens::in_form(scheme::spelled(row_builder.sample, row_builder.tokens()).into_iter(), column.form)
}
