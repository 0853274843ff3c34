//! Where the words of a text without spaces begin and end.

use fissure_core::layer::{OF_THE_FORM, TOKEN};
use fissure_core::{Anchor, Column, Language, Mark, Span};
use serde_json::Value;

use crate::metrics::{Metric, SpanMeasure, Spans};
use crate::pointers::{INDEX, Numbers, POINTERS, is_of_tree};
use crate::row_builder::RowBuilder;
use crate::sample_builder::{SampleBuilder, kind};
use crate::spacing::{BESIDE, MISC, NO_SPACE};
use crate::tokens;
use crate::{Answers, Fault};

/// The forms of the text: words with white space between, a list of words, a list of characters, or plain text.
const SPACED: &str = "spaced";
const WORD_LIST: &str = "words";
const CHARACTERS: &str = "characters";
const PLAIN: &str = "";

/// The form of a column of tags that is an empty list: the words say it all.
const NO_TAGS: &str = "none";

/// The attributes that keep white space other than one space between two words.
const BEFORE: &str = "before";
const AFTER: &str = "after";

/// The attribute that keeps the word which starts at a character. No column is called like this.
const WORD: &str = "word in the original";

super::task! {
    /// Word segmentation: a tag on each character, `B` and `E` for a word's first and last, `M` between, `S` alone.
    ///
    /// The text has spaces between words, or is a list of words (then tags are read off, and may be missing or empty),
    /// or is plain text or a list of characters with a tag for each. The sample's text has no spaces between words. A
    /// new word between two others is a word of its own.
    fields: {
        "text" (open) = ["x", "text", "sentence", "words", "tokens"],
    }
    labels: {
        "tags" (Never) = ["y", "tags", "bmes", "labels"],
    }
    texts: One,
    labelled: Characters,
    layers: &[TOKEN],
    aliases: &["segmentation", "word_segmentation"],
    metric: "word F1",
    metrics: metrics,
    read: read,
    write: write,
    answers: Answers::CharacterTags,
}

fn metrics(_: &[String]) -> Vec<Box<dyn Metric>> {
    let words = |measure| Box::new(Spans::words(measure)) as Box<dyn Metric>;
    [SpanMeasure::F1, SpanMeasure::Precision, SpanMeasure::Recall].map(words).into()
}

fn read(sample_builder: &mut SampleBuilder) -> Result<(), Fault> {
    let Some((column, value)) = sample_builder.take("text")? else { return Ok(()) };
    let (words, form): (Vec<String>, _) = match &value {
        Value::String(text) => (text.split_whitespace().map(str::to_owned).collect(), SPACED),
        Value::Array(list) => {
            let word = |word: &Value| word.as_str().filter(|word| !word.is_empty()).map(str::to_owned);
            let needed = || Fault::at(column.clone(), "a list of words is needed", &value);
            (list.iter().map(word).collect::<Option<_>>().ok_or_else(needed)?, WORD_LIST)
        }
        other => return Err(Fault::at(column, format!("{} where words are needed", kind(other)), other)),
    };
    // What follows a slash there is no part of the word: `迈向/v 充满/v`.
    if words.len() > 1 && words.iter().all(|word| has_tag(word)) {
        let why = format!("the words carry tags of their own (`{}`); give the words without them", words[0]);
        return Err(Fault::at(column, why, &value));
    }
    let read_off: Vec<&str> = words.iter().flat_map(|word| tags_of(word.chars().count())).collect();
    let given = match sample_builder.peek("tags") {
        Some(Value::Array(tags)) if tags.is_empty() => {
            sample_builder.take("tags")?;
            sample_builder.set_form("tags", NO_TAGS);
            None
        }
        Some(Value::String(tags)) if tags.is_empty() => {
            sample_builder.take("tags")?;
            sample_builder.set_form("tags", NO_TAGS);
            None
        }
        _ => {
            let whole = value.as_str().map(|text| text.chars().count());
            let tags = sample_builder.peek("tags").map(|tags| {
                tags.as_array()
                    .map_or_else(|| tags.as_str().map_or(0, |tags| tags.split_whitespace().count()), Vec::len)
            });
            // A space with a tag of its own is a character like any other.
            let plain = whole.filter(|whole| Some(*whole) == tags);
            tokens::values(sample_builder, "tags", plain.unwrap_or(read_off.len()))?
        }
    };
    let (text, form) = match (&value, &given) {
        (Value::String(text), Some(tags)) if tags.len() == text.chars().count() => (text.clone(), PLAIN),
        (_, Some(_)) if words.iter().all(|word| word.chars().count() == 1) && form == WORD_LIST => {
            (words.concat(), CHARACTERS)
        }
        (_, Some(tags)) if *tags != read_off => {
            return Err(Fault::at(column, format!("the words do not go with the tags {}", tags.join(" ")), &value));
        }
        _ if form == WORD_LIST && words.iter().any(|word| word.contains(char::is_whitespace)) => {
            return Err(Fault::at(column, "a word with white space in it", &value));
        }
        _ => (words.concat(), form),
    };
    sample_builder.set_form("text", form);
    let tags: Vec<String> = given.unwrap_or_else(|| read_off.into_iter().map(str::to_owned).collect());
    let mark = |((at, character), tag): ((usize, char), String)| {
        Mark::new(TOKEN, 0, Span::new(at, at + character.len_utf8()), tag, Anchor::Elastic)
    };
    sample_builder.sample.marks = text.char_indices().zip(tags).map(mark).collect();
    if form == WORD_LIST {
        keep_columns(sample_builder, &words);
    }
    if let (Value::String(spaced), SPACED) = (&value, form) {
        keep_spaces(&mut sample_builder.sample.marks, spaced);
    }
    sample_builder.field("text", text, false);
    // By its letters a text may count as English, but its words are not apart: parts for English would take several for one.
    for field in sample_builder.sample.fields.iter_mut().filter(|field| field.text.language() == Language::English) {
        field.text = std::mem::take(&mut field.text).in_language(Language::Chinese);
    }
    Ok(())
}

