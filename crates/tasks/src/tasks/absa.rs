//! Opinions about particular things in a sentence.

use std::sync::Arc;

use fissure_core::layer::{ASPECT, OPINION};
use fissure_core::{Anchor, Column, Link, Mark, Span};
use serde_json::{Map, Value, json};

use crate::metrics::TagAccuracy;
use crate::offsets::Offsets;
use crate::row_builder::RowBuilder;
use crate::sample_builder::{SampleBuilder, kind};
use crate::{Answers, Fault, questions};

/// The attribute with an aspect's key in the list of terms.
const KEY: &str = "";

super::task! {
    /// Aspect-based sentiment: the polarity of each thing that a sentence names.
    ///
    /// `term_list` is an object `{id: {term, from, to, polarity, opinion_words, opinion_position}}` or a list of such
    /// terms; `from`, `to` and `opinion_position` count characters. No edit may cut a term or an opinion.
    fields: {
        "text" (open) = ["sentence", "text", "x"],
    }
    labels: {
        "terms" (Label) = ["term_list", "terms", "aspects"],
    }
    texts: One,
    labelled: Marks,
    layers: &[ASPECT, OPINION],
    aliases: &["aspects", "aspect_sentiment"],
    metric: "accuracy of the polarities",
    metrics: |_| vec![Box::new(TagAccuracy::aspects())],
    read: read,
    write: write,
    answers: Answers::MarkTags(ASPECT),
    besides: |sample| questions::with_terms(sample, "aspects", ASPECT),
}

fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    sample_builder.text("text")?;
    let Some((column, value)) = sample_builder.take("terms")? else { return Ok(()) };
    let terms: Vec<(Option<String>, Value)> = match value {
        Value::Object(terms) => terms.into_iter().map(|(key, term)| (Some(key), term)).collect(),
        Value::Array(terms) => terms.into_iter().map(|term| (None, term)).collect(),
        other => return Err(Fault::at(column, format!("{} where terms are needed", kind(&other)), other)),
    };
    let text = sample_builder.sample.fields.first().map(|field| field.text.clone()).unwrap_or_default();
    let offsets = Offsets::new(&text);
    let keyed = terms.iter().all(|(key, _)| key.is_some());
    sample_builder.set_form("terms", if keyed { "" } else { "list" });
    for (key, term) in terms {
        let Value::Object(term) = term else {
            return Err(Fault::at(column, format!("{} where a term is needed", kind(&term)), term));
        };
        let place = json!([term.get("from"), term.get("to")]);
        let span = spanned(&column, &offsets, &text, &place, term.get("term"))?;
        let opinions: Vec<Span> = match (term.get("opinion_position"), term.get("opinion_words")) {
            (Some(Value::Array(places)), words) => {
                let word = |at: usize| words.and_then(|words| words.get(at));
                let opinion = |(at, place)| spanned(&column, &offsets, &text, place, word(at));
                places.iter().enumerate().map(opinion).collect::<Result<_, _>>()?
            }
            (None | Some(Value::Null), _) => Vec::new(),
            (Some(other), _) => {
                let why = format!("`opinion_position` is {}, not a list of places", kind(other));
                return Err(Fault::at(column, why, other));
            }
        };
        let polarity = term.get("polarity").and_then(Value::as_str).unwrap_or_default();
        let mut aspect = Mark::new(ASPECT, 0, span, polarity, Anchor::Rigid);
        // The term as it came: its keys, their order and what else it says are kept.
        aspect.attributes = term.into_iter().map(|(key, value)| (Arc::from(key), value)).collect();
        aspect.attributes.extend(key.map(|key| (KEY.into(), key.into())));
        let from = sample_builder.sample.marks.len();
        sample_builder.sample.marks.push(aspect);
        for span in opinions {
            let to = sample_builder.sample.marks.len();
            sample_builder.sample.marks.push(Mark::new(OPINION, 0, span, "", Anchor::Rigid));
            sample_builder.sample.links.push(Link { layer: OPINION, from, to, value: String::new() });
        }
    }
    Ok(())
}

/// The bytes of the characters `[from, to]`, which must read `said`.
fn spanned(
    column: &Arc<str>,
    offsets: &Offsets,
    text: &str,
    place: &Value,
    said: Option<&Value>,
) -> Result<Span, Fault> {
    let number = |at: usize| place.get(at).and_then(Value::as_u64).map(|number| number as usize);
    let span = number(0).zip(number(1)).and_then(|(from, to)| offsets.span(from, to));
    match span {
        Some(span) if said.is_none_or(|said| said == span.of(text)) => Ok(span),
        Some(span) => {
            let why = format!("at characters {place} of the sentence stands `{}`, not", span.of(text));
            Err(Fault::at(Arc::clone(column), why, said.unwrap_or(&Value::Null)))
        }
        None => Err(Fault::at(Arc::clone(column), "not a place in the sentence", place)),
    }
}

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    if column.role != "terms" {
        return row_builder.text(column);
    }
    let sample = row_builder.sample;
    let place = |mark: &Mark| [mark.span.start, mark.span.end].map(|at| row_builder.offsets().character(at));
    let terms = sample.layer(ASPECT).map(|(index, mark)| {
        let linked = |link: &&Link| link.layer == OPINION && link.from == index;
        let opinions = || sample.links.iter().filter(linked).filter_map(|link| sample.marks.get(link.to));
        let [from, to] = place(mark);
        let value = |key: &str, value: &Value| match key {
            "term" => sample.words_of(mark).into(),
            "from" => from.into(),
            "to" => to.into(),
            "polarity" => (&*mark.value).into(),
            "opinion_words" => opinions().map(|opinion| sample.words_of(opinion)).collect(),
            "opinion_position" => opinions().map(|opinion| json!(place(opinion))).collect(),
            _ => value.clone(),
        };
        let keys = mark.attributes.iter().filter(|(key, _)| &**key != KEY);
        let term: Map<String, Value> = keys.map(|(key, known)| (key.to_string(), value(key, known))).collect();
        let key = mark.attributes.iter().find(|(key, _)| &**key == KEY).and_then(|(_, key)| key.as_str());
        (key.unwrap_or_default().to_owned(), Value::Object(term))
    });
    match column.form {
        "list" => terms.map(|(_, term)| term).collect(),
        _ => Value::Object(terms.collect()),
    }
}
