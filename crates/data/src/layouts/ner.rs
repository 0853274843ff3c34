//! Names in a text.

use fissure_core::Column;
use serde_json::Value;

use super::page::Page;
use super::tokens::{self, Token};

super::layout! {
    /// Named entity recognition: a tag on each token (`B-PER`, `I-PER`, `O`, or any other scheme).
    ///
    /// Tokens and tags are lists, or texts with white space between the words; tags may be numbers. An edited entity that
    /// grew to several words is tagged as its scheme has it (`B-PER I-PER`), new words are tagged `O` (the number -100
    /// where tags are numbers).
    aliases: &["entities", "named_entities"],
    fields: {
        "text" (open) = ["tokens", "x", "token", "words", "word", "sentence", "text"],
    }
    labels: {
        "tags" (Label) = ["ner_tags", "y", "tags", "ner", "labels", "label", "bio", "ner_tag"],
    }
    metric: "span F1",
    read: tokens::read_tagged,
    write: write,
}

fn write(page: &Page<'_>, column: &Column) -> Value {
    if column.role != "tags" {
        return tokens::write(page, column);
    }
    let tag = |token: &Token<'_>| token.entity_tag(page.sample).unwrap_or("O".into());
    tokens::in_form(page.tokens().iter().map(tag), column.form)
}