/// Puts the columns with a value for each word (those of CoNLL-U) on the first character of the word.
fn keep_columns(sample_builder: &mut SampleBuilder, words: &[String]) {
    let others = tokens::take_each(sample_builder, words.len());
    if others.is_empty() {
        return;
    }
    let marks = &mut sample_builder.sample.marks;
    let mut first = 0;
    let firsts: Vec<usize> = words
        .iter()
        .map(|word| {
            let own = first;
            first += word.chars().count();
            own
        })
        .collect();
    for (at, word) in firsts.iter().zip(words) {
        marks[*at].attributes.push((WORD.into(), word.as_str().into()));
    }
    let numbered = others.iter().any(|(name, _)| &**name == INDEX);
    for (name, values) in others {
        for (at, value) in firsts.iter().zip(values) {
            marks[*at].attributes.push((name.clone(), value));
        }
    }
    if !numbered {
        for (number, at) in firsts.iter().enumerate() {
            marks[*at].attributes.push((INDEX.into(), (number + 1).into()));
        }
    }
}

/// Whether a word is one with its part of speech behind a slash, as the People's Daily has them: `迈向/v`, `19980101/m`.
fn has_tag(word: &str) -> bool {
    word.rsplit_once('/').is_some_and(|(word, tag)| {
        !word.is_empty() && tag.starts_with(|c: char| c.is_ascii_alphabetic()) && tag.len() < 6 && tag.is_ascii()
    })
}

/// The tags of a word of this many characters.
fn tags_of(count: usize) -> impl Iterator<Item = &'static str> {
    (0..count).map(move |at| match (at, at + 1 == count) {
        (0, true) => "S",
        (0, false) => "B",
        (_, true) => "E",
        _ => "M",
    })
}

/// Writes down the white space that is not one space between two words.
fn keep_spaces(marks: &mut [Mark], spaced: &str) {
    let mut rest = spaced;
    for at in 0..marks.len() {
        let word = rest.trim_start();
        let space = &rest[..rest.len() - word.len()];
        match at {
            0 if !space.is_empty() => marks[0].attributes.push((BEFORE.into(), space.into())),
            1.. if !space.is_empty() && space != " " => marks[at - 1].attributes.push((AFTER.into(), space.into())),
            _ => {}
        }
        rest = word.get(marks[at].span.len()..).unwrap_or("");
    }
    if let Some(last) = marks.last_mut().filter(|_| !rest.is_empty()) {
        last.attributes.push((AFTER.into(), rest.into()));
    }
}

/// A character on its way out.
struct Unit<'a> {
    text: &'a str,
    tag: &'a str,
    mark: Option<&'a Mark>,
}

fn write(row_builder: &RowBuilder<'_>, column: &Column) -> Value {
    // In plain text, and in a list of characters, a space is a character like any other.
    let text_form = row_builder.form_of("text");
    let units = units(row_builder, matches!(text_form, PLAIN | CHARACTERS));
    match (column.role, column.form) {
        ("tags", NO_TAGS) => Value::Array(Vec::new()),
        ("tags", form) => tokens::in_form(units.iter().map(|unit| unit.tag.into()), form),
        ("text", PLAIN) => row_builder.field("text").into(),
        ("text", CHARACTERS) => units.iter().map(|unit| unit.text).collect(),
        ("text", form) => {
            let words = words(&units);
            if form == WORD_LIST {
                return words.iter().map(|word| word.iter().map(|unit| unit.text).collect::<String>()).collect();
            }
            spaced(&words).into()
        }
        (tokens::EACH, _) => each(&words(&units), &column.name),
        _ => tokens::write(row_builder, column),
    }
}

