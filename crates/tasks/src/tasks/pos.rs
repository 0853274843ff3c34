//! Parts of speech.

use fissure_core::Column;
use fissure_core::layer::TOKEN;
use serde_json::Value;

use crate::row_builder::RowBuilder;
use crate::tokens::{self, Token};

use crate::metrics::TagAccuracy;
use crate::{Answers, questions};

super::task! {
    /// Part-of-speech tagging: a tag on each token.
    ///
    /// Tokens and tags as in `ner`. Every piece of a token that was cut up gets its tag; new words are tagged `_`.
    fields: {
        "text" (open) = ["tokens", "x", "token", "words", "word", "form", "sentence", "text"],
    }
    labels: {
        "tags" (Label) = ["upos", "pos_tags", "y", "postag", "pos", "tags", "labels", "xpos"],
    }
    texts: One,
    labelled: Tokens,
    layers: &[TOKEN],
    aliases: &["tagging", "part_of_speech"],
    metric: "token accuracy",
    metrics: |labels| vec![Box::new(TagAccuracy::tokens(labels))],
    read: tokens::read_tagged,
    write: write,
    answers: Answers::TokenTags,
    besides: questions::with_tokens,
}

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    if column.role != "tags" {
        return tokens::write(row_builder, column);
    }
    let tag = |token: &Token<'_>| token.tag(row_builder.sample).unwrap_or("_".into());
    tokens::in_form(row_builder.tokens().iter().map(tag), column.form)
}
