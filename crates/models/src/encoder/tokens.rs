//! From text to pieces: the tokenizer of a Hugging Face directory, with byte offsets into the user's own text.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tokenizers::{Encoding, Tokenizer};

use super::growth;
use crate::{Error, Input, Piece, Result};

/// A tokenizer and how much of a text the model reads.
#[derive(Debug, Clone)]
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    path: PathBuf,
    /// Pieces that the model reads at most, marks such as `[CLS]` among them.
    limit: usize,
    marks: Marks,
    /// Worked out when first asked for.
    words: OnceLock<Vec<String>>,
}

/// The types (0 for the first text, 1 for its pair) of the marks that a text, or a pair of texts, gets.
#[derive(Debug, Clone)]
struct Marks {
    single: Vec<u8>,
    pair: Vec<u8>,
    /// The type of the pieces of the second text.
    second: u8,
}

/// A text cut into pieces.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cut {
    pub pieces: Vec<Piece>,
    pub truncated: bool,
}

impl Tokens {
    /// Reads `tokenizer.json`; every id it can give must have a row in the word table, and `positions` is the longest
    /// text that the model has positions for.
    pub fn open(directory: &Path, words: usize, positions: usize) -> Result<Self> {
        let path = directory.join("tokenizer.json");
        if !path.is_file() {
            let next = "write it with `AutoTokenizer.from_pretrained(\"DIR\").save_pretrained(\"DIR\")` in Python";
            return Err(Error::MissingFile { path, next });
        }
        let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
        let bad = |error: tokenizers::Error| Error::Tokenizer { path: path.clone(), why: error.to_string() };
        if let Some(why) = growth::refusal(&bytes) {
            return Err(Error::Tokenizer { path, why });
        }
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(bad)?;
        // Texts are cut here, to the model's own length, and never padded.
        tokenizer.with_truncation(None).map_err(bad)?;
        tokenizer.with_padding(None);
        if let Some((word, id)) = tokenizer.get_vocab(true).into_iter().max_by(|a, b| (a.1, &b.0).cmp(&(b.1, &a.0)))
            && id as usize >= words
        {
            return Err(Error::VocabularyTooLarge { path, id, word, rows: words });
        }
        let single = tokenizer.encode("", true).map_err(bad)?;
        let pair = tokenizer.encode(("", ""), true).map_err(bad)?;
        let both = tokenizer.encode(("a", "a"), true).map_err(bad)?;
        let second = both.get_sequence_ids().iter().position(|text| *text == Some(1));
        let second = second.map_or(1, |at| small(both.get_type_ids()[at]));
        let types = |encoding: &Encoding| encoding.get_type_ids().iter().map(|kind| small(*kind)).collect();
        let marks = Marks { single: types(&single), pair: types(&pair), second };
        Ok(Self { tokenizer, path, limit: positions, marks, words: OnceLock::new() })
    }

