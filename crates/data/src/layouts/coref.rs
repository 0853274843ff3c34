//! Which words of a text mean the same thing.

use std::sync::Arc;

use fissure_core::{Column, Hold, Mark, Span};
use serde_json::{Value, json};

use super::draft::{Draft, kind};
use super::offsets::Offsets;
use super::page::Page;
use super::tokens;
use crate::Fault;

const MENTION: &str = "mention";
const SENTENCE: &str = "sentence";

/// The role of a column with a list for each sentence and a value for each token.
const EACH_NESTED: &str = "each_nested";

/// The attribute of a mention of GAP that says which of the three it is.
const WHO: &str = "who";

super::layout! {
    /// Coreference: clusters of mentions that mean the same thing.
    ///
    /// Two spellings: `sentences` (a list of tokens for each) with `clusters` of `[first, last]`, counted over the
    /// document, both included; and the columns of GAP (`Text`, `Pronoun`, `Pronoun-offset`, `A`, `A-offset`,
    /// `A-coref`, `B`, ...), where offsets count characters. A mention's cluster is its value; in GAP the pronoun is in
    /// cluster 0, with the names that mean the same. `ner` and `constituents` move along. No edit may cut a mention.
    aliases: &["coreference"],
    fields: {
        "text" (open) = ["sentences", "text", "x", "sentence"],
    }
    labels: {
        "clusters" (Never) = ["clusters"],
        "ner" (Never) = ["ner"],
        "constituents" (Never) = ["constituents"],
        "pronoun" (Never) = ["pronoun"],
        "pronoun_offset" (Never) = ["pronoun-offset", "pronoun_offset"],
        "a" (Never) = ["a"],
        "a_offset" (Never) = ["a-offset", "a_offset"],
        "a_coref" (Never) = ["a-coref", "a_coref"],
        "b" (Never) = ["b"],
        "b_offset" (Never) = ["b-offset", "b_offset"],
        "b_coref" (Never) = ["b-coref", "b_coref"],
    }
    metric: "CoNLL F1",
    read: read,
    write: write,
}

/// The three mentions of GAP: column, column of its place, column that says whether it is the pronoun's.
const GAP: [(&str, &str, &str); 3] =
    [("pronoun", "pronoun_offset", ""), ("a", "a_offset", "a_coref"), ("b", "b_offset", "b_coref")];

fn read(draft: &mut Draft) -> Result<(), Fault> {
    let spans = match draft.peek("text") {
        Some(Value::String(text)) if !text.starts_with('[') => {
            draft.text("text")?;
            return read_gap(draft);
        }
        _ => read_sentences(draft)?,
    };
    if draft.peek("clusters").is_none() && draft.wants_labels() {
        return Err(Fault::columns("no column called `clusters`; it holds lists of [first, last]".into()));
    }
    if let Some((column, value)) = draft.take("clusters")? {
        for (number, cluster) in list(&column, &value)?.iter().enumerate() {
            for place in list(&column, cluster)? {
                let span = spanned(&column, &spans, place)?;
                draft.sample.marks.push(Mark::new(MENTION, 0, span, number.to_string(), Hold::Fast));
            }
        }
    }
    for role in ["ner", "constituents"] {
        let Some((column, value)) = draft.take(role)? else { continue };
        for place in list(&column, &value)? {
            let name = place.get(2).and_then(Value::as_str).unwrap_or_default();
            let span = spanned(&column, &spans, place)?;
            draft.sample.marks.push(Mark::new(role, 0, span, name, Hold::Widen));
        }
    }
    Ok(())
}

/// The tokens of all sentences, with a mark on each sentence.
fn read_sentences(draft: &mut Draft) -> Result<Vec<Span>, Fault> {
    let Some((column, value)) = draft.take("text")? else { return Ok(Vec::new()) };
    let sentences: Vec<&[Value]> =
        list(&column, &value)?.iter().map(|sentence| list(&column, sentence)).collect::<Result<_, _>>()?;
    let (text, mut marks) = tokens::join(&column, &sentences.concat(), 0)?;
    let lengths: Vec<usize> = sentences.iter().map(|sentence| sentence.len()).collect();

    let nested = draft.take_others(EACH_NESTED, |_, value| match value {
        Value::Array(lists)
            if lists.len() == lengths.len()
                && lists
                    .iter()
                    .zip(&lengths)
                    .all(|(list, length)| list.as_array().is_some_and(|list| list.len() == *length)) =>
        {
            Some(lists.iter_mut().filter_map(Value::as_array_mut).flat_map(std::mem::take).collect::<Vec<Value>>())
        }
        _ => None,
    });
    for (name, values) in nested {
        for (mark, value) in marks.iter_mut().zip(values) {
            mark.attributes.push((Arc::clone(&name), value));
        }
    }

    let spans: Vec<Span> = marks.iter().map(|mark| mark.span).collect();
    let (mut first, mut place) = (0, 0);
    for length in lengths {
        let tokens = &spans[first..first + length];
        let span = match (tokens.first(), tokens.last()) {
            (Some(start), Some(end)) => Span::new(start.start, end.end),
            _ => Span::new(place, place),
        };
        (first, place) = (first + length, span.end);
        marks.push(Mark::new(SENTENCE, 0, span, "", Hold::Widen));
    }
    draft.field("text", text, true);
    draft.sample.marks = marks;
    Ok(spans)
}

