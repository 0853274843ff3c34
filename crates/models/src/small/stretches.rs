//! Texts that are nearly another: only what changed is read again.
//!
//! No word of a small model reaches across a space, so a text is a row of stretches between spaces that are read each alone.
//! An attack asks about hundreds of texts that differ in a word or a few; reading the rest of them again was most of its work.

use std::ops::Range;

use super::Reader;
use super::reader::{PAD, UNKNOWN};

/// How a small model reads texts, stretch by stretch.
#[derive(Debug, Clone, Copy)]
pub struct Stretches<'m> {
    reader: &'m Reader,
}

/// A text with its words, so that texts like it are read from what differs.
#[derive(Debug, Clone, Default)]
pub struct ReadText {
    text: String,
    /// Of each word its place and its id.
    words: Vec<Range<usize>>,
    ids: Vec<u32>,
    /// The bigrams that the model knows, and how many of them end before each word, with one number more for the end.
    bigrams: Vec<u32>,
    before: Vec<usize>,
}

/// What a model reads of a text that is nearly another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    pub ids: Vec<u32>,
    /// The words that it has of the other text, in order: where each run of them begins here, where there, and how many words it has.
    pub runs: Vec<Run>,
}

/// Words that two texts share: the number of the first in the one, in the other, and how many there are.
pub type Run = (usize, usize, usize);

/// The words of a text as they are put together.
struct Joined<'r> {
    reader: &'r Reader,
    /// Words from here on are cut off.
    limit: usize,
    ids: Vec<u32>,
    runs: Vec<Run>,
    bigrams: Vec<u32>,
    /// The last word in lower case; with the next word it is a bigram.
    last: String,
}

impl<'m> Stretches<'m> {
    pub(crate) fn of(reader: &'m Reader) -> Self {
        Self { reader }
    }

    /// Reads a text whole, also the words that the model would cut off: a change may bring them forward.
    pub fn read(&self, text: &str) -> ReadText {
        let mut reading = Joined::new(self.reader, usize::MAX);
        let mut words = Vec::new();
        let mut before = vec![0];
        for range in self.reader.cut().words(text) {
            reading.add(&text[range.clone()]);
            before.push(reading.bigrams.len());
            words.push(range);
        }
        ReadText { text: text.to_owned(), words, ids: reading.ids, bigrams: reading.bigrams, before }
    }

    /// What the model reads of a text with some stretches of bytes replaced; these are in order and do not overlap. `None` if new
    /// text has a mark that could join what stands around it, so that the whole has to be read.
    pub fn reading(&self, read: &ReadText, edits: &[(Range<usize>, &str)]) -> Option<Reading> {
        if edits.iter().any(|(_, with)| with.contains('<')) {
            return None;
        }
        let mut reading = Joined::new(self.reader, self.reader.max_words());
        reading.ids.reserve(read.words.len() + edits.len());
        let (mut word, mut next, mut changed) = (0, 0, false);
        let mut stretch = String::new();
        while let Some((first, _)) = edits.get(next) {
            let start = before(&read.text, first.start);
            word = reading.copy(read, word, start, changed);
            let mut done = start;
            stretch.clear();
            // All edits up to the next space that none of them touches.
            let end = loop {
                let (range, with) = &edits[next];
                stretch.push_str(&read.text[done..range.start]);
                stretch.push_str(with);
                done = range.end;
                next += 1;
                let space = behind(&read.text, done);
                if edits.get(next).is_none_or(|(range, _)| range.start > space) {
                    break space;
                }
            };
            stretch.push_str(&read.text[done..end]);
            self.reader.cut().words(&stretch).for_each(|range| reading.add(&stretch[range]));
            word += read.words[word..].partition_point(|word| word.start < end);
            changed = true;
        }
        reading.copy(read, word, read.text.len(), changed);
        Some(reading.finish())
    }
}

/// Where the stretch begins that holds a place.
fn before(text: &str, place: usize) -> usize {
    let spaces = memchr::memrchr_iter(b' ', &text.as_bytes()[..place]);
    spaces.map(|space| space + 1).find(|start| !is_break(text, *start)).unwrap_or(0)
}

/// Where the stretch ends that holds a place.
fn behind(text: &str, place: usize) -> usize {
    let spaces = memchr::memchr_iter(b' ', &text.as_bytes()[place..]).map(|space| place + space);
    spaces.into_iter().find(|space| !is_break(text, space + 1)).unwrap_or(text.len())
}

/// Whether the space before a place is the one inside `<br />`.
fn is_break(text: &str, place: usize) -> bool {
    text.as_bytes()[..place].ends_with(b"<br ")
}

impl<'r> Joined<'r> {
    fn new(reader: &'r Reader, limit: usize) -> Self {
        Self { reader, limit, ids: Vec::new(), runs: Vec::new(), bigrams: Vec::new(), last: String::new() }
    }

