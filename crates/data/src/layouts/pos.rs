//! Parts of speech.

use fissure_core::Column;
use serde_json::Value;

use super::page::Page;
use super::tokens::{self, Token};

super::layout! {
    /// Part-of-speech tagging: a tag on each token.
    ///
    /// Tokens and tags as in `ner`. Every piece of a token that was cut up gets its tag; new words are tagged `_`.
    aliases: &["part_of_speech", "tagging"],
    fields: {
        "text" (open) = ["tokens", "x", "token", "words", "word", "form", "sentence", "text"],
    }
    labels: {
        "tags" (Label) = ["upos", "pos_tags", "y", "postag", "pos", "tags", "labels", "xpos"],
    }
    metric: "token accuracy",
    read: tokens::read_tagged,
    write: write,
}

fn write(page: &Page<'_>, column: &Column) -> Value {
    if column.role != "tags" {
        return tokens::write(page, column);
    }
    let tag = |token: &Token<'_>| token.tag(page.sample).unwrap_or("_".into());
    tokens::in_form(page.tokens().iter().map(tag), column.form)
}