fn list<'a>(column: &Arc<str>, value: &'a Value) -> Result<&'a [Value], Fault> {
    let why = || Fault::at(Arc::clone(column), format!("{} where a list is needed", kind(value)), value);
    value.as_array().map(Vec::as_slice).ok_or_else(why)
}

/// The bytes of the tokens `[first, last]`.
fn spanned(column: &Arc<str>, spans: &[Span], place: &Value) -> Result<Span, Fault> {
    let token = |at: usize| spans.get(usize::try_from(place.get(at)?.as_u64()?).ok()?);
    let span = token(0).zip(token(1)).map(|(first, last)| Span::new(first.start, last.end));
    let why = || Fault::at(Arc::clone(column), format!("not the first and the last of {} tokens", spans.len()), place);
    span.filter(|span| span.start <= span.end).ok_or_else(why)
}

fn read_gap(draft: &mut Draft) -> Result<(), Fault> {
    let text = draft.sample.fields[0].text.clone();
    let offsets = Offsets::new(&text);
    for (number, (who, place, coref)) in GAP.into_iter().enumerate() {
        let (Some((column, said)), Some((_, start))) = (draft.take(who)?, draft.take(place)?) else {
            if draft.wants_labels() {
                return Err(Fault::columns(format!("no columns for `{who}` and `{place}`")));
            }
            continue;
        };
        let said = said.as_str().unwrap_or_default().to_owned();
        let number_of = |value: &Value| match value {
            Value::String(text) => text.trim().parse().ok(),
            value => value.as_u64().map(|number| number as usize),
        };
        let end = number_of(&start).and_then(|start| start.checked_add(said.chars().count()).map(|end| (start, end)));
        let span = end.and_then(|(start, end)| offsets.span(start, end)).filter(|span| span.of(&text) == said);
        let Some(span) = span else {
            return Err(Fault::at(column, format!("`{said}` does not stand at this character of the text"), start));
        };
        draft.set_form(place, if start.is_string() { "text" } else { "" });
        let same = draft.take(coref)?.map(|(_, same)| same);
        let is_same = same
            .as_ref()
            .is_none_or(|same| same.as_bool().unwrap_or(same == "TRUE" || same == "True" || same == "true"));
        let cluster = if is_same { 0 } else { number };
        let mut mark = Mark::new(MENTION, 0, span, cluster.to_string(), Hold::Fast);
        mark.attributes.push((WHO.into(), who.into()));
        mark.attributes.extend(same.map(|same| (Arc::from("coref"), same)));
        draft.sample.marks.push(mark);
    }
    Ok(())
}

fn write(page: &Page<'_>, column: &Column) -> Value {
    let sample = page.sample;
    match column.role {
        "text" if sample.layer(SENTENCE).next().is_none() => page.text(column),
        "text" => nested(page, page.tokens().iter().map(|token| token.text.into())),
        EACH_NESTED => {
            let value = |token: &tokens::Token<'_>| token.attribute(sample, &column.name).cloned().unwrap_or_default();
            nested(page, page.tokens().iter().map(value))
        }
        "clusters" => {
            let mut clusters: Vec<(&str, Vec<Value>)> = Vec::new();
            for (_, mark) in sample.layer(MENTION) {
                let place = json!(tokens::covered(page.tokens(), mark.span));
                match clusters.iter_mut().find(|(name, _)| *name == mark.value) {
                    Some((_, mentions)) => mentions.push(place),
                    None => clusters.push((&mark.value, vec![place])),
                }
            }
            clusters.into_iter().map(|(_, mentions)| mentions).collect()
        }
        layer @ ("ner" | "constituents") => {
            let covered = |mark: &Mark| tokens::covered(page.tokens(), mark.span);
            let named = |(_, mark): (usize, &Mark)| covered(mark).map(|[first, last]| json!([first, last, mark.value]));
            sample.layer(layer).filter_map(named).collect()
        }
        role => {
            let who = role.split('_').next().unwrap_or(role);
            let is = |mark: &Mark| mark.attributes.iter().any(|(name, value)| &**name == WHO && value == who);
            let Some((_, mark)) = sample.layer(MENTION).find(|(_, mark)| is(mark)) else { return Value::Null };
            if role.ends_with("_coref") {
                let coref = mark.attributes.iter().find(|(name, _)| &**name == "coref");
                return coref.map_or(Value::Null, |(_, same)| same.clone());
            }
            let start = page.offsets().character(mark.span.start);
            match (role.ends_with("_offset"), column.form) {
                (false, _) => sample.words_of(mark).into(),
                (true, "text") => start.to_string().into(),
                (true, _) => start.into(),
            }
        }
    }
}

/// Values, one for each token, in a list for each sentence. A new word between two sentences belongs to the first.
fn nested(page: &Page<'_>, values: impl Iterator<Item = Value>) -> Value {
    let starts: Vec<usize> = page.sample.layer(SENTENCE).map(|(_, mark)| mark.span.start).collect();
    let mut sentences: Vec<Vec<Value>> = vec![Vec::new(); starts.len()];
    for (token, value) in page.tokens().iter().zip(values) {
        let sentence = starts.iter().rposition(|start| *start <= token.span.start).unwrap_or(0);
        if let Some(sentence) = sentences.get_mut(sentence) {
            sentence.push(value);
        }
    }
    json!(sentences)
}
