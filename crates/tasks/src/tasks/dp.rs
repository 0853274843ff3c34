//! Who depends on whom in a sentence.

use fissure_core::layer::{HEAD, ROOT, TOKEN};
use fissure_core::{Column, Link};
use serde_json::Value;

use crate::metrics::Attachment;
use crate::row_builder::RowBuilder;
use crate::sample_builder::SampleBuilder;
use crate::tokens::{self, Token};
use crate::{Answers, Fault, heads, questions};

super::task! {
    /// Dependency parsing: for each token its head (counted from 1; 0 is the root) and its relation to it.
    ///
    /// Heads and relations become links between tokens. Where edits cut a token up, its first piece keeps head and
    /// relation, and the other pieces hang on it with relation `_`. A new word, and a token whose head was deleted, have head
    /// and relation `_` (null where heads are numbers).
    fields: {
        "text" (open) = ["tokens", "word", "words", "form", "x", "token"],
    }
    labels: {
        "head" (Label) = ["head", "heads"],
        "deprel" (Label) = ["deprel", "deprels", "rel", "relation"],
    }
    texts: One,
    labelled: Tree,
    layers: &[TOKEN, HEAD],
    aliases: &["parsing", "dependency_parsing", "dependencies"],
    metric: "UAS and LAS",
    metrics: |_| vec![Box::new(Attachment::Labelled), Box::new(Attachment::Unlabelled)],
    read: read,
    write: write,
    answers: Answers::Tree,
    besides: questions::with_tokens,
}

fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    let count = tokens::read(sample_builder)?;
    let heads = tokens::values(sample_builder, "head", count)?;
    let relations = tokens::values(sample_builder, "deprel", count)?;
    let Some(heads) = heads else { return Ok(()) };
    heads::check(&heads)?;
    let sample = &mut sample_builder.sample;
    for (from, head) in heads.into_iter().enumerate() {
        let value = relations.as_ref().map_or_else(String::new, |relations| relations[from].clone());
        match head.parse() {
            Ok(0) => sample.links.push(Link { layer: ROOT, from, to: from, value }),
            Ok(head @ 1..) if head <= count => sample.links.push(Link { layer: HEAD, from, to: head - 1, value }),
            // A head that is not known is carried along as it is.
            _ => sample.marks[from].attributes.extend([("head".into(), head.into()), ("deprel".into(), value.into())]),
        }
    }
    Ok(())
}

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    let tokens = row_builder.tokens();
    let links = row_builder.links();
    let link = |token: &Token<'_>| links.get(&token.mark?).copied();
    let first_of = |mark: usize| row_builder.firsts().get(&mark).copied();
    let head = |token: &Token<'_>| -> Option<String> {
        if token.piece > 0 {
            return Some((first_of(token.mark?)? + 1).to_string());
        }
        match link(token) {
            Some(link) if link.layer == ROOT => Some("0".into()),
            Some(link) => Some((first_of(link.to)? + 1).to_string()),
            None => token.attribute(row_builder.sample, "head")?.as_str().map(str::to_owned),
        }
    };
    let relation = |token: &Token<'_>| -> Option<&str> {
        let first = token.piece == 0;
        let linked = || link(token).map(|link| &*link.value);
        first.then(|| linked().or_else(|| token.attribute(row_builder.sample, "deprel")?.as_str())).flatten()
    };
    match column.role {
        "head" if column.form == tokens::NUMBERS => {
            tokens.iter().map(|token| head(token)?.parse::<i64>().ok()).map(Value::from).collect()
        }
        "head" => tokens::in_form(tokens.iter().map(|token| head(token).map_or("_".into(), Into::into)), column.form),
        "deprel" => tokens::in_form(tokens.iter().map(|token| relation(token).unwrap_or("_").into()), column.form),
        _ => tokens::write(row_builder, column),
    }
}
