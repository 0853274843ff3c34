//! What the tasks on tokens share: a mark for each token, its tag in the mark's value, further columns beside it.
//!
//! Lists of tokens carry no spacing, so the text is the tokens joined by single spaces; it is written back as tokens.
//! After edits, a token whose words now have white space between them is written as several, and words that no token
//! covers are written as tokens of their own.

use std::borrow::Cow;
use std::sync::Arc;

use fissure_core::layer::TOKEN;
use fissure_core::{Anchor, Column, Mark, Sample, Span};
use serde_json::Value;

use crate::Fault;
use crate::row_builder::RowBuilder;
use crate::sample_builder::{SampleBuilder, kind};

/// The role of a column with a value for each token.
const EACH: &str = "each";

/// The spellings of a list.
pub(crate) const NUMBERS: &str = "numbers";
/// Words in one text, with white space between them.
pub(crate) const WORDS: &str = "words";

/// The attribute that keeps a token which has white space in it, so that it is not taken for several.
const WHOLE: &str = "token";

/// The attribute that keeps the number a token had, for columns that point at tokens by number.
const INDEX: &str = "index";

/// Columns that point at tokens by number.
const POINTERS: &[&str] = &["head", "stanford_head", "deps"];

/// Makes the text and the token marks from the column of tokens.
pub(crate) fn read(sample_builder: &mut SampleBuilder) -> Result<usize, Fault> {
    let Some((column, value)) = sample_builder.take("text")? else { return Ok(0) };
    match value {
        Value::Array(tokens) => {
            let (text, spans) = join(&column, &tokens, sample_builder.sample.fields.len())?;
            sample_builder.field("text", text, true);
            sample_builder.sample.marks.extend(spans);
        }
        Value::String(text) => {
            sample_builder.set_form("text", WORDS);
            let start = text.as_ptr() as usize;
            let span =
                |word: &str| Span::new(word.as_ptr() as usize - start, word.as_ptr() as usize - start + word.len());
            let mark = |word| Mark::new(TOKEN, 0, span(word), "", Anchor::Elastic);
            sample_builder.sample.marks.extend(text.split_whitespace().map(mark));
            sample_builder.field("text", text, false);
        }
        other => return Err(Fault::at(column, format!("{} where a list of tokens is needed", kind(&other)), other)),
    }
    let count = sample_builder.sample.marks.len();
    read_others(sample_builder, count);
    Ok(count)
}

/// Tokens, and a tag on each.
pub(crate) fn read_tagged(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    let count = read(sample_builder)?;
    if let Some(tags) = values(sample_builder, "tags", count)? {
        tokens_of(&mut sample_builder.sample).zip(tags).for_each(|(mark, tag)| mark.value = tag);
    }
    Ok(())
}

/// Joins tokens by single spaces.
pub(crate) fn join(column: &Arc<str>, tokens: &[Value], field: usize) -> Result<(String, Vec<Mark>), Fault> {
    let mut text = String::new();
    let mut marks = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let Value::String(token) = token else {
            let why = format!("token {at} is {}, not a text", kind(token));
            return Err(Fault::at(Arc::clone(column), why, token));
        };
        if at > 0 {
            text.push(' ');
        }
        let mut mark = Mark::new(TOKEN, field, Span::new(text.len(), text.len() + token.len()), "", Anchor::Elastic);
        if token.contains(char::is_whitespace) {
            mark.attributes.push((WHOLE.into(), token.as_str().into()));
        }
        marks.push(mark);
        text.push_str(token);
    }
    Ok((text, marks))
}

/// Puts every column that is a list of values, one for each token, beside the tokens, so that the values move along.
fn read_others(sample_builder: &mut SampleBuilder, count: usize) {
    let simple = |value: &Value| !value.is_array() && !value.is_object();
    let others = sample_builder.take_others(EACH, |name, value| match value {
        // What belongs to a token of CoNLL-U beside the columns (ranges, empty nodes) is an object.
        Value::Array(values) if values.len() == count && (values.iter().all(simple) || name == "beside") => {
            Some(std::mem::take(values))
        }
        _ => None,
    });
    let numbered = others.iter().any(|(name, _)| &**name == INDEX);
    let points = sample_builder.has_column(POINTERS);
    for (name, values) in others {
        for (mark, value) in tokens_of(&mut sample_builder.sample).zip(values) {
            mark.attributes.push((Arc::clone(&name), value));
        }
    }
    if points && !numbered {
        for (at, mark) in tokens_of(&mut sample_builder.sample).enumerate() {
            mark.attributes.push((INDEX.into(), (at + 1).into()));
        }
    }
}

/// The marks of a layer in the order of the text, with their indices: the order that answers follow.
pub fn in_order<'s>(sample: &'s Sample, layer: &'s str) -> Vec<(usize, &'s Mark)> {
    let mut marks: Vec<(usize, &Mark)> = sample.layer(layer).collect();
    marks.sort_by_key(|(_, mark)| (mark.field, mark.span.start));
    marks
}

