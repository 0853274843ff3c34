//! From a text to the pieces that a small model reads: words, bigrams, padding.
//!
//! A pair is read as the words of the first text, the mark `<sep>`, and the words of the second; no bigram crosses the
//! mark. Where the two are too long together, the longer gives way until both have half. A model whose vocabulary has no
//! `<sep>` was not trained on pairs, and refuses them.

use std::ops::Range;

use hashbrown::HashMap;

use super::words::WordCut;
use crate::{Error, Input, Piece, Result};

/// The id of `<pad>`, whose embedding row is zero.
pub(crate) const PAD: u32 = 0;
/// The id of `<unk>`, which stands for every word that is not in the vocabulary.
pub(crate) const UNKNOWN: u32 = 1;
/// What the first entries of every vocabulary are.
pub(crate) const MARKS: [&str; 2] = ["<pad>", "<unk>"];
/// The mark between the texts of a pair, in the vocabularies of models trained on pairs.
pub(crate) const SEPARATOR: &str = "<sep>";

/// Knows the vocabulary of a model and how much of a text it reads.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    vocabulary: Vec<String>,
    ids: HashMap<String, u32>,
    max_words: usize,
    fewest: usize,
    bigrams: bool,
    separator: Option<u32>,
    cut: WordCut,
}

/// One text (or pair), read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tokenized {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) truncated: bool,
}

impl Tokenized {
    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.pieces.iter().map(|piece| piece.id)
    }
}

impl Reader {
    /// A reader of at most `max_words` words, filled up with `<pad>` to at least `fewest`. With `bigrams`, pairs of
    /// neighbouring words that the vocabulary has (as `"w1 w2"`) follow the words. Two entries that are the same are
    /// an error: it is given back.
    pub(crate) fn new(
        vocabulary: Vec<String>,
        max_words: usize,
        fewest: usize,
        bigrams: bool,
    ) -> std::result::Result<Self, String> {
        let mut ids = HashMap::with_capacity(vocabulary.len());
        for (id, word) in vocabulary.iter().enumerate() {
            if ids.insert(word.clone(), id as u32).is_some() {
                return Err(word.clone());
            }
        }
        let separator = ids.get(SEPARATOR).copied();
        Ok(Self { vocabulary, ids, max_words, fewest, bigrams, separator, cut: WordCut::default() })
    }

    /// The same, for texts that are cut in another way.
    pub(crate) fn cutting(self, cut: WordCut) -> Self {
        Self { cut, ..self }
    }

    pub(crate) fn cut(&self) -> WordCut {
        self.cut
    }

    pub(crate) fn vocabulary(&self) -> &[String] {
        &self.vocabulary
    }

    /// The id of a lower-case word, or of a bigram.
    pub(crate) fn id(&self, feature: &str) -> Option<u32> {
        self.ids.get(feature).copied()
    }

    pub(crate) fn reads_bigrams(&self) -> bool {
        self.bigrams
    }

    pub(crate) fn max_words(&self) -> usize {
        self.max_words
    }

    /// The fewest pieces of a text; a shorter one is filled up.
    pub(crate) fn fewest(&self) -> usize {
        self.fewest
    }

    /// Cuts an input into pieces: words and marks in order, then bigrams.
    pub(crate) fn read(&self, input: Input<'_>) -> Result<Tokenized> {
        // One word more than is read shows whether there were more, however long the text.
        let ranges = |text: &str| -> Vec<Range<usize>> { self.cut.words(text).take(self.max_words + 1).collect() };
        let mut pieces = Vec::new();
        let mut bigrams = Vec::new();
        let mut first = ranges(input.text);
        let Some(pair) = input.pair else {
            let truncated = first.len() > self.max_words;
            first.truncate(self.max_words);
            self.add(0, 0, input.text, &first, &mut pieces, &mut bigrams);
            return Ok(self.finish(pieces, bigrams, truncated));
        };
        let separator = self.separator.ok_or(Error::NoPairs { separator: SEPARATOR })?;
        let mut second = ranges(pair);
        let (of_first, of_second) = shares(first.len(), second.len(), self.max_words.saturating_sub(1));
        let truncated = (of_first, of_second) != (first.len(), second.len());
        first.truncate(of_first);
        second.truncate(of_second);
        self.add(0, 0, input.text, &first, &mut pieces, &mut bigrams);
        pieces.push(Piece { id: separator, source: None, word: None });
        self.add(1, of_first, pair, &second, &mut pieces, &mut bigrams);
        Ok(self.finish(pieces, bigrams, truncated))
    }

