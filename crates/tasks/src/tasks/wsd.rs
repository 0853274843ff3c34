//! In which of its senses a word is used.

use fissure_core::layer::{SENSE, TOKEN};
use fissure_core::{Anchor, Column, Mark};
use serde_json::Value;

use crate::metrics::TagAccuracy;
use crate::row_builder::RowBuilder;
use crate::sample_builder::SampleBuilder;
use crate::tokens;
use crate::{Answers, Fault, questions};

/// How a file writes that a token has no sense.
const NONE: &str = "none";

super::task! {
    /// Word senses: in which sense of the dictionary a word is used.
    ///
    /// Tokens, and for each the key of its sense (`bank%1:14:00::`), or nothing, `_` or null if its sense is not asked for. A
    /// word with several senses that are right has their keys with spaces between them. No edit may cut such a word.
    fields: {
        "text" (open) = ["tokens", "words", "x", "sentence", "text"],
    }
    labels: {
        "senses" (Label) = ["senses", "sense_keys", "y", "sense"],
    }
    texts: One,
    labelled: Marks,
    layers: &[TOKEN, SENSE],
    aliases: &["word_sense", "senses", "word_sense_disambiguation"],
    metric: "accuracy by sense",
    metrics: |_| vec![Box::new(TagAccuracy::senses())],
    read: read,
    write: write,
    answers: Answers::MarkTags(SENSE),
    besides: |sample| questions::with_terms(sample, "words", SENSE),
}

fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    let count = tokens::read(sample_builder)?;
    let Some((column, value)) = sample_builder.take("senses")? else { return Ok(()) };
    let Value::Array(values) = value else {
        return Err(Fault::at(column, "senses must be a list with one for each token", value));
    };
    if values.len() != count {
        let why = format!("{} senses for {count} tokens", values.len());
        return Err(Fault::at(column, why, Value::Array(values)));
    }
    let spans: Vec<_> = sample_builder.sample.layer(TOKEN).map(|(_, mark)| mark.span).collect();
    let mut none = Value::Null;
    for (span, value) in spans.into_iter().zip(values) {
        match value {
            Value::String(key) if !key.is_empty() && key != "_" => {
                sample_builder.sample.marks.push(Mark::new(SENSE, 0, span, key, Anchor::Rigid));
            }
            Value::String(_) | Value::Null => none = value,
            other => return Err(Fault::at(column, "a sense is a key such as `bank%1:14:00::`, or null", other)),
        }
    }
    sample_builder.set_form(
        "senses",
        if none.is_null() {
            ""
        } else if none == "_" {
            NONE
        } else {
            "empty"
        },
    );
    Ok(())
}

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    if column.role != "senses" {
        return tokens::write(row_builder, column);
    }
    let sense = |token: &tokens::Token<'_>| {
        let found = row_builder.sample.layer(SENSE).find(|(_, mark)| mark.span.overlaps(token.span));
        match (found, column.form) {
            (Some((_, mark)), _) => Value::from(mark.value.as_str()),
            (None, NONE) => "_".into(),
            (None, "empty") => "".into(),
            (None, _) => Value::Null,
        }
    };
    row_builder.tokens().iter().map(sense).collect()
}
