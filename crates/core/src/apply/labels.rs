//! Moves the marks and links of a sample with a change.

use std::collections::{BTreeMap, BTreeSet};

use super::{FieldEdits, Overlap, by_field_edits};
use crate::{BadEdit, BroughtMark, Change, Edit, End, Labels, Link, Mark, Sample, Span};

/// The labels after a change.
pub(super) struct Moved {
    pub marks: Vec<Mark>,
    pub links: Vec<Link>,
    /// The new index of each mark of the sample; `None` if the mark is gone.
    pub index: Vec<Option<usize>>,
    /// The number of marks and links that are gone because their words are.
    pub dropped: usize,
}

/// Whether the change says anything about labels.
pub(super) fn has(change: &Change) -> bool {
    change.label.is_some() || !change.values.is_empty() || change.edits.iter().any(|edit| edit.labels.is_some())
}

/// Checks what the change says about labels: marks that exist, spans inside the new words, and no mark moved twice or
/// moved while its words stay.
pub(super) fn check(sample: &Sample, change: &Change) -> Result<(), BadEdit> {
    let marks = sample.marks.len();
    let exists = |mark: usize| if mark < marks { Ok(()) } else { Err(BadEdit::NoSuchMark { mark, marks }) };
    change.values.iter().map(|(mark, _)| *mark).chain(change.focus.iter().copied()).try_for_each(exists)?;
    let mut is_moved = vec![false; if change.edits.iter().any(|edit| edit.labels.is_some()) { marks } else { 0 }];
    for (edit, labels) in brought(&change.edits) {
        for BroughtMark { mark, moved } in &labels.marks {
            let Span { start, end } = mark.span;
            if start > end || end > edit.with.len() {
                return Err(BadEdit::LabelOutside { start, end, length: edit.with.len() });
            }
            if let Some(at) = [start, end].into_iter().find(|at| !edit.with.is_char_boundary(*at)) {
                return Err(BadEdit::NotAChar { at });
            }
            if let Some(mark) = *moved {
                exists(mark)?;
                if std::mem::replace(&mut is_moved[mark], true) {
                    return Err(BadEdit::MovedTwice { mark });
                }
                let old = &sample.marks[mark];
                let covers = |edit: &&Edit| edit.field == old.field && edit.span.covers(old.span);
                if !change.edits.iter().any(|edit| covers(&edit)) {
                    return Err(BadEdit::NotTakenOut { mark });
                }
            }
        }
        for end in labels.links.iter().flat_map(|link| [link.from, link.to]) {
            match end {
                End::Kept(mark) => exists(mark)?,
                End::Brought(mark) if mark < labels.marks.len() => {}
                End::Brought(mark) => return Err(BadEdit::NoSuchMark { mark, marks: labels.marks.len() }),
            }
        }
    }
    Ok(())
}

/// The labels of the sample after the change, which [`check`] has found sound.
pub(super) fn moved(sample: &Sample, change: &Change) -> Moved {
    if sample.marks.is_empty() && !has(change) || change.edits.is_empty() && change.values.is_empty() {
        let index = (0..sample.marks.len()).map(Some).collect();
        return Moved { marks: sample.marks.clone(), links: sample.links.clone(), index, dropped: 0 };
    }
    let by_field_edits = by_field_edits(&change.edits);
    let brought = Brought::new(sample, &by_field_edits);
    let owners = owners(sample, &by_field_edits);
    let mut marks = Vec::with_capacity(sample.marks.len() + brought.new.len());
    let mut index = vec![None; sample.marks.len()];
    let mut taken_off = vec![false; sample.marks.len()];
    for (at, mark) in sample.marks.iter().enumerate() {
        let value = change.values.iter().rev().find(|(mark, _)| *mark == at).map(|(_, value)| value);
        let new = match (value, brought.moved.get(&at)) {
            (Some(None), _) => {
                taken_off[at] = true;
                continue;
            }
            (_, Some(new)) => Some(new.clone()),
            (_, None) => placed(mark, at, &by_field_edits, &owners),
        };
        let Some(mut new) = new else { continue };
        if let Some(Some(value)) = value {
            new.value.clone_from(value);
        }
        index[at] = Some(marks.len());
        marks.push(new);
    }
    let first_new = marks.len();
    marks.extend(brought.new.iter().cloned());

    let is_kept = |link: &&Link| index[link.from].is_some() && index[link.to].is_some();
    let is_taken_off = |link: &&Link| taken_off[link.from] || taken_off[link.to];
    let lost = sample.links.iter().filter(|link| !is_kept(link) && !is_taken_off(link)).count();
    let gone = (0..sample.marks.len()).filter(|at| index[*at].is_none() && !taken_off[*at]).count();
    let old = sample.links.iter();
    let old = old.filter_map(|link| Some(Link { from: index[link.from]?, to: index[link.to]?, ..link.clone() }));
    let mut links: Vec<Link> = old.collect();
    let mut dropped = gone + lost;
    for (ends, layer, value) in brought.links {
        let place = |end| match end {
            NewEnd::Old(mark) => index[mark],
            NewEnd::New(mark) => Some(first_new + mark),
        };
        match ends.map(place) {
            [Some(from), Some(to)] => links.push(Link { layer, from, to, value }),
            _ => dropped += 1,
        }
    }
    if !brought.layers.is_empty() {
        put_in_order(sample, &brought.layers, &mut marks, &mut links, &mut index);
    }
    Moved { marks, links, index, dropped }
}

