//! The one function that carries out edits, and moves every label with the words it belongs to.
//!
//! The rules for a mark, by how an edit lies to it:
//!
//! | the edit | the mark |
//! |---|---|
//! | lies outside, or inserts at its edge | moves along |
//! | lies inside it, or replaces exactly it | grows or shrinks with its words |
//! | deletes all of it | is dropped, and counted |
//! | crosses its edge, or replaces it and more | [`Hold::Fast`]: the edit is refused, and counted. [`Hold::Widen`]: the new words belong to the first mark of that layer which the edit touches; later ones keep what is left of them |

use crate::{BadEdit, Edit, Hold, Link, Mark, Sample, Span, Text, check};

/// What came of a list of edits.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub sample: Sample,
    /// The edits that were carried out, in order of field and place.
    pub edits: Vec<Edit>,
    /// How many edits were refused because they would have cut a label that [holds fast](Hold::Fast).
    pub refused: usize,
    /// How many marks and links were dropped because their words are gone.
    pub dropped: usize,
}

/// Carries out `edits` on `sample`. Text that no edit touches stays byte for byte the same.
pub fn apply(sample: &Sample, mut edits: Vec<Edit>) -> Result<Applied, BadEdit> {
    edits.sort_by_key(|edit| edit.field);
    let fields = sample.fields.len();
    if let Some(Edit { field, .. }) = edits.last().filter(|edit| edit.field >= fields) {
        return Err(BadEdit::NoSuchField { field: *field, fields });
    }
    for (field, edits) in by_field(&edits) {
        check(&sample.fields[field].text, edits)?;
    }

    let proposed = edits.len();
    edits.retain(|edit| !sample.marks.iter().any(|mark| refuses(mark, edit)));
    let refused = proposed - edits.len();

    let mut fields = sample.fields.clone();
    for (field, edits) in by_field(&edits) {
        fields[field].text = Text::from(splice(&sample.fields[field].text, edits));
    }
    let (marks, links, dropped) = move_labels(sample, &edits);
    let sample = Sample {
        id: sample.id.clone(),
        fields,
        label: sample.label.clone(),
        marks,
        links,
        extra: sample.extra.clone(),
        origin: sample.origin.clone(),
    };
    Ok(Applied { sample, edits, refused, dropped })
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

fn refuses(mark: &Mark, edit: &Edit) -> bool {
    mark.hold == Hold::Fast
        && mark.field == edit.field
        && match Lie::of(edit.span, mark.span) {
            Lie::Outside | Lie::Inside => false,
            Lie::Covers => !edit.with.is_empty(),
            Lie::Crosses => true,
        }
}

/// How an edit lies to a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lie {
    Outside,
    /// In the mark, or exactly on it.
    Inside,
    /// Over the mark and more.
    Covers,
    Crosses,
}

impl Lie {
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

fn move_labels(sample: &Sample, edits: &[Edit]) -> (Vec<Mark>, Vec<Link>, usize) {
    if sample.marks.is_empty() || edits.is_empty() {
        return (sample.marks.clone(), sample.links.clone(), 0);
    }
    let owners = owners(sample, edits);
    let mut kept = Vec::with_capacity(sample.marks.len());
    let mut new_index = vec![None; sample.marks.len()];
    for (index, mark) in sample.marks.iter().enumerate() {
        let span = moved(mark, edits, |edit| owners.contains(&(edit, mark.layer, index)));
        // A mark that never had width (an empty answer) is not dropped for having none.
        if !span.is_empty() || mark.span.is_empty() {
            new_index[index] = Some(kept.len());
            kept.push(Mark { span, ..mark.clone() });
        }
    }
    let links: Vec<Link> = sample
        .links
        .iter()
        .filter_map(|link| Some(Link { from: new_index[link.from]?, to: new_index[link.to]?, ..link.clone() }))
        .collect();
    let dropped = sample.marks.len() - kept.len() + sample.links.len() - links.len();
    (kept, links, dropped)
}

/// For each edit and layer, the first mark that the edit crosses or covers: the new words will belong to it.
fn owners(sample: &Sample, edits: &[Edit]) -> Vec<(usize, &'static str, usize)> {
    let mut owners: Vec<(usize, &'static str, usize)> = Vec::new();
    for (index, mark) in sample.marks.iter().enumerate() {
        for (at, edit) in edits.iter().enumerate().filter(|(_, edit)| edit.field == mark.field) {
            if !matches!(Lie::of(edit.span, mark.span), Lie::Covers | Lie::Crosses) {
                continue;
            }
            match owners.iter_mut().find(|(other, layer, _)| *other == at && *layer == mark.layer) {
                None => owners.push((at, mark.layer, index)),
                Some(owner) if mark.span.start < sample.marks[owner.2].span.start => owner.2 = index,
                Some(_) => {}
            }
        }
    }
    owners
}

/// Where `mark` lies after the edits. `owns(i)` says whether the new words of edit `i`, which crosses or covers the
/// mark, belong to it.
fn moved(mark: &Mark, edits: &[Edit], owns: impl Fn(usize) -> bool) -> Span {
    let Span { start, end } = mark.span;
    let (mut new_start, mut new_end) = (start, end);
    // How far the text has moved by the edits seen so far; edits come in order of place.
    let mut shift = 0isize;
    for (at, Edit { span, with, .. }) in edits.iter().enumerate().filter(|(_, edit)| edit.field == mark.field) {
        let first = span.start.wrapping_add_signed(shift);
        let last = first + with.len();
        shift += with.len() as isize - span.len() as isize;
        let behind = |place: usize| place.wrapping_add_signed(shift);
        match Lie::of(*span, mark.span) {
            Lie::Outside if span.end <= start => (new_start, new_end) = (behind(start), behind(end)),
            Lie::Outside => break,
            Lie::Inside => new_end = behind(end),
            Lie::Covers if owns(at) => return Span::new(first, last),
            Lie::Covers => return Span::new(last, last),
            Lie::Crosses if span.start < start => {
                (new_start, new_end) = (if owns(at) { first } else { last }, behind(end));
            }
            Lie::Crosses => new_end = if owns(at) { last } else { first },
        }
    }
    Span::new(new_start, new_end)
}

#[cfg(test)]
pub(crate) mod tests;
