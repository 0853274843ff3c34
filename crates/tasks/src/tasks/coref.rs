//! Which words of a text mean the same thing.

use std::sync::Arc;

use fissure_core::layer::{MENTION, SENTENCE, TOKEN};
use fissure_core::{Anchor, Column, Mark, Span};
use serde_json::{Value, json};

use crate::metrics::{Coref, CorefMeasure, Metric};
use crate::offsets::Offsets;
use crate::row_builder::RowBuilder;
use crate::sample_builder::{SampleBuilder, kind};
use crate::tokens;
use crate::{Answers, Fault, questions};

/// The role of a column with a list for each sentence and a value for each token.
const EACH_NESTED: &str = "each_nested";

/// The attribute of a mention of GAP that says which of the three it is.
const WHO: &str = "who";

super::task! {
    /// Coreference: clusters of mentions that mean the same thing.
    ///
    /// Three spellings: `sentences` (a list of tokens for each) with `clusters` of `[first, last]`, counted over the
    /// document, both included; the columns of GAP (`Text`, `Pronoun`, `Pronoun-offset`, `A`, `A-offset`,
    /// `A-coref`, `B`, ...), where offsets count characters. A mention's cluster is its value; in GAP the pronoun is in
    /// cluster 0, with the names that mean the same. And that of Winograd schemas: `text`, `pronoun` (with
    /// `pronoun_offset`, or it is the first that is read), two `options`, and the `answer`, an option or its number from 0.
    /// `ner` and `constituents` move along. No edit may cut a mention.
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
        "options" (Never) = ["options", "candidates"],
        "answer" (Never) = ["answer", "answer_index"],
    }
    texts: One,
    labelled: Clusters,
    layers: &[TOKEN, MENTION],
    aliases: &["coreference"],
    metric: "CoNLL F1",
    metrics: metrics,
    read: read,
    write: write,
    answers: Answers::Clusters,
    besides: questions::with_tokens,
}

fn metrics(_: &[String]) -> Vec<Box<dyn Metric>> {
    let measures = [CorefMeasure::Mean, CorefMeasure::Muc, CorefMeasure::BCubed, CorefMeasure::Ceafe];
    measures.map(|measure| Box::new(Coref(measure)) as Box<dyn Metric>).into()
}

/// The three mentions of GAP: column, column of its place, column that says whether it is the pronoun's.
const GAP: [(&str, &str, &str); 3] =
    [("pronoun", "pronoun_offset", ""), ("a", "a_offset", "a_coref"), ("b", "b_offset", "b_coref")];

fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    let spans = match sample_builder.peek("text") {
        Some(Value::String(text)) if !text.starts_with('[') => {
            sample_builder.text("text")?;
            let schema = sample_builder.peek("options").is_some();
            return if schema { read_schema(sample_builder) } else { read_gap(sample_builder) };
        }
        _ => read_sentences(sample_builder)?,
    };
    if sample_builder.peek("clusters").is_none() && sample_builder.wants_labels() {
        return Err(Fault::columns("no column called `clusters`; it holds lists of [first, last]".into()));
    }
    if let Some((column, value)) = sample_builder.take("clusters")? {
        for (number, cluster) in list(&column, &value)?.iter().enumerate() {
            for place in list(&column, cluster)? {
                let span = spanned(&column, &spans, place)?;
                sample_builder.sample.marks.push(Mark::new(MENTION, 0, span, number.to_string(), Anchor::Rigid));
            }
        }
    }
    for role in ["ner", "constituents"] {
        let Some((column, value)) = sample_builder.take(role)? else { continue };
        for place in list(&column, &value)? {
            let name = place.get(2).and_then(Value::as_str).unwrap_or_default();
            let span = spanned(&column, &spans, place)?;
            sample_builder.sample.marks.push(Mark::new(role, 0, span, name, Anchor::Elastic));
        }
    }
    Ok(())
}