    /// Reads at most `limit` pieces of a text, if the model has that many positions.
    pub fn set_limit(&mut self, limit: usize, positions: usize) -> Result<()> {
        let least = self.marks.pair.len() + 1;
        if limit < least || limit > positions {
            return Err(Error::BadLength { limit, least, most: positions });
        }
        self.limit = limit;
        Ok(())
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The id of a word or mark, such as `[MASK]`.
    pub fn id(&self, word: &str) -> Option<u32> {
        self.tokenizer.token_to_id(word)
    }

    /// The word of an id, as the vocabulary spells it.
    pub fn word(&self, id: u32) -> Option<String> {
        self.tokenizer.id_to_token(id)
    }

    /// The whole words of the vocabulary in the order of their ids: no marks, no parts of words.
    pub fn words(&self) -> &[String] {
        self.words.get_or_init(|| {
            let mut vocabulary: Vec<(u32, String)> =
                self.tokenizer.get_vocab(true).into_iter().map(|(token, id)| (id, token)).collect();
            vocabulary.sort_unstable();
            // Byte-level and unigram vocabularies mark where a word starts, WordPiece where it goes on.
            let start =
                ['Ġ', '▁'].into_iter().find(|start| vocabulary.iter().any(|(_, token)| token.starts_with(*start)));
            let word = |(id, token): (u32, String)| match start {
                Some(start) => {
                    token.strip_prefix(start)?;
                    let word = self.tokenizer.decode(&[id], false).ok()?;
                    Some(word.trim().to_owned()).filter(|word| !word.is_empty() && !word.contains('\u{fffd}'))
                }
                None => {
                    Some(token).filter(|token| !(token.starts_with("##") || token.len() > 1 && token.starts_with('[')))
                }
            };
            vocabulary.into_iter().filter_map(word).collect()
        })
    }

    /// The id of the mark for "nothing here".
    pub fn padding(&self) -> Option<u32> {
        ["[PAD]", "<pad>"].iter().find_map(|mark| self.id(mark))
    }

    /// Cuts an input into pieces.
    pub fn cut(&self, input: Input<'_>) -> Result<Cut> {
        let (encoding, shortened) = self.encode(input)?;
        let texts = encoding.get_sequence_ids();
        let count = |text: usize| texts.iter().filter(|found| **found == Some(text)).count();
        let (first, second) = (count(0), count(1));
        let room = self.limit.saturating_sub(texts.len() - first - second);
        let keep = share_room(first, second, room);
        let pieces = pieces(input, &encoding, &texts, keep);
        Ok(Cut { pieces, truncated: shortened || first + second > room })
    }

    /// All pieces; of a single text much longer than the model reads, those of its beginning, and `true`.
    fn encode(&self, input: Input<'_>) -> Result<(Encoding, bool)> {
        let bad = |error: tokenizers::Error| Error::Tokenizer { path: self.path.clone(), why: error.to_string() };
        // A single word without end has no beginning to go by, and must not cost memory and time without end either.
        let most = self.limit.saturating_mul(MOST_BYTES_A_PIECE);
        let whole = input;
        let input = Input { text: cut_off(input.text, most), pair: input.pair.map(|pair| cut_off(pair, most)) };
        let cut = input.text.len() < whole.text.len() || input.pair.map(str::len) < whole.pair.map(str::len);
        let beginning = beginning(input.text, self.limit * BYTES_A_PIECE);
        if input.pair.is_none() && beginning.len() < input.text.len() {
            let encoding = self.tokenizer.encode(beginning, true).map_err(bad)?;
            // The last words of the beginning may be cut differently than in the whole text; they must not be read.
            if encoding.len() > self.limit + UNSURE_PIECES {
                return Ok((encoding, true));
            }
        }
        let encoding = match input.pair {
            None => self.tokenizer.encode(input.text, true),
            Some(pair) => self.tokenizer.encode((input.text, pair), true),
        };
        Ok((encoding.map_err(bad)?, cut))
    }

    /// The type of every piece: 0 in the first text, 1 in its pair (or as the tokenizer has it).
    pub fn types(&self, pieces: &[Piece]) -> Vec<u8> {
        let marks = pieces.iter().filter(|piece| piece.source.is_none()).count();
        let marks = if marks == self.marks.pair.len() { &self.marks.pair } else { &self.marks.single };
        let mut marks = marks.iter();
        let kind = |piece: &Piece| match piece.source {
            None => *marks.next().unwrap_or(&0),
            Some((0, _)) => 0,
            Some(_) => self.marks.second,
        };
        pieces.iter().map(kind).collect()
    }

    /// The file that the tokenizer was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A text with more bytes than this for each piece that is read is tokenised by its beginning.
const BYTES_A_PIECE: usize = 32;
const UNSURE_PIECES: usize = 64;
/// No more bytes than this for each piece are given to the tokenizer, whatever they are.
const MOST_BYTES_A_PIECE: usize = 512;

/// At most `most` bytes of a text, in whole characters.
fn cut_off(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The text up to the first white space or full-width mark behind `enough` bytes; all of it where that is not much shorter.
fn beginning(text: &str, enough: usize) -> &str {
    if text.len() / 2 <= enough {
        return text;
    }
    let from = (enough..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    // Chinese texts have no spaces.
    let parts =
        |letter: char| letter.is_whitespace() || matches!(letter, '\u{3002}' | '\u{ff0c}' | '\u{ff01}' | '\u{ff1f}');
    text[from..].find(parts).map_or(text, |space| &text[..from + space])
}

fn small(kind: u32) -> u8 {
    u8::try_from(kind).unwrap_or(u8::MAX)
}

/// How many pieces of two texts are kept where there is room for `room`: the longer text gives way first.
fn share_room(first: usize, second: usize, room: usize) -> [usize; 2] {
    if first + second <= room {
        return [first, second];
    }
    let short = first.min(second);
    let (short, long) = if 2 * short > room { (room / 2, room - room / 2) } else { (short, room - short) };
    if first <= second { [short, long] } else { [long, short] }
}

/// The pieces that are kept, each with the bytes it covers.
fn pieces(input: Input<'_>, encoding: &Encoding, texts: &[Option<usize>], keep: [usize; 2]) -> Vec<Piece> {
    let (ids, offsets, words) = (encoding.get_ids(), encoding.get_offsets(), encoding.get_word_ids());
    let (mut used, mut pieces) = ([0; 2], Vec::with_capacity(keep[0] + keep[1] + 4));
    // Words of the second text are counted on from those of the first.
    let mut first_words = 0;
    for at in 0..ids.len() {
        let Some(text) = texts[at].map(|text| text.min(1)) else {
            pieces.push(Piece { id: ids[at], source: None, word: None });
            continue;
        };
        used[text] += 1;
        if used[text] > keep[text] {
            continue;
        }
        let content = if text == 0 { input.text } else { input.pair.unwrap_or_default() };
        let source = Some((text as u8, whole_characters(content, offsets[at].0..offsets[at].1)));
        if text == 0 {
            first_words = first_words.max(words[at].map_or(0, |word| word + 1));
        }
        let word = words[at].map(|word| if text == 0 { word } else { first_words + word });
        pieces.push(Piece { id: ids[at], source, word });
    }
    pieces
}

/// The range widened to whole characters, without white space at its ends. Byte-level vocabularies cut characters apart,
/// and some count the space before a word to it.
fn whole_characters(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(text.len());
    let mut end = range.end.clamp(start, text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let covered = &text[start..end];
    let trimmed = covered.trim();
    if trimmed.is_empty() {
        return start..end;
    }
    let start = start + (covered.len() - covered.trim_start().len());
    start..start + trimmed.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_as_its_beginning_is() {
        for family in ["bert", "roberta", "xlm-roberta"] {
            let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(family);
            let tokens = Tokens::open(&directory, 400, 24).unwrap();
            let text = "the cat, naïve 我喜欢 film!  boring\tmat \u{1f44d} ".repeat(200);
            assert!(beginning(&text, 24 * BYTES_A_PIECE).len() < text.len());
            let whole = tokens.tokenizer.encode(text.as_str(), true).unwrap();
            let cut = tokens.cut(Input::from(text.as_str())).unwrap();
            assert!(cut.truncated);
            let ids: Vec<u32> = cut.pieces.iter().map(|piece| piece.id).collect();
            assert_eq!(ids[..23], whole.get_ids()[..23], "{family}");
            // One word of many bytes has no beginning to go by.
            let cut = tokens.cut(Input::from("x".repeat(100_000).as_str())).unwrap();
            assert!(!cut.pieces.is_empty() && cut.truncated, "{family}");
            let endless = "é".repeat(100_000);
            let cut = tokens.cut(Input { text: "a", pair: Some(&endless) }).unwrap();
            assert!(cut.truncated, "{family}");
        }
    }

    #[test]
    fn whole_words_are_told_from_marks_and_parts() {
        let families = [
            ("bert", "the", ["[CLS]", "##t"]),
            ("roberta", "the", ["<s>", "Ġthe"]),
            ("xlm-roberta", "ca", ["<s>", "▁ca"]),
        ];
        for (family, word, others) in families {
            let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/families").join(family);
            let tokens = Tokens::open(&directory, 400, 24).unwrap();
            let words = tokens.words();
            assert!(words.iter().any(|found| found == word), "{family}: {words:?}");
            assert!(words.iter().all(|found| !others.contains(&found.as_str())), "{words:?}");
            assert!(tokens.padding().is_some());
        }
    }

    #[test]
    fn the_longer_text_gives_way() {
        assert_eq!(share_room(3, 4, 10), [3, 4]);
        assert_eq!(share_room(3, 9, 10), [3, 7]);
        assert_eq!(share_room(9, 3, 10), [7, 3]);
        assert_eq!(share_room(9, 8, 10), [5, 5]);
        assert_eq!(share_room(8, 9, 11), [5, 6]);
        assert_eq!(share_room(9, 8, 11), [6, 5]);
        assert_eq!(share_room(20, 0, 7), [7, 0]);
    }

    #[test]
    fn ranges_cover_whole_characters() {
        let text = "a 👍🏽é";
        assert_eq!(whole_characters(text, 3..4), 2..6);
        assert_eq!(whole_characters(text, 1..4), 2..6);
        assert_eq!(whole_characters(text, 1..2), 1..2);
        assert_eq!(whole_characters(text, 11..12), 10..12);
        assert_eq!(whole_characters(text, 50..60), 12..12);
    }
}