pub(crate) fn tokens_of(sample: &mut Sample) -> impl Iterator<Item = &mut Mark> {
    sample.marks.iter_mut().filter(|mark| mark.layer == TOKEN)
}

/// The values of a column with one for each token, as texts. Its form is remembered.
pub(crate) fn values(
    sample_builder: &mut SampleBuilder,
    role: &'static str,
    count: usize,
) -> Result<Option<Vec<String>>, Fault> {
    let Some((column, value)) = sample_builder.take(role)? else { return Ok(None) };
    let values: Vec<String> = match value {
        Value::String(words) => {
            sample_builder.set_form(role, WORDS);
            words.split_whitespace().map(str::to_owned).collect()
        }
        Value::Array(values) => {
            if !values.is_empty() && values.iter().all(Value::is_number) {
                sample_builder.set_form(role, NUMBERS);
            }
            let text = |(at, value)| match value {
                Value::String(tag) => Ok(tag),
                Value::Number(tag) => Ok(tag.to_string()),
                other => Err(Fault::at(Arc::clone(&column), format!("value {at} is {}", kind(&other)), other)),
            };
            values.into_iter().enumerate().map(text).collect::<Result<_, _>>()?
        }
        Value::Null => return Ok(None),
        other => return Err(Fault::at(column, format!("{} where a list is needed", kind(&other)), other)),
    };
    if values.len() != count {
        let why = format!("{} values for {count} tokens", values.len());
        return Err(Fault::at(column, why, values.join(" ")));
    }
    Ok(Some(values))
}

/// A token as it is now, after edits.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    pub text: &'a str,
    pub span: Span,
    /// The mark it comes from, by index; `None` for words that no mark covers.
    pub mark: Option<usize>,
    /// It is piece number `piece` of the `pieces` its mark has come to.
    pub piece: usize,
    pub pieces: usize,
}

/// The tokens of the first field as they are now.
pub(crate) fn cut(sample: &Sample) -> Vec<Token<'_>> {
    let Some(field) = sample.fields.first() else { return Vec::new() };
    let text = field.text.as_str();
    let mut marks: Vec<(usize, &Mark)> = sample.layer(TOKEN).filter(|(_, mark)| mark.field == 0).collect();
    marks.sort_by_key(|(index, mark)| (mark.span.start, *index));
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(marks.len());
    let mut done = 0;
    for (index, mark) in marks {
        push_words(&mut tokens, text, Span::new(done, mark.span.start.max(done)), None);
        let words = mark.span.of(text);
        let whole = mark.attributes.iter().any(|(name, token)| &**name == WHOLE && token == words);
        if whole || mark.span.is_empty() {
            tokens.push(Token { text: words, span: mark.span, mark: Some(index), piece: 0, pieces: 1 });
        } else {
            push_words(&mut tokens, text, mark.span, Some(index));
        }
        done = done.max(mark.span.end);
    }
    push_words(&mut tokens, text, Span::new(done, text.len()), None);
    if !field.from_tokens {
        // The reader of a text will take what has no white space in it for one word.
        let mut merged: Vec<Token<'_>> = Vec::with_capacity(tokens.len());
        for token in tokens {
            match merged.last_mut() {
                Some(last) if last.span.end == token.span.start && !token.span.is_empty() => {
                    last.span.end = token.span.end;
                    last.text = last.span.of(text);
                    last.mark = last.mark.or(token.mark);
                }
                _ => merged.push(token),
            }
        }
        return merged;
    }
    tokens
}

fn push_words<'a>(tokens: &mut Vec<Token<'a>>, text: &'a str, span: Span, mark: Option<usize>) {
    let part = span.of(text);
    let pieces = part.split_whitespace().count();
    for (piece, word) in part.split_whitespace().enumerate() {
        let start = span.start + (word.as_ptr() as usize - part.as_ptr() as usize);
        tokens.push(Token { text: word, span: Span::new(start, start + word.len()), mark, piece, pieces });
    }
}

impl Token<'_> {
    /// The tag of its mark; `None` for a word that had none.
    pub fn tag<'s>(&self, sample: &'s Sample) -> Option<Cow<'s, str>> {
        Some((&*sample.marks.get(self.mark?)?.value).into())
    }

    /// The tag of its mark as it goes on over the pieces of an entity that is now several words long.
    pub fn entity_tag<'s>(&self, sample: &'s Sample) -> Option<Cow<'s, str>> {
        let tag = self.tag(sample)?;
        let Some((prefix, name)) = tag.split_at_checked(1) else { return Some(tag) };
        if self.pieces == 1 || !(name.is_empty() || name.starts_with('-')) {
            return Some(tag);
        }
        let ends = |mark: &Mark| mark.value.starts_with("M-") || mark.value.starts_with("E-");
        let inside = if sample.marks.iter().any(ends) { "M" } else { "I" };
        let [first, middle, last] = match prefix {
            "B" => ["B", inside, inside],
            "S" => ["B", "M", "E"],
            "E" => ["M", "M", "E"],
            "U" => ["B", "I", "L"],
            "L" => ["I", "I", "L"],
            _ => return Some(tag),
        };
        let letter = match self.piece {
            0 => first,
            piece if piece + 1 == self.pieces => last,
            _ => middle,
        };
        Some(format!("{letter}{name}").into())
    }

    /// A further column of this token.
    pub fn attribute<'s>(&self, sample: &'s Sample, name: &str) -> Option<&'s Value> {
        let mark = sample.marks.get(self.mark?)?;
        mark.attributes.iter().find(|(known, _)| &**known == name).map(|(_, value)| value)
    }
}

