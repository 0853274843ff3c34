//! The one function that carries out edits, and moves every label with the words it belongs to.
//!
//! The rules for a mark, by how an edit lies to it:
//!
//! | the edit | the mark |
//! |---|---|
//! | lies outside, or inserts at its edge | moves along |
//! | lies inside it, or replaces exactly it | grows or shrinks with its words |
//! | deletes all of it | is dropped, and counted |
//! | crosses its edge, or replaces it and more | [`Anchor::Rigid`]: the edit is refused, and counted. [`Anchor::Elastic`]: the new words belong to the first mark of that layer which the edit touches; later ones keep what is left of them |
//! | brings the mark with its words ([`Piece::cut`](crate::Piece::cut)) | moves there and stays the same mark: its value, attributes and links stay |
//! | brings a new mark | is added, with its links |
//!
//! A layer that was in order of place is in order of place afterwards; in other layers, moved marks keep their number and
//! new ones come last. A change that brings or sets labels is carried out as a whole or not at all.

mod labels;

use std::sync::Arc;

use crate::{Anchor, BadEdit, Change, Edit, Field, Mark, Sample, Span, check};

/// What came of a list of edits.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub sample: Sample,
    /// The edits that were carried out, in order of field and place.
    pub edits: Vec<Edit>,
    /// The marks on trial, by their index in `sample`; empty for all.
    pub focus: Vec<usize>,
    /// The new index of each mark of the original; `None` if the mark is gone.
    pub index: Vec<Option<usize>>,
    /// How many edits were refused because they would have cut a label that [holds fast](Anchor::Rigid).
    pub refused: usize,
    /// How many marks and links were dropped because their words are gone.
    pub dropped: usize,
}

/// Carries out a change of `sample`. Text that no edit touches stays byte for byte the same.
pub fn apply(sample: &Sample, change: impl Into<Change>) -> Result<Applied, BadEdit> {
    let mut change = change.into();
    change.edits.sort_by_key(|edit| edit.field);
    let fields = sample.fields.len();
    if let Some(Edit { field, .. }) = change.edits.last().filter(|edit| edit.field >= fields) {
        return Err(BadEdit::NoSuchField { field: *field, fields });
    }
    for (field, edits) in by_field(&change.edits) {
        check(&sample.fields[field].text, edits)?;
    }
    labels::check(sample, &change)?;

    let proposed = change.edits.len();
    if sample.marks.iter().any(|mark| mark.anchor == Anchor::Rigid) {
        let mut refusals = refusals(sample, &change.edits).into_iter();
        change.edits.retain(|_| refusals.next() != Some(true));
    }
    let mut refused = proposed - change.edits.len();
    // Without one of its edits, what the part says about labels may be wrong.
    if refused > 0 && labels::has(&change) {
        refused = proposed;
        change = Change::default();
    }

    let fields = changed_fields(sample, &change.edits);
    let moved = labels::moved(sample, &change);
    let focus = change.focus.iter().filter_map(|mark| moved.index[*mark]).collect();
    let sample = Sample {
        id: sample.id.clone(),
        fields,
        label: change.label.or_else(|| sample.label.clone()),
        marks: moved.marks,
        links: moved.links,
        extra: sample.extra.clone(),
        origin: sample.origin.clone(),
    };
    Ok(Applied { sample, edits: change.edits, focus, index: moved.index, refused, dropped: moved.dropped })
}

/// The fields with the edits carried out, which are in order of field.
fn changed_fields(sample: &Sample, edits: &[Edit]) -> Vec<Field> {
    let mut edits_of = by_field(edits).peekable();
    let changed = |(at, field): (usize, &Field)| match edits_of.next_if(|(edited, _)| *edited == at) {
        Some((_, edits)) => {
            let text = field.text.changed_into(splice(&field.text, edits));
            Field { name: Arc::clone(&field.name), text, open: field.open, from_tokens: field.from_tokens }
        }
        None => field.clone(),
    };
    sample.fields.iter().enumerate().map(changed).collect()
}