/// A column with a value for each word. What was said of a word holds while its first character is there; its lemma and form
/// only for the very same word. What is not known is `_`.
fn each(words: &[&[Unit<'_>]], name: &str) -> Value {
    let of = |word: &[Unit<'_>], name: &str| -> Option<Value> {
        let attributes = &word.first()?.mark?.attributes;
        attributes.iter().find(|(known, _)| &**known == name).map(|(_, value)| value.clone())
    };
    if name == INDEX {
        return (1..=words.len()).map(Value::from).collect();
    }
    let column: Vec<Option<Value>> = words.iter().map(|word| of(word, name)).collect();
    let had = |word: &&[Unit<'_>]| (of(word, INDEX).and_then(|number| Numbers::number(&number)), None);
    let numbers = Numbers::new(words.iter().map(had));
    let texts = column.iter().flatten().any(Value::is_string) || name == MISC;
    let unknown = if texts { Value::from("_") } else { Value::Null };
    if is_of_tree(name) {
        let heads: Vec<Option<Value>> = words.iter().map(|word| of(word, "head")).collect();
        if numbers.lose_tree(|at| heads[at].as_ref()) {
            return vec![unknown; words.len()].into();
        }
    }
    // Where words of the file touch each other, new ones do.
    let touches =
        |value: &Option<Value>| value.as_ref().and_then(Value::as_str).is_some_and(|misc| misc.contains(NO_SPACE));
    let packed = if name == MISC && column.iter().any(touches) { NO_SPACE.into() } else { unknown.clone() };
    let value = |(at, (value, word)): (usize, (Option<Value>, &&[Unit<'_>]))| -> Value {
        let Some(value) = value else { return packed.clone() };
        let text: String = word.iter().map(|unit| unit.text).collect();
        match (name, value) {
            (MISC, Value::String(misc)) => numbers.in_misc(at, &misc).into(),
            (BESIDE, value) => numbers.in_nodes(at, value),
            (name, value) if POINTERS.contains(&name) => numbers.renumbered(at, name, &value),
            (name, _) if OF_THE_FORM.contains(&name) && of(word, WORD) != Some(text.into()) => unknown.clone(),
            (_, value) => value,
        }
    };
    column.into_iter().zip(words).enumerate().map(value).collect()
}

fn units<'a>(row_builder: &RowBuilder<'a>, spaces: bool) -> Vec<Unit<'a>> {
    let text = row_builder.field("text");
    let mut units = Vec::new();
    let mut done = 0;
    for (_, mark) in row_builder.sample.layer(TOKEN) {
        push(&mut units, text.get(done..mark.span.start).unwrap_or(""), None);
        push(&mut units, mark.span.of(text), Some(mark));
        done = done.max(mark.span.end);
    }
    push(&mut units, text.get(done..).unwrap_or(""), None);
    units.retain(|unit| spaces || !unit.text.trim().is_empty());
    units
}

/// Tags the characters of `part`: as the tag of its mark goes on, or as words of their own.
fn push<'a>(units: &mut Vec<Unit<'a>>, part: &'a str, mark: Option<&'a Mark>) {
    let character = |(at, character): (usize, char)| &part[at..at + character.len_utf8()];
    match mark {
        Some(mark) => {
            let count = part.chars().count();
            for (at, text) in part.char_indices().map(character).enumerate() {
                let tag = match (&*mark.value, at == 0, at + 1 == count) {
                    (tag, true, true) => tag,
                    ("S", true, _) | ("B", true, _) => "B",
                    ("S", _, true) | ("E", _, true) => "E",
                    ("S" | "B" | "E" | "M", ..) => "M",
                    (tag, ..) => tag,
                };
                units.push(Unit { text, tag, mark: Some(mark) });
            }
        }
        None => {
            // Words, and the white space between them character by character.
            for word in part.split_inclusive(char::is_whitespace) {
                let letters = word.trim_end();
                let tags = tags_of(letters.chars().count()).chain(std::iter::repeat("S"));
                let characters = word.char_indices().map(|(at, character)| &word[at..at + character.len_utf8()]);
                units.extend(characters.zip(tags).map(|(text, tag)| Unit { text, tag, mark: None }));
            }
        }
    }
}

/// A word starts at `B` and `S`, and after `E` and `S`.
fn words<'u, 'a>(units: &'u [Unit<'a>]) -> Vec<&'u [Unit<'a>]> {
    let parted =
        |before: &Unit<'_>, after: &Unit<'_>| matches!(after.tag, "B" | "S") || matches!(before.tag, "E" | "S");
    units.chunk_by(|before, after| !parted(before, after)).collect()
}

fn spaced(words: &[&[Unit<'_>]]) -> String {
    let kept = |unit: Option<&Unit<'_>>, name: &str| {
        let attributes = &unit?.mark?.attributes;
        attributes.iter().find(|(known, _)| &**known == name)?.1.as_str().map(str::to_owned)
    };
    let mut text = kept(words.first().and_then(|word| word.first()), BEFORE).unwrap_or_default();
    for (at, word) in words.iter().enumerate() {
        text.extend(word.iter().map(|unit| unit.text));
        let last = at + 1 == words.len();
        text.push_str(&kept(word.last(), AFTER).unwrap_or(if last { "" } else { " " }.into()));
    }
    text
}
