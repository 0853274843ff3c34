//! A passage, a question, and where the answer stands.

use std::sync::Arc;

use fissure_core::layer::ANSWERS;
use fissure_core::{Anchor, Column, Mark};
use serde_json::{Map, Value, json};

use crate::metrics::{AnswerF1, ExactMatch};
use crate::offsets::Offsets;
use crate::row_builder::RowBuilder;
use crate::sample_builder::{SampleBuilder, kind};
use crate::{Answers, Fault};

/// The form of answers as one object of lists, `{"text": [...], "answer_start": [...]}`.
const LISTS: &str = "lists";

super::task! {
    /// Reading comprehension: a passage, a question, and the answers as pieces of the passage.
    ///
    /// `answers` is a list of `{text, answer_start}`, or one object with the lists `text` and `answer_start`;
    /// `answer_start` counts characters. No edit may cut an answer. `plausible_answers` of questions that have no answer
    /// move along, but may be cut.
    fields: {
        "context" (open) = ["context", "passage", "paragraph"],
        "question" (closed) = ["question", "query"],
    }
    labels: {
        "answers" (Label) = ["answers", "answer"],
        "plausible_answers" (Never) = ["plausible_answers"],
    }
    texts: Passage,
    labelled: Marks,
    layers: &[ANSWERS],
    aliases: &["qa", "question_answering", "reading_comprehension"],
    metric: "exact match and F1",
    metrics: |_| vec![Box::new(ExactMatch), Box::new(AnswerF1)],
    read: read,
    write: write,
    answers: Answers::Piece,
}

fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    sample_builder.text("context")?;
    sample_builder.text("question")?;
    read_answers(sample_builder, "answers", Anchor::Rigid)?;
    read_answers(sample_builder, "plausible_answers", Anchor::Elastic)
}

fn read_answers(sample_builder: &mut SampleBuilder, role: &'static str, anchor: Anchor) -> Result<(), Fault> {
    let Some((column, value)) = sample_builder.take(role)? else { return Ok(()) };
    let answers: Vec<Map<String, Value>> = match value {
        Value::Array(answers) => {
            let object = |answer| match answer {
                Value::Object(answer) => Ok(answer),
                other => {
                    Err(Fault::at(Arc::clone(&column), format!("{} where an answer is needed", kind(&other)), other))
                }
            };
            answers.into_iter().map(object).collect::<Result<_, _>>()?
        }
        Value::Object(lists) => {
            sample_builder.set_form(role, LISTS);
            transposed(&column, &lists)?
        }
        Value::Null => {
            sample_builder.give_back(role, Value::Null);
            return Ok(());
        }
        other => return Err(Fault::at(column, format!("{} where answers are needed", kind(&other)), other)),
    };
    let context = sample_builder.sample.fields.first().map(|field| field.text.clone()).unwrap_or_default();
    let offsets = Offsets::new(&context);
    for answer in answers {
        let text = answer.get("text").and_then(Value::as_str);
        let start = answer.get("answer_start").and_then(Value::as_u64).map(|start| start as usize);
        let (Some(text), Some(start)) = (text, start) else {
            let why = "an answer needs a `text` and an `answer_start` of 0 or more";
            return Err(Fault::at(column, why, Value::Object(answer)));
        };
        let span = start.checked_add(text.chars().count()).and_then(|end| offsets.span(start, end));
        let Some(span) = span.filter(|span| span.of(&context) == text) else {
            let there: String = context.chars().skip(start).take(text.chars().count()).collect();
            let why = format!("the answer `{text}` does not stand at character {start} of the passage; there stands");
            return Err(Fault::at(column, why, if there.is_empty() { "nothing".into() } else { there }));
        };
        // Keys and their order are kept; the text and its place are written as they are then.
        let mut mark = Mark::new(role, 0, span, "", anchor);
        mark.attributes = answer.into_iter().map(|(key, value)| (key.into(), value)).collect();
        sample_builder.sample.marks.push(mark);
    }
    Ok(())
}

/// `{"text": [a, b], "answer_start": [1, 2]}` as `[{"text": a, "answer_start": 1}, {"text": b, "answer_start": 2}]`.
fn transposed(column: &Arc<str>, lists: &Map<String, Value>) -> Result<Vec<Map<String, Value>>, Fault> {
    let lengths: Vec<Option<usize>> = lists.values().map(|list| list.as_array().map(Vec::len)).collect();
    let &[Some(count), ..] = &lengths[..] else {
        return Err(Fault::at(Arc::clone(column), "`text` and `answer_start` must be lists", json!(lists)));
    };
    if lengths.iter().any(|length| *length != Some(count)) {
        return Err(Fault::at(
            Arc::clone(column),
            "the lists `text` and `answer_start` differ in length",
            json!(lists),
        ));
    }
    let at = |at: usize| lists.iter().map(move |(key, list)| (key.clone(), list[at].clone())).collect();
    Ok((0..count).map(at).collect())
}

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    if !matches!(column.role, "answers" | "plausible_answers") {
        return row_builder.text(column);
    }
    let answers = row_builder.sample.layer(column.role).map(|(_, mark)| {
        let mut answer: Map<String, Value> =
            mark.attributes.iter().map(|(key, value)| (key.to_string(), value.clone())).collect();
        answer.insert("text".into(), row_builder.sample.words_of(mark).into());
        answer.insert("answer_start".into(), row_builder.offsets().character(mark.span.start).into());
        answer
    });
    if column.form != LISTS {
        return answers.map(Value::Object).collect();
    }
    let mut lists = Map::from_iter([("text".to_owned(), json!([])), ("answer_start".to_owned(), json!([]))]);
    for answer in answers {
        for (key, value) in answer {
            if let Value::Array(list) = lists.entry(key).or_insert_with(|| json!([])) {
                list.push(value);
            }
        }
    }
    Value::Object(lists)
}