    /// Adds a word, with the bigram that it makes with the last one.
    fn add(&mut self, word: &str) {
        let before = self.last.len();
        let follows = self.reader.reads_bigrams() && !self.ids.is_empty() && before > 0;
        if follows {
            self.last.push(' ');
        } else {
            self.last.clear();
        }
        let start = self.last.len();
        self.last.push_str(word);
        self.last[start..].make_ascii_lowercase();
        let id = self.reader.id(&self.last[start..]).unwrap_or(UNKNOWN);
        if follows && self.ids.len() < self.limit {
            self.bigrams.extend(self.reader.id(&self.last));
        }
        self.last.drain(..start);
        self.ids.push(id);
    }

    /// Adds the words of a text from a number on that begin before `end`, as they were read. If what stands before them
    /// `changed`, so has the bigram of the first. Says which word comes next.
    fn copy(&mut self, read: &ReadText, from: usize, end: usize, changed: bool) -> usize {
        let to = from + read.words[from..].partition_point(|word| word.start < end);
        if from == to {
            return to;
        }
        self.runs.push((self.ids.len(), from, to - from));
        let mut next = from;
        if changed && self.reader.reads_bigrams() {
            self.add(&read.text[read.words[from].clone()]);
            next += 1;
        }
        let room = self.limit.saturating_sub(self.ids.len()).min(to - next);
        self.bigrams.extend_from_slice(&read.bigrams[read.before[next]..read.before[next + room]]);
        self.ids.extend_from_slice(&read.ids[next..to]);
        if self.reader.reads_bigrams() {
            self.last.clear();
            self.last.push_str(&read.text[read.words[to - 1].clone()]);
            self.last.make_ascii_lowercase();
        }
        to
    }

    fn finish(mut self) -> Reading {
        self.ids.truncate(self.limit);
        self.ids.resize(self.ids.len().max(self.reader.fewest()), PAD);
        self.ids.append(&mut self.bigrams);
        Reading { ids: self.ids, runs: self.runs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;
    use proptest::prelude::*;

    fn reader(max_words: usize, bigrams: bool) -> Reader {
        let words = ["<pad>", "<unk>", "a", "b", "br", "a b", "b b", "a'b", ".", "b .", ". a", "a a", "br a"];
        Reader::new(words.map(str::to_owned).to_vec(), max_words, 5, bigrams).expect("no word twice")
    }

    /// The text with the edits, read whole.
    fn whole(reader: &Reader, text: &str, edits: &[(Range<usize>, &str)]) -> Vec<u32> {
        let mut new = text.to_owned();
        edits.iter().rev().for_each(|(range, with)| new.replace_range(range.clone(), with));
        reader.read(Input::from(&*new)).expect("a single text").ids().collect()
    }

    #[test]
    fn stretches_by_hand() {
        let reader = reader(6, true);
        let stretches = Stretches::of(&reader);
        let text = "A b<br />a 'b b. x a";
        let read = stretches.read(text);
        for edits in [
            vec![],
            vec![(0..1, "b")],
            vec![(0..2, "")],
            vec![(2..3, "a b"), (9..10, "")],
            vec![(9..11, ""), (12..13, "a")],
            vec![(7..7, "b"), (19..20, "")],
            vec![(0..20, "")],
        ] {
            let found = stretches.reading(&read, &edits).map(|reading| reading.ids);
            assert_eq!(found, Some(whole(&reader, text, &edits)), "{edits:?}");
        }
        assert_eq!(stretches.reading(&read, &[(0..1, "<br")]), None, "it may join ` />`");
    }

    proptest! {
        #[test]
        fn what_differs_is_read_as_in_the_whole(
            text in "([abAx'. ]|<br />|\n|\u{e9}|a b|b b ){0,30}",
            cuts in proptest::collection::vec((0..1000_usize, 0..6_usize, "[abx'. />]{0,4}"), 0..5),
            (limit, bigrams) in (1..12_usize, any::<bool>()),
        ) {
            let reader = reader(limit, bigrams);
            let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
            let mut done = 0;
            for (gap, length, with) in &cuts {
                let start = text.ceil_char_boundary((done + gap % (text.len() + 1 - done)).min(text.len()));
                let end = text.ceil_char_boundary((start + length).min(text.len()));
                edits.push((start..end, with));
                done = end;
            }
            let stretches = Stretches::of(&reader);
            let read = stretches.read(&text);
            let found = stretches.reading(&read, &edits).unwrap_or_default();
            for (here, there, count) in &found.runs {
                let words = (here + count).min(limit).saturating_sub(*here);
                prop_assert_eq!(&found.ids[*here.min(&found.ids.len())..][..words], &read.ids[*there..][..words]);
            }
            prop_assert_eq!(found.ids, whole(&reader, &text, &edits));
        }
    }
}
