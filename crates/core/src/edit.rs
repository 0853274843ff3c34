//! An edit: the only way in which a part can change a text.

use crate::Span;

/// Replaces the bytes of `span` in one field by `with`. An empty span inserts; an empty `with` deletes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The index of the field. Parts that see a single text leave it 0; the ladder fills it in.
    pub field: usize,
    pub span: Span,
    pub with: String,
}

/// Why a list of edits cannot be carried out. It is a fault of the part, never of the user: the sample is skipped, and
/// the laws over the catalog keep it from happening.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadEdit {
    #[error("an edit of field {field}, but the sample has {fields} fields")]
    NoSuchField { field: usize, fields: usize },
    #[error("an edit of bytes {start}..{end} in a text of {length} bytes")]
    Outside { start: usize, end: usize, length: usize },
    #[error("byte {at} lies inside a character")]
    NotAChar { at: usize },
    #[error("an edit that starts at byte {start} overlaps one that ends at byte {end}")]
    Overlap { start: usize, end: usize },
}

impl Edit {
    /// Puts `with` in the place of `span`.
    pub fn replace(span: impl Into<Span>, with: impl Into<String>) -> Self {
        Self { field: 0, span: span.into(), with: with.into() }
    }

    /// Puts `with` before byte `at`.
    pub fn insert(at: usize, with: impl Into<String>) -> Self {
        Self::replace(at..at, with)
    }

    /// Takes `span` out.
    pub fn delete(span: impl Into<Span>) -> Self {
        Self::replace(span, "")
    }

    /// The same edit on another field.
    pub fn on(self, field: usize) -> Self {
        Self { field, ..self }
    }
}

/// Checks that `edits`, all of one field, lie in `text`, on character boundaries, in order and without overlap. Two
/// edits may touch; insertions at one place happen in the order given.
pub fn check(text: &str, edits: &[Edit]) -> Result<(), BadEdit> {
    let mut done = 0;
    for Edit { span, .. } in edits {
        if span.end > text.len() || span.start > span.end {
            return Err(BadEdit::Outside { start: span.start, end: span.end, length: text.len() });
        }
        if span.start < done {
            return Err(BadEdit::Overlap { start: span.start, end: done });
        }
        for at in [span.start, span.end] {
            if !text.is_char_boundary(at) {
                return Err(BadEdit::NotAChar { at });
            }
        }
        done = span.end;
    }
    Ok(())
}