/// The first and the last of the tokens that a span touches.
pub(crate) fn covered(tokens: &[Token<'_>], span: Span) -> Option<[usize; 2]> {
    let touched = |token: &Token<'_>| token.span.overlaps(span) || (token.span.is_empty() && token.span == span);
    Some([tokens.iter().position(touched)?, tokens.iter().rposition(touched)?])
}

/// The column of tokens, or a column beside it.
pub(crate) fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    match column.role {
        "text" if column.form == WORDS => row_builder.field("text").into(),
        "text" => row_builder.tokens().iter().map(|token| token.text).collect(),
        EACH => each(row_builder, &column.name),
        _ => Value::Null,
    }
}

/// A list in the form it came in. A number that is not known is -100, which trainers of taggers pass over.
pub(crate) fn in_form<'s>(values: impl Iterator<Item = Cow<'s, str>>, form: &str) -> Value {
    match form {
        WORDS => values.collect::<Vec<_>>().join(" ").into(),
        NUMBERS => {
            values.map(|value| value.parse::<serde_json::Number>().map_or(Value::from(-100), Value::Number)).collect()
        }
        _ => values.map(Cow::into_owned).collect(),
    }
}

fn each(row_builder: &RowBuilder<'_>, name: &str) -> Value {
    let tokens = row_builder.tokens();
    let texts = tokens.iter().any(|token| token.attribute(row_builder.sample, name).is_some_and(Value::is_string));
    if name == INDEX {
        let number = |at: usize| if texts { (at + 1).to_string().into() } else { Value::from(at + 1) };
        return (0..tokens.len()).map(number).collect();
    }
    let unknown = if texts { "_".into() } else { Value::Null };
    let value = |(at, token): (usize, &Token<'_>)| match token.attribute(row_builder.sample, name) {
        Some(_) if name == "beside" && token.piece > 0 => Value::Null,
        Some(value) if POINTERS.contains(&name) => renumbered(row_builder, at, value),
        Some(value) => value.clone(),
        None => unknown.clone(),
    };
    tokens.iter().enumerate().map(value).collect()
}

/// The number that a token had.
fn had(row_builder: &RowBuilder<'_>, token: &Token<'_>) -> Option<String> {
    match token.attribute(row_builder.sample, INDEX)? {
        Value::String(number) => Some(number.clone()),
        number => number.as_u64().map(|number| number.to_string()),
    }
}

/// A pointer of the token at `at` at tokens by their old numbers (`3`, `0`, `4:nsubj|7:conj`), by their new ones; `_` where a
/// token is gone.
fn renumbered(row_builder: &RowBuilder<'_>, at: usize, value: &Value) -> Value {
    let new = |old: &str| -> Option<String> {
        // A token of an empty node, `8.1`, moves with the token before it.
        let (whole, part) = old.split_once('.').map_or((old, None), |(whole, part)| (whole, Some(part)));
        let number = if whole == "0" {
            0
        } else {
            let numbers = row_builder.numbers(|token| had(row_builder, token));
            let plain = || whole.parse::<u64>().ok().map(|number| number.to_string());
            let places = numbers.get(whole).or_else(|| numbers.get(&plain()?))?;
            // Of several tokens with one number the pointer means the one that is as far away as it was.
            let own = had(row_builder, &row_builder.tokens()[at]).and_then(|own| own.parse::<i64>().ok());
            let meant = at as i64 + whole.parse::<i64>().unwrap_or(0) - own.unwrap_or(0);
            *places.iter().min_by_key(|place| (**place as i64 - meant).abs())? + 1
        };
        Some(part.map_or(number.to_string(), |part| format!("{number}.{part}")))
    };
    match value {
        Value::Number(old) => {
            new(&old.to_string()).and_then(|new| new.parse::<u64>().ok()).map_or(Value::Null, Value::from)
        }
        Value::String(old) if old == "_" => "_".into(),
        Value::String(old) => {
            let one = |pointer: &str| match pointer.split_once(':') {
                Some((old, relation)) => new(old).map(|new| format!("{new}:{relation}")),
                None => new(pointer),
            };
            let kept: Vec<String> = old.split('|').filter_map(one).collect();
            if kept.is_empty() { "_".into() } else { kept.join("|").into() }
        }
        other => other.clone(),
    }
}
