//! The examples on cards: a before and an after, in a notation that shows labels on one line.
//!
//! | written | is |
//! |---|---|
//! | `A tall man runs.` | a sample with one text |
//! | `one text // another` | two texts, `first` and `second` |
//! | `premise:: A man runs. // hypothesis:: He moves.` | texts with the names of a task's fields |
//! | `(question):: Where? // context:: In Graz.` | a text that parts may not edit |
//! | `... // label:: entailment` | the class; numbers, `true` and `false` are what they look like |
//! | `[burgers\|aspect:positive]` | a mark on `burgers`, in the layer `aspect`, with the value `positive` |
//! | `[Tasty\|opinion #1] [fries\|aspect >opinion=1]` | a mark called 1, and a link of the layer `opinion` to it |
//! | `[He\|token:PRON >head=2:nsubj] [left\|token #2]` | a link with a value |
//!
//! Marks may lie in one another. Parts are run on what `before` reads as, and what comes out, written in the same
//! notation, must be `after`: so an example is a test and a manual page, with labels too.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{Field, Label, Link, Mark, Sample, Span, layer};

/// A before and an after that the tests hold the part to. `after` equal to `before` shows what is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Example {
    /// Knobs as a user would set them; `seed` is the seed.
    pub settings: &'static [(&'static str, &'static str)],
    pub before: &'static str,
    pub after: &'static str,
}

/// Stands between the texts of a sample.
const BETWEEN: &str = " // ";
/// Stands behind the name of a field.
const NAMED: &str = ":: ";
/// The name under which the class is written.
const LABEL: &str = "label";

impl Example {
    /// The sample to run.
    pub fn sample(&self) -> Result<Sample, String> {
        read(self.before)
    }
}

/// The sample that `notation` describes, or what is wrong with it.
pub fn read(notation: &str) -> Result<Sample, String> {
    let mut sample = Sample { id: "example".into(), ..Sample::default() };
    let mut names = BTreeMap::new();
    let mut links = Vec::new();
    let mut parts: Vec<(Option<&str>, &str)> = notation.split(BETWEEN).map(split_name).collect();
    if let Some((Some(LABEL), label)) = parts.last() {
        sample.label = Some(Label(serde_json::from_str(label).unwrap_or_else(|_| (*label).into())));
        parts.pop();
    }
    let is_pair = parts.len() > 1;
    for (name, text) in parts {
        let unnamed = if is_pair { ["first", "second"][sample.fields.len().min(1)] } else { "text" };
        let name = name.unwrap_or(unnamed);
        let field = sample.fields.len();
        let mut reader = Reader { rest: text, text: String::new(), field, marks: &mut sample.marks, links: &mut links };
        reader.passage(false, &mut names)?;
        let text = reader.text;
        let closed = name.strip_prefix('(').and_then(|name| name.strip_suffix(')'));
        sample.fields.push(Field { open: closed.is_none(), ..Field::open(closed.unwrap_or(name), text) });
    }
    for (layer, from, to, value) in links {
        let to = *names.get(&to).ok_or_else(|| format!("no mark is called `#{to}`"))?;
        sample.links.push(Link { layer, from, to, value });
    }
    Ok(sample)
}

/// The name before `:: `, if it looks like one.
fn split_name(part: &str) -> (Option<&str>, &str) {
    let is_name = |name: &str| {
        let inner = name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(name);
        !inner.is_empty() && inner.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    match part.split_once(NAMED) {
        Some((name, text)) if is_name(name) => (Some(name), text),
        _ => (None, part),
    }
}

struct Reader<'a> {
    rest: &'a str,
    text: String,
    field: usize,
    marks: &'a mut Vec<Mark>,
    links: &'a mut Vec<(&'static str, usize, String, String)>,
}

impl Reader<'_> {
    /// Reads up to the end, or up to the `|` of the mark it is in.
    fn passage(&mut self, in_mark: bool, names: &mut BTreeMap<String, usize>) -> Result<(), String> {
        while let Some(c) = self.rest.chars().next() {
            match c {
                '|' if in_mark => return Ok(()),
                '[' if self.opens_a_mark() => {
                    self.rest = &self.rest[1..];
                    self.mark(names)?;
                }
                _ => {
                    self.text.push(c);
                    self.rest = &self.rest[c.len_utf8()..];
                }
            }
        }
        if in_mark { Err("a mark has no `|layer]`".into()) } else { Ok(()) }
    }

    /// Whether the bracket ahead has a `|` before its closing bracket; others are brackets of the text.
    fn opens_a_mark(&self) -> bool {
        let mut depth = 0;
        for c in self.rest.chars() {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                '|' if depth == 1 => return true,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
        }
        false
    }

    fn mark(&mut self, names: &mut BTreeMap<String, usize>) -> Result<(), String> {
        let start = self.text.len();
        // Outer marks come before the marks inside them.
        let index = self.marks.len();
        self.marks.push(Mark::new(layer::TOKEN, self.field, Span::new(start, start), "", crate::Anchor::Elastic));
        self.passage(true, names)?;
        let (head, rest) = self.rest[1..].split_once(']').ok_or("a mark has no closing bracket")?;
        self.rest = rest;
        let mut words = head.split(' ');
        let (name, value) = split_value(words.next().unwrap_or_default());
        let (layer, anchor) = layer::find(name).ok_or_else(|| format!("no layer is called `{name}`"))?;
        self.marks[index] = Mark::new(layer, self.field, Span::new(start, self.text.len()), value, anchor);
        for word in words {
            if let Some(name) = word.strip_prefix('#') {
                names.insert(name.to_owned(), index);
            } else if let Some((link, target)) = word.strip_prefix('>').and_then(|word| word.split_once('=')) {
                let (link, _) = layer::find(link).ok_or_else(|| format!("no layer is called `{link}`"))?;
                let (target, value) = split_value(target);
                self.links.push((link, index, target.to_owned(), value.to_owned()));
            } else {
                return Err(format!("`{word}` is neither a name `#1` nor a link `>layer=1`"));
            }
        }
        Ok(())
    }
}