/// The tokens of all sentences, with a mark on each sentence.
fn read_sentences(sample_builder: &mut SampleBuilder) -> Result<Vec<Span>, Fault> {
    let Some((column, value)) = sample_builder.take("text")? else { return Ok(Vec::new()) };
    let sentences: Vec<&[Value]> =
        list(&column, &value)?.iter().map(|sentence| list(&column, sentence)).collect::<Result<_, _>>()?;
    let (text, mut marks) = tokens::join(&column, &sentences.concat(), 0)?;
    let lengths: Vec<usize> = sentences.iter().map(|sentence| sentence.len()).collect();

    let nested = sample_builder.take_others(EACH_NESTED, |_, value| match value {
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
        marks.push(Mark::new(SENTENCE, 0, span, "", Anchor::Elastic));
    }
    sample_builder.field("text", text, true);
    sample_builder.sample.marks = marks;
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

/// A Winograd schema: the pronoun and two options, one of which it refers to.
fn read_schema(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    let text = sample_builder.sample.fields[0].text.clone();
    let Some((column, options)) = sample_builder.take("options")? else { return Ok(()) };
    let names: Vec<String> = list(&column, &options)?.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let [a, b] = &names[..] else { return Err(Fault::at(column, "there must be two options, both texts", options)) };
    let Some((column, Value::String(pronoun))) = sample_builder.take("pronoun")? else {
        return Err(Fault::columns("no column called `pronoun`, which holds a word of the text".into()));
    };
    let given = sample_builder.take("pronoun_offset")?.and_then(|(_, start)| start.as_u64());
    let offsets = Offsets::new(&text);
    let placed = |start: u64| offsets.span(start as usize, start as usize + pronoun.chars().count());
    let place = given.and_then(placed).filter(|span| span.of(&text) == pronoun).or_else(|| whole_word(&text, &pronoun));
    let missing = |word: &str| Fault::at(Arc::clone(&column), "this does not stand in the text", word);
    let place = place.ok_or_else(|| missing(&pronoun))?;
    let answer = sample_builder.take("answer")?.map(|(_, answer)| answer);
    let right = match &answer {
        Some(Value::String(name)) => {
            names.iter().position(|option| option == name).or_else(|| name.trim().parse().ok())
        }
        Some(number) => number.as_u64().map(|number| number as usize),
        None => None,
    };
    if let Some(answer) = answer.as_ref().filter(|_| right.is_none_or(|right| right > 1)) {
        return Err(Fault::at("answer", "neither an option nor its number, 0 or 1", answer));
    }
    sample_builder.set_form(
        "answer",
        if answer.as_ref().is_some_and(|answer| names.iter().any(|name| answer == name)) { "name" } else { "" },
    );
    let spans = [("pronoun", Some(place)), ("a", whole_word(&text, a)), ("b", whole_word(&text, b))];
    for (number, (who, span)) in spans.into_iter().enumerate() {
        let span = span.ok_or_else(|| missing(&names[number.saturating_sub(1)]))?;
        let cluster = if number == 0 || right == Some(number - 1) { 0 } else { number };
        let mut mark = Mark::new(MENTION, 0, span, cluster.to_string(), Anchor::Rigid);
        mark.attributes.push((WHO.into(), who.into()));
        mark.attributes.extend(answer.clone().filter(|_| number == 0).map(|answer| (Arc::from("answer"), answer)));
        sample_builder.sample.marks.push(mark);
    }
    Ok(())
}

/// The first place where words stand as whole words; the first letter may be a capital.
fn whole_word(text: &str, words: &str) -> Option<Span> {
    let title = |words: &str| {
        words.chars().next().map(|first| first.to_uppercase().chain(words.chars().skip(1)).collect::<String>())
    };
    [Some(words.to_owned()), title(words)].into_iter().flatten().filter(|words| !words.is_empty()).find_map(|words| {
        let apart = |at: &usize| {
            let joins = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
            !joins(text[..*at].chars().next_back()) && !joins(text[at + words.len()..].chars().next())
        };
        let found = text.match_indices(&words).map(|(at, _)| at).find(apart);
        found.map(|at| Span::new(at, at + words.len()))
    })
}

fn read_gap(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    let text = sample_builder.sample.fields[0].text.clone();
    let offsets = Offsets::new(&text);
    for (number, (who, place, coref)) in GAP.into_iter().enumerate() {
        let (Some((column, said)), Some((_, start))) = (sample_builder.take(who)?, sample_builder.take(place)?) else {
            if sample_builder.wants_labels() {
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
        sample_builder.set_form(place, if start.is_string() { "text" } else { "" });
        let same = sample_builder.take(coref)?.map(|(_, same)| same);
        let is_same = same
            .as_ref()
            .is_none_or(|same| same.as_bool().unwrap_or(same == "TRUE" || same == "True" || same == "true"));
        let cluster = if is_same { 0 } else { number };
        let mut mark = Mark::new(MENTION, 0, span, cluster.to_string(), Anchor::Rigid);
        mark.attributes.push((WHO.into(), who.into()));
        mark.attributes.extend(same.map(|same| (Arc::from("coref"), same)));
        sample_builder.sample.marks.push(mark);
    }
    Ok(())
}

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    let sample = row_builder.sample;
    match column.role {
        "text" if sample.layer(SENTENCE).next().is_none() => row_builder.text(column),
        "text" => nested(row_builder, row_builder.tokens().iter().map(|token| token.text.into())),
        EACH_NESTED => {
            let value = |token: &tokens::Token<'_>| token.attribute(sample, &column.name).cloned().unwrap_or_default();
            nested(row_builder, row_builder.tokens().iter().map(value))
        }
        "clusters" => {
            let mut clusters: Vec<(&str, Vec<Value>)> = Vec::new();
            for (_, mark) in sample.layer(MENTION) {
                let place = json!(tokens::covered(row_builder.tokens(), mark.span));
                match clusters.iter_mut().find(|(name, _)| *name == mark.value) {
                    Some((_, mentions)) => mentions.push(place),
                    None => clusters.push((&mark.value, vec![place])),
                }
            }
            clusters.into_iter().map(|(_, mentions)| mentions).collect()
        }
        layer @ ("ner" | "constituents") => {
            let covered = |mark: &Mark| tokens::covered(row_builder.tokens(), mark.span);
            let named = |(_, mark): (usize, &Mark)| covered(mark).map(|[first, last]| json!([first, last, mark.value]));
            sample.layer(layer).filter_map(named).collect()
        }
        "options" => {
            ["a", "b"].iter().filter_map(|who| who_is(row_builder, who)).map(|mark| sample.words_of(mark)).collect()
        }
        "answer" => {
            let pronoun = who_is(row_builder, "pronoun");
            let kept = pronoun.and_then(|mark| mark.attributes.iter().find(|(name, _)| &**name == "answer"));
            let right = ["a", "b"].iter().filter_map(|who| who_is(row_builder, who)).find(|mark| mark.value == "0");
            match (column.form, right) {
                ("name", Some(mark)) => sample.words_of(mark).into(),
                _ => kept.map_or(Value::Null, |(_, answer)| answer.clone()),
            }
        }
        role => {
            let who = role.split('_').next().unwrap_or(role);
            let is = |mark: &Mark| mark.attributes.iter().any(|(name, value)| &**name == WHO && value == who);
            let Some((_, mark)) = sample.layer(MENTION).find(|(_, mark)| is(mark)) else { return Value::Null };
            if role.ends_with("_coref") {
                let coref = mark.attributes.iter().find(|(name, _)| &**name == "coref");
                return coref.map_or(Value::Null, |(_, same)| same.clone());
            }
            let start = row_builder.offsets().character(mark.span.start);
            match (role.ends_with("_offset"), column.form) {
                (false, _) => sample.words_of(mark).into(),
                (true, "text") => start.to_string().into(),
                (true, _) => start.into(),
            }
        }
    }
}

/// The mention of GAP or of a schema that is the pronoun, A or B.
fn who_is<'s>(row_builder: &RowBuilder<'s>, who: &str) -> Option<&'s Mark> {
    let is = |mark: &Mark| mark.attributes.iter().any(|(name, value)| &**name == WHO && value == who);
    row_builder.sample.layer(MENTION).map(|(_, mark)| mark).find(|mark| is(mark))
}

/// Values, one for each token, in a list for each sentence. A new word between two sentences belongs to the first.
fn nested(row_builder: &RowBuilder<'_>, values: impl Iterator<Item = Value>) -> Value {
    let starts: Vec<usize> = row_builder.sample.layer(SENTENCE).map(|(_, mark)| mark.span.start).collect();
    let mut sentences: Vec<Vec<Value>> = vec![Vec::new(); starts.len()];
    for (token, value) in row_builder.tokens().iter().zip(values) {
        let sentence = starts.iter().rposition(|start| *start <= token.span.start).unwrap_or(0);
        if let Some(sentence) = sentences.get_mut(sentence) {
            sentence.push(value);
        }
    }
    json!(sentences)
}
