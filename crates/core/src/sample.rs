//! One sample for every task: named texts, and labels that stand off from them.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::{Span, Text};

/// One example of a data set, whatever its task.
///
/// There is no type for each task. A review is one field and a class; a question-answering example is two fields and
/// answer marks; a parsed sentence is one field, a mark for each token, and a link from each token to its head. Which
/// of these a task has is written down in its *layout* (crate `data`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// Names the sample within its data set; with the seed and the part's name it owns the dice.
    pub id: String,
    pub fields: Vec<Field>,
    /// The class, where the task has one.
    pub label: Option<Label>,
    /// Labels anchored to bytes of a field.
    pub marks: Vec<Mark>,
    /// Relations between marks.
    pub links: Vec<Link>,
    /// The columns that are neither text nor label: carried along and written back as they came.
    pub extra: Vec<(Arc<str>, Value)>,
    /// How it was written down. Readers make it, writers follow it, nothing between looks at it.
    pub origin: Option<Arc<Origin>>,
}

/// How a sample was written down where it came from: its columns in order. Samples of one file share it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    pub columns: Vec<Column>,
}

/// One column of a [`Origin`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: Arc<str>,
    /// What it is to the task (`text`, `label`, `tags`, ...); empty for a column that is only carried along.
    pub role: &'static str,
    /// Which of several spellings its values had (a list or a string, a number or a name); empty if there is one.
    pub form: &'static str,
    /// Whether a list or an object stood in it as JSON in a text, as it must in a table.
    pub in_cell: bool,
}

/// A named text of a sample.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Field {
    pub name: Arc<str>,
    pub text: Text,
    /// Whether parts may edit it.
    pub open: bool,
    /// Whether it came as a list of tokens: then `text` is the tokens joined by single spaces, and it is written back
    /// as tokens.
    pub from_tokens: bool,
}

/// A class, in the type the user gave it (`1`, `"pos"`, `true`), so that it can be written back the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Label(pub Value);

/// A label on a range of bytes: a token's tag, an answer, an aspect term, a mention.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// What kind of mark it is: `token`, `answer`, `aspect`, ... Marks of one layer share an [`Anchor`].
    pub layer: &'static str,
    /// The index of the field it stands on.
    pub field: usize,
    pub span: Span,
    /// The label itself (a tag, a polarity, a cluster's name); may be empty.
    pub value: String,
    pub anchor: Anchor,
    /// Further columns of the same mark (lemma, features, ...), carried along.
    pub attributes: Vec<(Arc<str>, Value)>,
}

/// How a mark holds to its words when an edit crosses its edge. (An edit inside a mark never disturbs it: the mark
/// grows or shrinks with its words.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The edit is refused and counted: an answer or an aspect term is never cut.
    Rigid,
    /// The mark takes the new words in: tokens, which must go on covering the text.
    Elastic,
}

/// A relation between two marks of the same sample, by their indices: a head, a relation, a member of a cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    pub layer: &'static str,
    pub from: usize,
    pub to: usize,
    pub value: String,
}

impl Sample {
    /// A sample with one open text and nothing else.
    pub fn of_text(id: impl Into<String>, text: impl Into<Text>) -> Self {
        Self { id: id.into(), fields: vec![Field::open("text", text)], ..Self::default() }
    }

    /// The text of the field called `name`.
    pub fn text(&self, name: &str) -> Option<&Text> {
        self.fields.iter().find(|field| &*field.name == name).map(|field| &field.text)
    }

    /// The marks of one layer, with their indices.
    pub fn layer(&self, layer: &str) -> impl Iterator<Item = (usize, &Mark)> {
        self.marks.iter().enumerate().filter(move |(_, mark)| mark.layer == layer)
    }

    /// Where words of a field carry a label that holds [fast](Anchor::Rigid), in order of place; spans that overlap are one.
    pub fn labelled(&self, field: usize) -> Vec<Span> {
        let fast = |mark: &&Mark| mark.field == field && mark.anchor == Anchor::Rigid;
        let mut spans: Vec<Span> = self.marks.iter().filter(fast).map(|mark| mark.span).collect();
        spans.sort_unstable();
        spans.dedup_by(|next, span| {
            let overlap = next.start < span.end;
            span.end = if overlap { span.end.max(next.end) } else { span.end };
            overlap || next == span
        });
        spans
    }

    /// The words a mark covers.
    pub fn words_of(&self, mark: &Mark) -> &str {
        self.fields.get(mark.field).map_or("", |field| mark.span.of(&field.text))
    }
}

impl Field {
    /// A field that parts may edit.
    pub fn open(name: impl Into<Arc<str>>, text: impl Into<Text>) -> Self {
        Self { name: name.into(), text: text.into(), open: true, from_tokens: false }
    }
}

impl Mark {
    /// What the file calls the mark: the attribute without a name.
    pub fn key(&self) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name.is_empty()).and_then(|(_, key)| key.as_str())
    }

    /// A mark without further attributes.
    pub fn new(layer: &'static str, field: usize, span: Span, value: impl Into<String>, anchor: Anchor) -> Self {
        Self { layer, field, span, value: value.into(), anchor, attributes: Vec::new() }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Value::String(name) => f.write_str(name),
            other => write!(f, "{other}"),
        }
    }
}

impl From<&str> for Label {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}