fn split_value(word: &str) -> (&str, &str) {
    word.split_once(':').unwrap_or((word, ""))
}

/// The sample in the notation that [`read`] reads.
pub fn write(sample: &Sample) -> String {
    let linked: BTreeSet<usize> = sample.links.iter().map(|link| link.to).collect();
    let name = |mark: usize| linked.iter().position(|known| *known == mark).map(|at| at + 1);
    let mut parts: Vec<String> = Vec::new();
    for (at, field) in sample.fields.iter().enumerate() {
        let text = write_field(sample, at, &name);
        let is_unnamed = match sample.fields.len() {
            1 => &*field.name == "text",
            _ => &*field.name == ["first", "second"][at.min(1)],
        };
        parts.push(match (is_unnamed && field.open, field.open) {
            (true, _) => text,
            (false, true) => format!("{}{NAMED}{text}", field.name),
            (false, false) => format!("({}){NAMED}{text}", field.name),
        });
    }
    parts.extend(sample.label.as_ref().map(|label| format!("{LABEL}{NAMED}{label}")));
    parts.join(BETWEEN)
}

fn write_field(sample: &Sample, field: usize, name: &dyn Fn(usize) -> Option<usize>) -> String {
    let text = sample.fields[field].text.as_str();
    let mut marks: Vec<usize> = (0..sample.marks.len()).filter(|at| sample.marks[*at].field == field).collect();
    // Outer marks open first and close last.
    marks.sort_by_key(|at| {
        let Span { start, end } = sample.marks[*at].span;
        (start, std::cmp::Reverse(end), *at)
    });
    let mut out = String::new();
    let mut open: Vec<usize> = Vec::new();
    let mut done = 0;
    let start = |at: usize| sample.marks[at].span.start;
    let end = |at: usize| sample.marks[at].span.end;
    let mut marks = marks.into_iter().peekable();
    loop {
        let innermost = open.last().copied();
        let opens = |at: &usize| innermost.is_none_or(|inner| start(*at) < end(inner));
        if let Some(at) = marks.next_if(opens) {
            out.push_str(text.get(done..start(at)).unwrap_or_default());
            done = done.max(start(at));
            out.push('[');
            open.push(at);
        } else if let Some(at) = open.pop() {
            out.push_str(text.get(done..end(at)).unwrap_or_default());
            done = done.max(end(at));
            out += &format!("|{}]", tail(sample, at, name));
        } else {
            break;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// What stands behind the `|` of a mark.
fn tail(sample: &Sample, at: usize, name: &dyn Fn(usize) -> Option<usize>) -> String {
    let with_value =
        |name: &str, value: &str| if value.is_empty() { name.to_owned() } else { format!("{name}:{value}") };
    let mark = &sample.marks[at];
    let mut tail = with_value(mark.layer, &mark.value);
    if let Some(name) = name(at) {
        tail += &format!(" #{name}");
    }
    for link in sample.links.iter().filter(|link| link.from == at) {
        let target = name(link.to).unwrap_or_default().to_string();
        tail += &format!(" >{}={}", link.layer, with_value(&target, &link.value));
    }
    tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        for notation in [
            "so good",
            "one // two",
            "premise:: A man runs. // hypothesis:: He moves. // label:: entailment",
            "(question):: Where? // context:: In [Graz|answers].",
            "[Tasty|opinion #1] [burgers|aspect:positive >opinion=1], and so on [1]",
            "[He|token:PRON >head=1:nsubj] [left|token:VERB #1 >root=1:root] .",
            "[[New|token:PROPN] [York|token:PROPN]|entity:LOC] grows // label:: 2",
        ] {
            assert_eq!(write(&read(notation).unwrap()), notation);
        }
    }

    #[test]
    fn marks_links_and_classes_are_what_they_say() {
        let sample = read("[Tasty|opinion #1] [burgers|aspect:positive >opinion=1] // label:: 2").unwrap();
        assert_eq!(sample.fields[0].text.as_str(), "Tasty burgers");
        assert_eq!(sample.marks[1], Mark::new("aspect", 0, Span::new(6, 13), "positive", crate::Anchor::Rigid));
        assert_eq!(sample.links, [Link { layer: "opinion", from: 1, to: 0, value: String::new() }]);
        assert_eq!(sample.label, Some(Label(2.into())));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(read("[x|aspekt]").unwrap_err(), "no layer is called `aspekt`");
        assert_eq!(read("[x|aspect >opinion=7]").unwrap_err(), "no mark is called `#7`");
        assert_eq!(read("[x|aspect y]").unwrap_err(), "`y` is neither a name `#1` nor a link `>layer=1`");
    }
}
