//! How two things in a sentence are related.

use std::sync::Arc;

use fissure_core::layer::{OBJECT, SUBJECT, TOKEN};
use fissure_core::{Anchor, Column, Mark, Span};
use serde_json::{Value, json};

use crate::metrics::{Accuracy, RelationF1};
use crate::row_builder::RowBuilder;
use crate::sample_builder::SampleBuilder;
use crate::tokens;
use crate::{Answers, Fault, questions};

/// The form of a text with the two things in tags, `The <e1>child</e1> was wrapped into the <e2>cradle</e2>.`
const TAGGED: &str = "tagged";

super::task! {
    /// Relation extraction: how the subject and the object, two pieces of a sentence, are related.
    ///
    /// Three spellings: tokens with `subj` and `obj`, each `[first, last]` (both included); tokens with `subj_start`,
    /// `subj_end`, `obj_start`, `obj_end`, as in TACRED; a text with `<e1>` and `<e2>` around subject and object, as in
    /// SemEval-2010. The relation is the class. No edit may cut subject or object.
    fields: {
        "text" (open) = ["tokens", "token", "x", "sentence", "text", "words"],
    }
    labels: {
        "label" (Label) = ["relation", "y", "label", "rel"],
        "subject" (Never) = ["subj", "subject"],
        "object" (Never) = ["obj", "object"],
        "subj_start" (Never) = ["subj_start"],
        "subj_end" (Never) = ["subj_end"],
        "obj_start" (Never) = ["obj_start"],
        "obj_end" (Never) = ["obj_end"],
    }
    texts: One,
    labelled: ClassOfMarks,
    layers: &[TOKEN, SUBJECT, OBJECT],
    aliases: &["relations", "relation_extraction"],
    metric: "micro F1",
    metrics: |_| vec![Box::new(RelationF1), Box::new(Accuracy)],
    read: read,
    write: write,
    answers: Answers::Class,
    besides: |sample| questions::with_arguments(sample, &[SUBJECT, OBJECT]),
}

fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    sample_builder.label("label")?;
    let tagged = matches!(sample_builder.peek("text"), Some(Value::String(text)) if text.contains("<e1>"));
    if tagged {
        return read_tagged(sample_builder);
    }
    let count = tokens::read(sample_builder)?;
    for (layer, both, start, end) in
        [(SUBJECT, "subject", "subj_start", "subj_end"), (OBJECT, "object", "obj_start", "obj_end")]
    {
        let place = match sample_builder.take(both)? {
            Some((_, place)) => place,
            None => match (sample_builder.take(start)?, sample_builder.take(end)?) {
                (Some((_, start)), Some((_, end))) => {
                    sample_builder.set_form(both, "");
                    json!([start, end])
                }
                _ => {
                    let why = format!(
                        "no `<e1>` and `<e2>` in the text, and no column says where the {layer} stands (`{both}` or `{start}` and `{end}`)"
                    );
                    return Err(Fault::columns(why));
                }
            },
        };
        let number = |at: usize| match place.get(at)? {
            Value::String(number) => number.trim().parse().ok(),
            number => number.as_u64().map(|number| number as usize),
        };
        let Some((first, last)) = number(0).zip(number(1)).filter(|(first, last)| first <= last && *last < count)
        else {
            return Err(Fault::at(both, format!("not the first and the last of {count} tokens"), place));
        };
        for (role, at) in [(start, 0), (end, 1)] {
            if place[at].is_string() {
                sample_builder.set_form(role, "texts");
            }
        }
        let marks = &sample_builder.sample.marks;
        let span = Span::new(marks[first].span.start, marks[last].span.end);
        sample_builder.sample.marks.push(Mark::new(layer, 0, span, "", Anchor::Rigid));
    }
    Ok(())
}

/// Takes the tags out of the text and puts marks in their place.
fn read_tagged(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    let Some((column, Value::String(tagged))) = sample_builder.take("text")? else { return Ok(()) };
    sample_builder.set_form("text", TAGGED);
    let mut places = [None; 4];
    let mut text = String::with_capacity(tagged.len());
    let mut rest = tagged.as_str();
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        match TAGS.iter().position(|tag| after.starts_with(tag)) {
            Some(tag) if places[tag].is_none() => {
                places[tag] = Some(text.len());
                rest = &after[TAGS[tag].len()..];
            }
            _ => {
                text.push('<');
                rest = &after[1..];
            }
        }
    }
    text.push_str(rest);
    let span = |start: Option<usize>, end: Option<usize>| {
        let span = start.zip(end).filter(|(start, end)| start <= end).map(|(start, end)| Span::new(start, end));
        let missing =
            || Fault::at(Arc::clone(&column), "`<e1>`..`</e1>` and `<e2>`..`</e2>` must both be there", &tagged);
        span.ok_or_else(missing)
    };
    let [e1, e1_end, e2, e2_end] = places;
    let marks = [(SUBJECT, span(e1, e1_end)?), (OBJECT, span(e2, e2_end)?)];
    sample_builder.sample.marks.extend(marks.map(|(layer, span)| Mark::new(layer, 0, span, "", Anchor::Rigid)));
    sample_builder.field("text", text, false);
    Ok(())
}

const TAGS: [&str; 4] = ["<e1>", "</e1>", "<e2>", "</e2>"];

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    let place = |layer: &str| {
        let (_, mark) = row_builder.sample.layer(layer).next()?;
        tokens::covered(row_builder.tokens(), mark.span)
    };
    let one = |layer: &str, at: usize| match place(layer).map(|place| place[at]) {
        None => Value::Null,
        Some(at) if column.form == "texts" => at.to_string().into(),
        Some(at) => at.into(),
    };
    match column.role {
        "label" => row_builder.label(),
        "subject" => json!(place(SUBJECT)),
        "object" => json!(place(OBJECT)),
        "subj_start" => one(SUBJECT, 0),
        "subj_end" => one(SUBJECT, 1),
        "obj_start" => one(OBJECT, 0),
        "obj_end" => one(OBJECT, 1),
        "text" if column.form == TAGGED => tagged(row_builder),
        _ => tokens::write(row_builder, column),
    }
}

fn tagged(row_builder: &RowBuilder<'_>) -> Value {
    let mut tags = Vec::new();
    for (layer, open, close) in [(SUBJECT, TAGS[0], TAGS[1]), (OBJECT, TAGS[2], TAGS[3])] {
        if let Some((_, mark)) = row_builder.sample.layer(layer).next() {
            // Where two tags meet, one that closes comes before one that opens, unless nothing is between its own two.
            let empty = mark.span.is_empty();
            tags.push((mark.span.start, if empty { 1 } else { 2 }, open));
            tags.push((mark.span.end, usize::from(empty), close));
        }
    }
    tags.sort_by_key(|(at, rank, _)| (*at, *rank));
    let text = row_builder.field("text");
    let mut out = String::with_capacity(text.len() + 18);
    let mut done = 0;
    for (at, _, tag) in tags {
        out.push_str(text.get(done..at).unwrap_or(""));
        out.push_str(tag);
        done = at;
    }
    out.push_str(text.get(done..).unwrap_or(""));
    out.into()
}