    /// Adds the words at `ranges` of one text, and the bigrams among them.
    fn add(
        &self,
        source: u8,
        first_word: usize,
        text: &str,
        ranges: &[Range<usize>],
        pieces: &mut Vec<Piece>,
        bigrams: &mut Vec<Piece>,
    ) {
        // All lower-case words, one space between: a word is a part of it, and so is a bigram.
        let mut joined = String::with_capacity(ranges.iter().map(|range| range.len() + 1).sum());
        let mut before: Option<(usize, usize)> = None;
        for (at, range) in ranges.iter().enumerate() {
            let start = joined.len();
            joined.push_str(&text[range.clone()]);
            joined[start..].make_ascii_lowercase();
            let id = self.ids.get(&joined[start..]).copied().unwrap_or(UNKNOWN);
            pieces.push(Piece { id, source: Some((source, range.clone())), word: Some((first_word + at) as u32) });
            if let Some((joined_start, text_start)) = before.filter(|_| self.bigrams)
                && let Some(id) = self.ids.get(&joined[joined_start..])
            {
                bigrams.push(Piece { id: *id, source: Some((source, text_start..range.end)), word: None });
            }
            before = Some((start, range.start));
            joined.push(' ');
        }
    }

    fn finish(&self, mut pieces: Vec<Piece>, bigrams: Vec<Piece>, truncated: bool) -> Tokenized {
        let padded = pieces.len().max(self.fewest);
        pieces.resize(padded, Piece { id: PAD, source: None, word: None });
        pieces.extend(bigrams);
        Tokenized { pieces, truncated }
    }
}

/// How many words each of two texts may keep of `room`: all where they fit; else the longer gives way first.
fn shares(first: usize, second: usize, room: usize) -> (usize, usize) {
    let half = room / 2;
    if first + second <= room {
        (first, second)
    } else if second <= half {
        (room - second, second)
    } else if first <= room - half {
        (first, room - first)
    } else {
        (room - half, half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(max_words: usize, bigrams: bool) -> Reader {
        let words = ["<pad>", "<unk>", "not", "good", "not good", "it's", "<sep>", "film"];
        Reader::new(words.map(str::to_owned).to_vec(), max_words, 5, bigrams).expect("no word twice")
    }

    fn ids(reading: &Tokenized) -> Vec<u32> {
        reading.pieces.iter().map(|piece| piece.id).collect()
    }

    #[test]
    fn words_then_padding_then_bigrams() {
        let text = "NOT<br />Good, it's";
        let reading = reader(10, true).read(text.into()).expect("a single text");
        assert_eq!(ids(&reading), [2, 3, 1, 5, 0, 4]);
        assert!(!reading.truncated);
        let covered: Vec<Option<&str>> =
            reading.pieces.iter().map(|piece| piece.source.clone().map(|(_, range)| &text[range])).collect();
        assert_eq!(covered, [Some("NOT"), Some("Good"), Some(","), Some("it's"), None, Some("NOT<br />Good")]);
        let words: Vec<Option<u32>> = reading.pieces.iter().map(|piece| piece.word).collect();
        assert_eq!(words, [Some(0), Some(1), Some(2), Some(3), None, None]);
    }

    #[test]
    fn truncation_and_the_empty_text() {
        let reading = reader(6, false).read("good good good good good good good".into()).expect("a single text");
        assert_eq!((ids(&reading), reading.truncated), (vec![3; 6], true));
        let reading = reader(6, false).read("good good good good good good".into()).expect("a single text");
        assert!(!reading.truncated);
        let reading = reader(6, true).read("".into()).expect("a single text");
        assert_eq!((ids(&reading), reading.truncated), (vec![0; 5], false));
    }

    #[test]
    fn pairs_have_a_mark_between_and_no_bigram_across() {
        let pair = Input { text: "it's not", pair: Some("good film, not good") };
        let reading = reader(20, true).read(pair).expect("it has the mark");
        assert_eq!(ids(&reading), [5, 2, 6, 3, 7, 1, 2, 3, 4]);
        assert_eq!(reading.pieces[3], Piece { id: 3, source: Some((1, 0..4)), word: Some(2) });
        assert_eq!(reading.pieces[8].source, Some((1, 11..19)));
        let reading = reader(6, false).read(pair).expect("it has the mark");
        assert_eq!((ids(&reading), reading.truncated), (vec![5, 2, 6, 3, 7, 1], true));
        let without = Reader::new(vec!["<pad>".to_owned(), "<unk>".to_owned()], 9, 5, false).expect("no word twice");
        assert!(without.read(pair).expect_err("no mark").to_string().contains("<sep>"));
    }

    #[test]
    fn the_longer_gives_way() {
        assert_eq!(shares(3, 4, 7), (3, 4));
        assert_eq!(shares(10, 2, 7), (5, 2));
        assert_eq!(shares(2, 10, 7), (2, 5));
        assert_eq!(shares(10, 10, 7), (4, 3));
        assert_eq!(shares(1, 1, 0), (0, 0));
    }

    #[test]
    fn a_word_twice_is_refused() {
        let twice = ["a", "b", "a"].map(str::to_owned).to_vec();
        assert_eq!(Reader::new(twice, 9, 5, false).expect_err("twice"), "a");
    }
}