/// The labels that all edits bring, at their places in the new text.
#[derive(Default)]
struct Brought {
    /// By the index of the mark that moves.
    moved: BTreeMap<usize, Mark>,
    new: Vec<Mark>,
    links: Vec<([NewEnd; 2], &'static str, String)>,
    /// The layers that any of these marks belongs to.
    layers: Vec<&'static str>,
}

#[derive(Clone, Copy)]
enum NewEnd {
    /// A mark of the sample, by its old index.
    Old(usize),
    /// A mark of [`Brought::new`].
    New(usize),
}

impl Brought {
    fn new(sample: &Sample, by_field_edits: &[FieldEdits<'_>]) -> Self {
        let mut all = Self::default();
        for field_edits in by_field_edits {
            for (at, edit) in field_edits.edits.iter().enumerate() {
                if let Some(labels) = &edit.labels {
                    let start = edit.span.start.wrapping_add_signed(field_edits.shifts[at]);
                    all.add(sample, labels, field_edits.field, start);
                }
            }
        }
        all
    }

    /// The labels of one edit, whose words begin at byte `start` of the new text.
    fn add(&mut self, sample: &Sample, labels: &Labels, field: usize, start: usize) {
        let mut ends = Vec::with_capacity(labels.marks.len());
        for BroughtMark { mark, moved } in &labels.marks {
            if !self.layers.contains(&mark.layer) {
                self.layers.push(mark.layer);
            }
            let span = mark.span.shifted(start);
            if let Some(old) = *moved {
                self.moved.insert(old, Mark { field, span, ..sample.marks[old].clone() });
                ends.push(NewEnd::Old(old));
            } else {
                ends.push(NewEnd::New(self.new.len()));
                self.new.push(Mark { field, span, ..mark.clone() });
            }
        }
        for link in &labels.links {
            let place = |end| match end {
                End::Brought(at) => ends[at],
                End::Kept(mark) => NewEnd::Old(mark),
            };
            self.links.push(([place(link.from), place(link.to)], link.layer, link.value.clone()));
        }
    }
}

/// Puts the marks of those of the `layers` in order of place that were in order before.
fn put_in_order(
    sample: &Sample,
    layers: &[&'static str],
    marks: &mut Vec<Mark>,
    links: &mut [Link],
    index: &mut [Option<usize>],
) {
    let place = |mark: &Mark| (mark.field, mark.span.start, mark.span.end);
    // The mark that comes to stand at each number.
    let mut order: Vec<usize> = (0..marks.len()).collect();
    for layer in layers {
        if !sample.marks.iter().filter(|mark| mark.layer == *layer).is_sorted_by_key(place) {
            continue;
        }
        let numbers: Vec<usize> = (0..marks.len()).filter(|at| marks[*at].layer == *layer).collect();
        let mut sorted = numbers.clone();
        sorted.sort_by_key(|at| place(&marks[*at]));
        for (number, mark) in numbers.into_iter().zip(sorted) {
            order[number] = mark;
        }
    }
    let mut new_number = vec![0; order.len()];
    for (number, mark) in order.iter().enumerate() {
        new_number[*mark] = number;
    }
    *marks = order.iter().map(|mark| marks[*mark].clone()).collect();
    for link in links {
        (link.from, link.to) = (new_number[link.from], new_number[link.to]);
    }
    for at in index.iter_mut().flatten() {
        *at = new_number[*at];
    }
}

/// The indices of the marks that the edits move.
pub(super) fn moving(edits: &[Edit]) -> BTreeSet<usize> {
    brought(edits).flat_map(|(_, labels)| labels.marks.iter().filter_map(|mark| mark.moved)).collect()
}

/// Whether the edit brings its own marks of a layer: then its words belong to no old mark of that layer.
fn brings(edit: &Edit, layer: &str) -> bool {
    edit.labels.as_ref().is_some_and(|labels| labels.marks.iter().any(|brought| brought.mark.layer == layer))
}

/// The edits that bring labels, with what they bring.
fn brought(edits: &[Edit]) -> impl Iterator<Item = (&Edit, &Labels)> {
    edits.iter().filter_map(|edit| Some((edit, edit.labels.as_deref()?)))
}

type Owners = BTreeMap<(usize, &'static str), usize>;

/// Mark number `index` at its new place; `None` if its words are gone.
fn placed(mark: &Mark, index: usize, by_field_edits: &[FieldEdits<'_>], owners: &Owners) -> Option<Mark> {
    let owns = |field_edits: &FieldEdits<'_>, at| owners.get(&(field_edits.first + at, mark.layer)) == Some(&index);
    let field_edits = by_field_edits.iter().find(|field_edits| field_edits.field == mark.field);
    let is_replaced = |(_, edit): (usize, &Edit)| edit.span == mark.span && brings(edit, mark.layer);
    if field_edits.is_some_and(|field_edits| field_edits.touching(mark).any(is_replaced)) {
        return None;
    }
    let span = field_edits.map_or(mark.span, |field_edits| new_span(mark, field_edits, |at| owns(field_edits, at)));
    // A mark that never had width (an empty answer) is not dropped for having none.
    (!span.is_empty() || mark.span.is_empty()).then(|| Mark { span, ..mark.clone() })
}

/// For each edit and layer, the first mark that the edit crosses or covers: the new words will belong to it.
fn owners(sample: &Sample, by_field_edits: &[FieldEdits<'_>]) -> Owners {
    let mut owners = BTreeMap::new();
    for field_edits in by_field_edits {
        for (index, mark) in sample.marks.iter().enumerate().filter(|(_, mark)| mark.field == field_edits.field) {
            for (at, edit) in field_edits.touching(mark) {
                let takes = matches!(Overlap::of(edit.span, mark.span), Overlap::Covers | Overlap::Crosses);
                if takes && !brings(edit, mark.layer) {
                    let owner = owners.entry((field_edits.first + at, mark.layer)).or_insert(index);
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
fn new_span(mark: &Mark, field_edits: &FieldEdits<'_>, owns: impl Fn(usize) -> bool) -> Span {
    let Span { start, end } = mark.span;
    let shift = field_edits.shifts[field_edits.reaches(mark)];
    let (mut new_start, mut new_end) = (start.wrapping_add_signed(shift), end.wrapping_add_signed(shift));
    for (at, Edit { span, with, .. }) in field_edits.touching(mark) {
        let first = span.start.wrapping_add_signed(field_edits.shifts[at]);
        let last = first + with.len();
        let behind = |place: usize| place.wrapping_add_signed(field_edits.shifts[at + 1]);
        match Overlap::of(*span, mark.span) {
            Overlap::Outside => {}
            Overlap::Inside => new_end = behind(end),
            Overlap::Covers if owns(at) => return Span::new(first, last),
            Overlap::Covers => return Span::new(last, last),
            Overlap::Crosses if span.start < start => {
                (new_start, new_end) = (if owns(at) { first } else { last }, behind(end));
            }
            Overlap::Crosses => new_end = if owns(at) { last } else { first },
        }
    }
    Span::new(new_start, new_end)
}
