//! An edit: the only way in which a part can change a text.

use crate::{Labels, Piece, Span};

/// Replaces the bytes of `span` in one field by `with`. An empty span inserts; an empty `with` deletes.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The index of the field. Parts that see a single text leave it 0; the ladder fills it in.
    pub field: usize,
    pub span: Span,
    pub with: String,
    /// The labels of the new words, if the part brings any.
    pub labels: Option<Box<Labels>>,
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
    #[error("a label for bytes {start}..{end} of new words that are {length} bytes long")]
    LabelOutside { start: usize, end: usize, length: usize },
    #[error("mark {mark} is changed or linked, but there are {marks} marks")]
    NoSuchMark { mark: usize, marks: usize },
    #[error("mark {mark} is moved to two places")]
    MovedTwice { mark: usize },
    #[error("mark {mark} is moved, but its words stay where they are")]
    NotTakenOut { mark: usize },
}

impl Edit {
    /// Replaces `span` with `with`.
    pub fn replace(span: impl Into<Span>, with: impl Into<String>) -> Self {
        Self { field: 0, span: span.into(), with: with.into(), labels: None }
    }

    /// Inserts `with` before byte `at`.
    pub fn insert(at: usize, with: impl Into<String>) -> Self {
        Self::replace(at..at, with)
    }

    /// Deletes `span`.
    pub fn delete(span: impl Into<Span>) -> Self {
        Self::replace(span, "")
    }

    /// Replaces `span` with a piece of text that brings its labels; with an empty span, inserts it.
    pub fn put(span: impl Into<Span>, piece: impl Into<Piece>) -> Self {
        let Piece { text, labels } = piece.into();
        let labels = (!labels.is_empty()).then(|| Box::new(labels));
        Self { labels, ..Self::replace(span, text) }
    }

    /// The smallest single replacement that turns `old` into `new`; `None` if they are the same.
    pub fn between(old: &str, new: &str) -> Option<Self> {
        if old == new {
            return None;
        }
        let same = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let start = old.floor_char_boundary(same(old, new));
        let same_back = |a: &str, b: &str| a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
        let tail = same_back(&old[start..], &new[start..]);
        let end = old.ceil_char_boundary(old.len() - tail);
        let with = &new[start..new.len() - (old.len() - end)];
        Some(Self::replace(start..end, with))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::splice;

    #[test]
    fn the_smallest_replacement() {
        assert_eq!(Edit::between("so good!", "so bad!"), Some(Edit::replace(3..6, "ba")));
        assert_eq!(Edit::between("aa", "aaa"), Some(Edit::insert(2, "a")));
        assert_eq!(Edit::between("same", "same"), None);
        // Both are E2 82 something: the shared bytes are no character.
        assert_eq!(Edit::between("€", "₭"), Some(Edit::replace(0..3, "₭")));
    }

    proptest! {
        #[test]
        fn it_makes_the_one_of_the_other(old in "[ab€₭é ]{0,12}", new in "[ab€₭é ]{0,12}") {
            let edits: Vec<Edit> = Edit::between(&old, &new).into_iter().collect();
            prop_assert!(check(&old, &edits).is_ok());
            prop_assert_eq!(splice(&old, &edits), new);
        }
    }
}
