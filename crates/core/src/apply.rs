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

use std::collections::BTreeMap;

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
    if sample.marks.iter().any(|mark| mark.hold == Hold::Fast) {
        let mut refusals = refusals(sample, &edits).into_iter();
        edits.retain(|_| refusals.next() != Some(true));
    }
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

/// For each edit, whether a mark that holds fast refuses it.
fn refusals(sample: &Sample, edits: &[Edit]) -> Vec<bool> {
    let mut refused = vec![false; edits.len()];
    for passage in passages(edits) {
        let fast = |mark: &&Mark| mark.hold == Hold::Fast && mark.field == passage.field;
        for mark in sample.marks.iter().filter(fast) {
            for (at, edit) in passage.touching(mark) {
                refused[passage.first + at] |= match Lie::of(edit.span, mark.span) {
                    Lie::Outside | Lie::Inside => false,
                    Lie::Covers => !edit.with.is_empty(),
                    Lie::Crosses => true,
                };
            }
        }
    }
    refused
}

/// The edits of one field, in order of place. A mark is touched by few of them, which are found without asking all.
struct Passage<'e> {
    field: usize,
    /// The number of its first edit among those of all fields.
    first: usize,
    edits: &'e [Edit],
    /// How far the text before each edit, and last that behind all, has moved by the edits before.
    shifts: Vec<isize>,
}

fn passages(edits: &[Edit]) -> Vec<Passage<'_>> {
    let mut passages = Vec::new();
    let mut first = 0;
    for (field, edits) in by_field(edits) {
        let mut shifts = vec![0];
        let mut shift = 0;
        for edit in edits {
            shift += edit.with.len() as isize - edit.span.len() as isize;
            shifts.push(shift);
        }
        passages.push(Passage { field, first, edits, shifts });
        first += edits.len();
    }
    passages
}

impl<'e> Passage<'e> {
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
    let passages = passages(edits);
    let owners = owners(sample, &passages);
    let mut kept = Vec::with_capacity(sample.marks.len());
    let mut new_index = vec![None; sample.marks.len()];
    for (index, mark) in sample.marks.iter().enumerate() {
        let owns = |passage: &Passage<'_>, at| owners.get(&(passage.first + at, mark.layer)) == Some(&index);
        let passage = passages.iter().find(|passage| passage.field == mark.field);
        let span = passage.map_or(mark.span, |passage| moved(mark, passage, |at| owns(passage, at)));
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
fn owners(sample: &Sample, passages: &[Passage<'_>]) -> BTreeMap<(usize, &'static str), usize> {
    let mut owners = BTreeMap::new();
    for passage in passages {
        for (index, mark) in sample.marks.iter().enumerate().filter(|(_, mark)| mark.field == passage.field) {
            for (at, edit) in passage.touching(mark) {
                if matches!(Lie::of(edit.span, mark.span), Lie::Covers | Lie::Crosses) {
                    let owner = owners.entry((passage.first + at, mark.layer)).or_insert(index);
                    if mark.span.start < sample.marks[*owner].span.start {
                        *owner = index;
                    }
                }
            }
        }
    }
    owners
}

/// Where `mark` lies after the edits of its field. `owns(i)` says whether the new words of edit `i`, which crosses or
/// covers the mark, belong to it.
fn moved(mark: &Mark, passage: &Passage<'_>, owns: impl Fn(usize) -> bool) -> Span {
    let Span { start, end } = mark.span;
    let shift = passage.shifts[passage.reaches(mark)];
    let (mut new_start, mut new_end) = (start.wrapping_add_signed(shift), end.wrapping_add_signed(shift));
    for (at, Edit { span, with, .. }) in passage.touching(mark) {
        let first = span.start.wrapping_add_signed(passage.shifts[at]);
        let last = first + with.len();
        let behind = |place: usize| place.wrapping_add_signed(passage.shifts[at + 1]);
        match Lie::of(*span, mark.span) {
            Lie::Outside => {}
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
