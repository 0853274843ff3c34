//! New words that bring their labels along: what an insertion, a move, a copy or a donor's sentence is made of.
//!
//! A plain edit replaces bytes with bytes, and the words it brings have no labels. A [`Piece`] is text with labels: words
//! with marks of their own, words cut out of the sample (their marks move with them and stay the same marks), or words
//! copied from this or another sample. [`Edit::put`](crate::Edit::put) puts a piece into the text.

use std::ops::Add;
use std::sync::Arc;

use crate::{Link, Mark, Sample, Span};

/// Text with its labels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Piece {
    pub text: String,
    pub labels: Labels,
}

/// The labels that come with the words of an edit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Labels {
    /// The marks; their spans count from the start of the words.
    pub marks: Vec<BroughtMark>,
    pub links: Vec<BroughtLink>,
    /// The ids of the samples that words were copied from.
    pub donors: Vec<Arc<str>>,
}

/// A mark on the words of an edit.
#[derive(Debug, Clone, PartialEq)]
pub struct BroughtMark {
    pub mark: Mark,
    /// The index of the mark of the sample that it is: the mark moves here, and links to it follow. `None` for a new mark.
    pub moved: Option<usize>,
}

/// A link that comes with the words of an edit.
#[derive(Debug, Clone, PartialEq)]
pub struct BroughtLink {
    pub layer: &'static str,
    pub from: End,
    pub to: End,
    pub value: String,
}

/// One end of a [`BroughtLink`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A mark among those that the edit brings, by its index there.
    Brought(usize),
    /// A mark of the sample as it was before the change, by its index.
    Kept(usize),
}

impl Piece {
    /// Words without labels.
    pub fn words(text: impl Into<String>) -> Self {
        Self { text: text.into(), labels: Labels::default() }
    }

    /// The same words with one more mark, whose span counts from the start of the piece.
    pub fn mark(mut self, mark: Mark) -> Self {
        self.labels.marks.push(BroughtMark { mark, moved: None });
        self
    }

    /// The same words with one more link.
    pub fn link(mut self, layer: &'static str, from: End, to: End, value: impl Into<String>) -> Self {
        self.labels.links.push(BroughtLink { layer, from, to, value: value.into() });
        self
    }

    /// The words of `span` with the marks that lie in it, to be put at another place of the same sample: the marks move and stay
    /// the same marks. The caller deletes `span`, or replaces it.
    pub fn cut(sample: &Sample, field: usize, span: impl Into<Span>) -> Self {
        Self::taken(sample, field, span.into(), true)
    }

    /// The words of `span` with copies of the marks that lie in it and of the links between these marks.
    pub fn copy(sample: &Sample, field: usize, span: impl Into<Span>) -> Self {
        Self::taken(sample, field, span.into(), false)
    }

    /// A [copy](Self::copy) of words of another sample, whose id goes into the trail.
    pub fn of_donor(donor: &Sample, field: usize, span: impl Into<Span>) -> Self {
        let mut piece = Self::taken(donor, field, span.into(), false);
        piece.labels.donors.push(donor.id.as_str().into());
        piece
    }

    fn taken(sample: &Sample, field: usize, span: Span, moves: bool) -> Self {
        // A mark without width at the border of two pieces belongs to the second one.
        let inside = |mark: &Mark| {
            let ends_inside = !mark.span.is_empty() || mark.span.start < span.end;
            mark.field == field && span.covers(mark.span) && ends_inside
        };
        let indices: Vec<usize> = (0..sample.marks.len()).filter(|at| inside(&sample.marks[*at])).collect();
        let brought = |at: &usize| {
            let mark = &sample.marks[*at];
            let span = Span::new(mark.span.start - span.start, mark.span.end - span.start);
            BroughtMark { mark: Mark { span, ..mark.clone() }, moved: moves.then_some(*at) }
        };
        let place = |at: usize| indices.iter().position(|known| *known == at).map(End::Brought);
        // The links of a mark that moves follow it by themselves.
        let links = sample.links.iter().filter(|_| !moves);
        let links = links.filter_map(|Link { layer, from, to, value }| {
            Some(BroughtLink { layer, from: place(*from)?, to: place(*to)?, value: value.clone() })
        });
        let text = sample.fields.get(field).map_or("", |field| span.of(&field.text)).to_owned();
        let labels =
            Labels { marks: indices.iter().map(brought).collect(), links: links.collect(), donors: Vec::new() };
        Self { text, labels }
    }
}

impl Labels {
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.links.is_empty() && self.donors.is_empty()
    }
}

impl<T: Into<Piece>> Add<T> for Piece {
    type Output = Self;

    /// One piece after the other.
    fn add(mut self, next: T) -> Self {
        let next = next.into();
        let (by, first) = (self.text.len(), self.labels.marks.len());
        self.text += &next.text;
        self.labels.marks.extend(next.labels.marks.into_iter().map(|mut brought| {
            let Span { start, end } = brought.mark.span;
            brought.mark.span = Span::new(start + by, end + by);
            brought
        }));
        let end = |end| match end {
            End::Brought(at) => End::Brought(at + first),
            kept @ End::Kept(_) => kept,
        };
        let links = next.labels.links.into_iter();
        self.labels.links.extend(links.map(|link| BroughtLink { from: end(link.from), to: end(link.to), ..link }));
        self.labels.donors.extend(next.labels.donors);
        self
    }
}

impl From<&str> for Piece {
    fn from(text: &str) -> Self {
        Self::words(text)
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        Self::words(text)
    }
}
