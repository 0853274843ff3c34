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
use crate::pointers::{INDEX, POINTERS, is_of_tree};
use crate::row_builder::RowBuilder;
use crate::sample_builder::{SampleBuilder, kind};
use crate::spacing::{self, BESIDE, MISC};

/// The role of a column with a value for each token.
pub(crate) const EACH: &str = "each";

/// The spellings of a list.
pub(crate) const NUMBERS: &str = "numbers";
/// Words in one text, with white space between them.
pub(crate) const WORDS: &str = "words";

/// The attribute that keeps a token which has white space in it, so that it is not taken for several.
const WHOLE: &str = "token";

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
    let others = take_each(sample_builder, count);
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
    let Sample { fields, marks, .. } = &mut sample_builder.sample;
    let Some(field) = fields.first() else { return };
    let tokens = marks.iter_mut().filter(|mark| mark.layer == TOKEN);
    spacing::remember(&mut tokens.map(|mark| (mark.span.of(&field.text).to_owned(), mark)).collect::<Vec<_>>());
}

/// Takes every column that no role has and that is a list of `count` values.
pub(crate) fn take_each(sample_builder: &mut SampleBuilder, count: usize) -> Vec<(Arc<str>, Vec<Value>)> {
    let simple = |value: &Value| !value.is_array() && !value.is_object();
    sample_builder.take_others(EACH, |name, value| match value {
        // What belongs to a token of CoNLL-U beside the columns (ranges, empty nodes) is an object.
        Value::Array(values) if values.len() == count && (values.iter().all(simple) || name == BESIDE) => {
            Some(std::mem::take(values))
        }
        _ => None,
    })
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
    if is_of_tree(name) && row_builder.loses_tree() {
        return vec![unknown; tokens.len()].into();
    }
    let numbers = || row_builder.numbers();
    let value = |(at, token): (usize, &Token<'_>)| match token.attribute(row_builder.sample, name) {
        value if name == MISC && row_builder.spacing().is_some() && value.is_none_or(Value::is_string) => {
            let misc = value.and_then(Value::as_str).map(|misc| numbers().in_misc(at, misc));
            row_builder.spacing().map_or(Value::Null, |spacing| spacing.misc(at, misc.as_deref()).into())
        }
        Some(_) if name == BESIDE && token.piece > 0 => Value::Null,
        Some(value) if name == BESIDE => {
            let spaced = row_builder.spacing().map_or_else(|| value.clone(), |spacing| spacing.beside(at, value));
            numbers().in_nodes(at, spaced)
        }
        Some(value)
            if POINTERS.contains(&name)
                || (is_of_tree(name) && token.attribute(row_builder.sample, "head").is_some()) =>
        {
            numbers().renumbered(at, name, value)
        }
        Some(value) => value.clone(),
        None => unknown.clone(),
    };
    tokens.iter().enumerate().map(value).collect()
}
