//! A sample of a segmented text: its words by the tags of its characters, and how a word gives way to others.

use std::ops::Range;

use fissure_core::{Anchor, Change, Edit, Mark, Piece, Sample, Skip, Span, layer};
use fissure_text::Upos;
use fissure_text::chinese;

/// The words of a sample whose characters carry `B`, `M`, `E` and `S`.
pub(crate) struct Segmented<'s> {
    sample: &'s Sample,
    words: Vec<Cut>,
}

/// A word, and the marks of its characters by their numbers in the sample.
struct Cut {
    span: Span,
    marks: Vec<usize>,
}

impl<'s> Segmented<'s> {
    pub fn of(sample: &'s Sample) -> Result<Self, Skip> {
        if !sample.fields.first().is_some_and(|field| field.open) {
            return Err(Skip("the text may not be edited".into()));
        }
        let mut words: Vec<Cut> = Vec::new();
        let mut inside = false;
        for (index, mark) in sample.layer(layer::TOKEN).filter(|(_, mark)| mark.field == 0) {
            match words.last_mut() {
                Some(word) if inside && matches!(&*mark.value, "M" | "E") && word.span.end == mark.span.start => {
                    word.span.end = mark.span.end;
                    word.marks.push(index);
                }
                _ => words.push(Cut { span: mark.span, marks: vec![index] }),
            }
            inside = matches!(&*mark.value, "B" | "M");
        }
        if words.is_empty() {
            Err(Skip("there are no words with boundaries".into()))
        } else {
            Ok(Self { sample, words })
        }
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The word at place `at`; empty beyond the ends.
    pub fn word(&self, at: usize) -> &'s str {
        self.words.get(at).map_or("", |word| word.span.of(&self.sample.fields[0].text))
    }

    /// The bytes of the word at place `at`; none beyond the ends.
    pub fn span(&self, at: usize) -> Span {
        self.words.get(at).map_or(Span::new(0, 0), |word| word.span)
    }

    /// The word before place `at`; empty at the start.
    pub fn before(&self, at: usize) -> &'s str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    /// Whether the word at place `at` is inside a title or a quotation that opens at most twelve words before it.
    pub fn is_quoted(&self, at: usize) -> bool {
        let mut before = (at.saturating_sub(12)..at).rev().map(|place| self.word(place));
        let mark = before.find(|word| ["《", "“", "『", "「", "》", "”", "』", "」"].contains(word));
        mark.is_some_and(|mark| ["《", "“", "『", "「"].contains(&mark))
    }

    /// The parts of speech of all words.
    pub fn tags(&self) -> Vec<Upos> {
        let words: Vec<&str> = (0..self.len()).map(|at| self.word(at)).collect();
        chinese::tag(&words)
    }

    /// Adds to a change that the word at place `at` gives way to these words.
    pub fn put(&self, at: usize, words: &[&str], change: &mut Change) {
        self.put_all(at..at + 1, words, change);
    }

    /// As [`Self::put`], for words that touch each other.
    pub fn put_all(&self, places: Range<usize>, words: &[&str], change: &mut Change) {
        let Some(cuts) = self.words.get(places).filter(|cuts| !cuts.is_empty()) else { return };
        if cuts.windows(2).any(|pair| pair[0].span.end != pair[1].span.start) {
            return;
        }
        let stays_one = cuts.len() == 1 && words.len() == 1;
        let marks: Vec<usize> = cuts.iter().flat_map(|cut| cut.marks.iter().copied()).collect();
        let span = Span::new(cuts[0].span.start, cuts[cuts.len() - 1].span.end);
        let mut piece = Piece::default();
        for word in words {
            let count = word.chars().count();
            let mut with_marks = Piece::words(*word);
            for (place, (start, c)) in word.char_indices().enumerate() {
                let span = Span::new(start, start + c.len_utf8());
                with_marks = with_marks.mark(Mark::new(layer::TOKEN, 0, span, tag(place, count), Anchor::Elastic));
            }
            piece = piece + with_marks;
        }
        // What a file has before and behind a word (white space of its own kind) is kept on its first and last character.
        let kept =
            |index: Option<&usize>| index.map_or_else(Vec::new, |index| self.sample.marks[*index].attributes.clone());
        let last = piece.labels.marks.len().saturating_sub(1);
        if let Some(brought) = piece.labels.marks.get_mut(last) {
            brought.mark.attributes = kept(marks.last());
        }
        if let Some(brought) = piece.labels.marks.first_mut().filter(|_| marks.len() > 1 || last > 0) {
            let first = kept(marks.first());
            // What a file says of a word beside it (its head) is kept on the first character if one word replaces it.
            let is_kept =
                |name: &str| (name == "before" && last > 0) || (stays_one && !["before", "after"].contains(&name));
            brought.mark.attributes.extend(first.into_iter().filter(|(name, _)| is_kept(name)));
        }
        change.edits.push(Edit::put(span, piece));
        change.values.extend(marks.iter().map(|mark| (*mark, None)));
    }
}

/// The tag of a character of a word.
fn tag(place: usize, count: usize) -> &'static str {
    match (place, place + 1 == count) {
        (0, true) => "S",
        (0, false) => "B",
        (_, true) => "E",
        _ => "M",
    }
}