/// Carries out edits of one text, which [`check`] has found sound.
pub fn splice(text: &str, edits: &[Edit]) -> String {
    let mut new = String::with_capacity(text.len() + edits.iter().map(|edit| edit.with.len()).sum::<usize>());
    let mut done = 0;
    for Edit { span, with, .. } in edits {
        new.push_str(&text[done..span.start]);
        new.push_str(with);
        done = span.end;
    }
    new.push_str(&text[done..]);
    new
}

/// The edits of each field, in order.
pub(crate) fn by_field(edits: &[Edit]) -> impl Iterator<Item = (usize, &[Edit])> {
    edits.chunk_by(|a, b| a.field == b.field).map(|edits| (edits[0].field, edits))
}

/// For each edit, whether a mark that holds fast refuses it.
fn refusals(sample: &Sample, edits: &[Edit]) -> Vec<bool> {
    let mut refused = vec![false; edits.len()];
    let moves = labels::moving(edits);
    for field_edits in by_field_edits(edits) {
        let fast = |(_, mark): &(usize, &Mark)| mark.anchor == Anchor::Rigid && mark.field == field_edits.field;
        for (index, mark) in sample.marks.iter().enumerate().filter(fast) {
            for (at, edit) in field_edits.touching(mark) {
                refused[field_edits.first + at] |= match Overlap::of(edit.span, mark.span) {
                    Overlap::Outside | Overlap::Inside => false,
                    Overlap::Covers => !edit.with.is_empty() && !moves.contains(&index),
                    Overlap::Crosses => true,
                };
            }
        }
    }
    refused
}

/// The edits of one field, in order of place. A mark is touched by few of them, which are found without asking all.
struct FieldEdits<'e> {
    field: usize,
    /// The number of its first edit among those of all fields.
    first: usize,
    edits: &'e [Edit],
    /// How far the text before each edit, and last that behind all, has moved by the edits before.
    shifts: Vec<isize>,
}

fn by_field_edits(edits: &[Edit]) -> Vec<FieldEdits<'_>> {
    let mut by_field_edits = Vec::new();
    let mut first = 0;
    for (field, edits) in by_field(edits) {
        let mut shifts = vec![0];
        let mut shift = 0;
        for edit in edits {
            shift += edit.with.len() as isize - edit.span.len() as isize;
            shifts.push(shift);
        }
        by_field_edits.push(FieldEdits { field, first, edits, shifts });
        first += edits.len();
    }
    by_field_edits
}

impl<'e> FieldEdits<'e> {
    /// The number of the first edit that does not end before the mark.
    fn reaches(&self, mark: &Mark) -> usize {
        self.edits.partition_point(|edit| edit.span.end <= mark.span.start)
    }

    /// The edits that do not lie outside the mark, with their numbers in this field.
    fn touching(&self, mark: &Mark) -> impl Iterator<Item = (usize, &'e Edit)> {
        let edits = self.edits.iter().enumerate().skip(self.reaches(mark));
        edits.take_while(move |(_, edit)| edit.span.start < mark.span.end)
    }
}

/// How an edit lies to a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Outside,
    /// In the mark, or exactly on it.
    Inside,
    /// Over the mark and more.
    Covers,
    Crosses,
}

impl Overlap {
    fn of(edit: Span, mark: Span) -> Self {
        if edit.is_empty() {
            let inside = mark.start < edit.start && edit.start < mark.end;
            return if inside { Self::Inside } else { Self::Outside };
        }
        // A mark without width lies in the edit that takes away the words on both sides of it.
        let touches =
            if mark.is_empty() { edit.start < mark.start && mark.start < edit.end } else { edit.overlaps(mark) };
        if !touches {
            Self::Outside
        } else if mark.covers(edit) {
            Self::Inside
        } else if edit.covers(mark) {
            Self::Covers
        } else {
            Self::Crosses
        }
    }
}

#[cfg(test)]
mod label_tests;
#[cfg(test)]
pub(crate) mod tests;
