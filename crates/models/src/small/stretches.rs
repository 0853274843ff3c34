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
#[derive(Debug, Clone)]
pub struct ReadText {
    text: String,
    words: Vec<ReadWord>,
}

#[derive(Debug, Clone)]
struct ReadWord {
    range: Range<usize>,
    id: u32,
    /// That of the bigram with the word before, if the model knows it.
    bigram: Option<u32>,
}

/// The words of a text as they are put together.
struct Reading<'r> {
    reader: &'r Reader,
    /// Words from here on are cut off.
    limit: usize,
    ids: Vec<u32>,
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
        let mut reading = Reading::new(self.reader, usize::MAX);
        let mut words = Vec::new();
        for range in self.reader.cut().words(text) {
            let (id, bigram) = reading.add(&text[range.clone()]);
            words.push(ReadWord { range, id, bigram });
        }
        ReadText { text: text.to_owned(), words }
    }

    /// What the model reads of a text with some stretches of bytes replaced; these are in order and do not overlap. `None` if new
    /// text has a mark that could join what stands around it, so that the whole has to be read.
    pub fn reading(&self, read: &ReadText, edits: &[(Range<usize>, &str)]) -> Option<Vec<u32>> {
        if edits.iter().any(|(_, with)| with.contains('<')) {
            return None;
        }
        let mut reading = Reading::new(self.reader, self.reader.max_words());
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
            self.reader.cut().words(&stretch).for_each(|range| _ = reading.add(&stretch[range]));
            word += read.words[word..].partition_point(|word| word.range.start < end);
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

impl<'r> Reading<'r> {
    fn new(reader: &'r Reader, limit: usize) -> Self {
        Self { reader, limit, ids: Vec::new(), bigrams: Vec::new(), last: String::new() }
    }

    /// Adds a word, with the bigram that it makes with the last one.
    fn add(&mut self, word: &str) -> (u32, Option<u32>) {
        let before = self.last.len();
        let is_first = self.ids.is_empty();
        if !is_first {
            self.last.push(' ');
        }
        let start = self.last.len();
        self.last.push_str(word);
        self.last[start..].make_ascii_lowercase();
        let id = self.reader.id(&self.last[start..]).unwrap_or(UNKNOWN);
        let bigram =
            (self.reader.reads_bigrams() && !is_first && before > 0).then(|| self.reader.id(&self.last)).flatten();
        self.last.drain(..start);
        if self.ids.len() < self.limit {
            self.bigrams.extend(bigram);
        }
        self.ids.push(id);
        (id, bigram)
    }

    /// Adds the words of a text from a number on that begin before `end`, as they were read. If what stands before them
    /// `changed`, so has the bigram of the first. Says which word comes next.
    fn copy(&mut self, read: &ReadText, from: usize, end: usize, changed: bool) -> usize {
        let to = from + read.words[from..].partition_point(|word| word.range.start < end);
        let Some((first, rest)) = read.words[from..to].split_first() else { return to };
        if changed && self.reader.reads_bigrams() {
            self.add(&read.text[first.range.clone()]);
        } else {
            self.take(first);
        }
        rest.iter().for_each(|word| self.take(word));
        if self.reader.reads_bigrams() {
            self.last.clear();
            self.last.push_str(&read.text[read.words[to - 1].range.clone()]);
            self.last.make_ascii_lowercase();
        }
        to
    }

    /// Adds a word as it was read.
    fn take(&mut self, word: &ReadWord) {
        if self.ids.len() < self.limit {
            self.bigrams.extend(word.bigram);
        }
        self.ids.push(word.id);
    }

    fn finish(mut self) -> Vec<u32> {
        self.ids.truncate(self.limit);
        self.ids.resize(self.ids.len().max(self.reader.fewest()), PAD);
        self.ids.append(&mut self.bigrams);
        self.ids
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
            assert_eq!(stretches.reading(&read, &edits), Some(whole(&reader, text, &edits)), "{edits:?}");
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
            let found = stretches.reading(&stretches.read(&text), &edits);
            prop_assert_eq!(found, Some(whole(&reader, &text, &edits)));
        }
    }
}
