//! Numbers in words, up to the quintillions that fit 63 bits.

use super::{Number, Style};
use crate::casing::{self, Case};
use std::ops::Range;

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: [(&str, u64); 6] = [
    ("quintillion", 1_000_000_000_000_000_000),
    ("quadrillion", 1_000_000_000_000_000),
    ("trillion", 1_000_000_000_000),
    ("billion", 1_000_000_000),
    ("million", 1_000_000),
    ("thousand", 1_000),
];
/// The ordinals that are not the cardinal and `th`.
const IRREGULAR: [(&str, &str); 7] = [
    ("one", "first"),
    ("two", "second"),
    ("three", "third"),
    ("five", "fifth"),
    ("eight", "eighth"),
    ("nine", "ninth"),
    ("twelve", "twelfth"),
];

/// `value` in words: `two hundred and five`, without the `and` if it is not wanted.
pub fn cardinal(value: u64, and: bool) -> String {
    let mut words = Vec::new();
    let mut rest = value;
    for (name, size) in SCALES {
        if rest >= size {
            below_thousand(rest / size, and, &mut words);
            words.push(name.to_owned());
            rest %= size;
        }
    }
    if rest > 0 || value == 0 {
        if and && !words.is_empty() && rest < 100 {
            words.push("and".to_owned());
        }
        below_thousand(rest, and, &mut words);
    }
    words.join(" ")
}

/// `value` as an ordinal in words: `two hundred and fifth`.
pub fn ordinal(value: u64, and: bool) -> String {
    let mut words = cardinal(value, and);
    let last = words.rfind([' ', '-']).map_or(0, |at| at + 1);
    let ending = ordinal_of(&words[last..]);
    words.replace_range(last.., &ending);
    words
}

fn below_thousand(value: u64, and: bool, words: &mut Vec<String>) {
    let (hundreds, rest) = (value / 100, value % 100);
    if hundreds > 0 {
        words.push(ONES[hundreds as usize].to_owned());
        words.push("hundred".to_owned());
        if rest > 0 && and {
            words.push("and".to_owned());
        }
    }
    match rest {
        0 if hundreds > 0 => {}
        0..20 => words.push(ONES[rest as usize].to_owned()),
        _ if rest % 10 == 0 => words.push(TENS[rest as usize / 10].to_owned()),
        _ => words.push(format!("{}-{}", TENS[rest as usize / 10], ONES[rest as usize % 10])),
    }
}

fn ordinal_of(cardinal: &str) -> String {
    match IRREGULAR.iter().find(|(plain, _)| *plain == cardinal) {
        Some((_, ordinal)) => (*ordinal).to_owned(),
        None => match cardinal.strip_suffix('y') {
            Some(stem) => format!("{stem}ieth"),
            None => format!("{cardinal}th"),
        },
    }
}

pub(super) fn write(units: i64, ordinal_form: bool, and: bool, case: Case, article: bool) -> String {
    let value = units.unsigned_abs();
    let mut text = if ordinal_form { ordinal(value, and) } else { cardinal(value, and) };
    if article && text.starts_with("one ") {
        text.replace_range(..3, "a");
    }
    if units < 0 {
        text.insert_str(0, "minus ");
    }
    match case {
        Case::Upper => text.to_uppercase(),
        Case::Title => casing::title(&text).into_owned(),
        _ => text,
    }
}

/// More than the letters of any word in a number.
const LONGEST: usize = 16;

/// By the length of a word and its first letter, the letters it can end with if it is part of a number, one bit a letter.
/// Nearly every word of a text fails this look, which costs much less than the lists.
static ENDINGS: [[u32; 26]; LONGEST] = {
    let mut endings = [[0; 26]; LONGEST];
    let mut at = 0;
    while at < ONES.len() {
        add_with_ordinal(&mut endings, ONES[at]);
        at += 1;
    }
    at = 2;
    while at < TENS.len() {
        add_with_ordinal(&mut endings, TENS[at]);
        at += 1;
    }
    at = 0;
    while at < SCALES.len() {
        add_with_ordinal(&mut endings, SCALES[at].0);
        at += 1;
    }
    at = 0;
    while at < IRREGULAR.len() {
        add_with_ordinal(&mut endings, IRREGULAR[at].1);
        at += 1;
    }
    add_with_ordinal(&mut endings, "hundred");
    add_with_ordinal(&mut endings, "and");
    add_with_ordinal(&mut endings, "a");
    endings
};

/// Adds a word, and what it would be with `th` or with `ieth` for `y`.
const fn add_with_ordinal(endings: &mut [[u32; 26]; LONGEST], word: &str) {
    let letters = word.as_bytes();
    let (length, first) = (letters.len(), (letters[0] - b'a') as usize);
    let h = 1 << (b'h' - b'a');
    endings[length][first] |= 1 << (letters[length - 1] - b'a');
    endings[length + 2][first] |= h;
    if letters[length - 1] == b'y' {
        endings[length + 3][first] |= h;
    }
}

/// Whether the lists could have the word, by its length, its first and its last letter.
#[inline]
fn could_be_piece(word: &[u8]) -> bool {
    let letter = |byte: &u8| usize::from((byte | 0x20).wrapping_sub(b'a'));
    let (Some(first), Some(last)) = (word.first(), word.last()) else { return false };
    let endings = ENDINGS.get(word.len()).and_then(|by_first| by_first.get(letter(first)));
    endings.is_some_and(|endings| letter(last) < 26 && endings >> letter(last) & 1 == 1)
}

/// What one word says within a number.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    /// 0 to 19
    Ones(u64),
    /// 20, 30, ... 90
    Tens(u64),
    Hundred,
    Scale(u64),
    And,
    A,
}

/// The meaning of a word, and whether it is an ordinal.
fn piece(word: &str) -> Option<(Piece, bool)> {
    if !could_be_piece(word.as_bytes()) {
        return None;
    }
    // The longest word is `quadrillionth`, 13 letters.
    let mut lower = [0_u8; LONGEST];
    let lower = lower.get_mut(..word.len())?;
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    let word = std::str::from_utf8(lower).ok()?;
    if let Some(meaning) = plain(word) {
        return Some((meaning, false));
    }
    if let Some((cardinal, _)) = IRREGULAR.iter().find(|(_, ordinal)| *ordinal == word) {
        return plain(cardinal).map(|meaning| (meaning, true));
    }
    let stem = word.strip_suffix("th")?;
    let meaning = match stem.strip_suffix("ie") {
        Some(tens) => {
            TENS.iter().position(|name| name.strip_suffix('y') == Some(tens)).map(|tens| Piece::Tens(tens as u64 * 10))
        }
        None => plain(stem).filter(|meaning| !matches!(meaning, Piece::Tens(_) | Piece::And | Piece::A)),
    };
    // `oneth`, `fiveth` and their like are not words.
    meaning.filter(|_| !IRREGULAR.iter().any(|(cardinal, _)| *cardinal == stem)).map(|meaning| (meaning, true))
}

fn plain(word: &str) -> Option<Piece> {
    if let Some(value) = ONES.iter().position(|name| *name == word) {
        return Some(Piece::Ones(value as u64));
    }
    if let Some(tens) = TENS.iter().skip(2).position(|name| *name == word) {
        return Some(Piece::Tens((tens as u64 + 2) * 10));
    }
    match word {
        "hundred" => Some(Piece::Hundred),
        "and" => Some(Piece::And),
        "a" => Some(Piece::A),
        _ => SCALES.iter().find(|(name, _)| *name == word).map(|(_, size)| Piece::Scale(*size)),
    }
}

pub(super) fn parse(text: &str) -> Option<Number> {
    let (end, number) = longest(text)?;
    (end == text.len()).then_some(number)
}

pub(super) fn find(text: &str) -> Vec<(Range<usize>, Number)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut joined = false;
    while at < text.len() {
        let word = next(text, at, char::is_alphanumeric);
        if word == text.len() {
            break;
        }
        joined = if word > at { text[..word].ends_with(['-', '\'', '\u{2019}', '_', '@', '#']) } else { joined };
        at = word;
        match longest(&text[at..]) {
            Some((length, number)) if !joined && !joins_on(&text[at + length..]) => {
                found.push((at..at + length, number));
                at += length;
            }
            _ => at = next(text, at, |character| !character.is_alphanumeric()),
        }
    }
    found
}

/// Where the first character from byte `at` on stands that is `wanted`, or the end of the text. Bytes of ASCII, which
/// most texts are, are not decoded.
#[inline]
fn next(text: &str, mut at: usize, wanted: impl Fn(char) -> bool) -> usize {
    while let Some(&byte) = text.as_bytes().get(at) {
        let character = if byte.is_ascii() { Some(char::from(byte)) } else { text[at..].chars().next() };
        let Some(character) = character.filter(|character| !wanted(*character)) else { return at };
        at += character.len_utf8();
    }
    text.len()
}

/// Whether what follows makes a compound of the number before it: `two-door`, `one's`.
fn joins_on(rest: &str) -> bool {
    let mut characters = rest.chars();
    let joint = matches!(characters.next(), Some('-' | '\'' | '\u{2019}' | '_'));
    joint && characters.next().is_some_and(char::is_alphanumeric)
}

/// The longest number in words that `text` starts with: its length in bytes, and the number.
fn longest(text: &str) -> Option<(usize, Number)> {
    let mut sum = Sum::default();
    let mut best = None;
    let mut case = Case::None;
    let mut at = 0;
    loop {
        let length = text.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let end = at + length;
        if length == 0 || !could_be_piece(&text.as_bytes()[at..end]) {
            break;
        }
        if text[end..].chars().next().is_some_and(char::is_alphanumeric) {
            break;
        }
        let word = &text[at..end];
        let Some((meaning, ordinal)) = piece(word) else { break };
        let hyphen = at > 0 && text.as_bytes()[at - 1] == b'-';
        if !sum.take(meaning, hyphen) {
            break;
        }
        case = if at == 0 {
            Case::of(word)
        } else if Case::of(word) == Case::Upper {
            case
        } else {
            downgrade(case)
        };
        if let (Some(value), false) = (sum.value(), matches!(meaning, Piece::And | Piece::A)) {
            let style = Style::Words { ordinal, and: sum.and, case, article: sum.article };
            best = Some((end, Number { units: value, scale: 0, style }));
        }
        at = match text.as_bytes().get(end) {
            Some(b' ' | b'-') if !ordinal => end + 1,
            _ => break,
        };
    }
    best
}

/// `A HUNDRED` starts with a word that could be title or upper; a later word that is not upper settles it.
fn downgrade(case: Case) -> Case {
    if case == Case::Upper { Case::Title } else { case }
}

/// A number as it grows, word by word.
#[derive(Default)]
struct Sum {
    /// What the finished scales add up to.
    total: u64,
    /// The scale that was last used; the next must be smaller.
    last_scale: Option<u64>,
    /// The part below a thousand that is being read.
    group: u64,
    last: Option<Piece>,
    and: bool,
    article: bool,
}

impl Sum {
    /// Adds a word; false if no number goes on like this.
    fn take(&mut self, next: Piece, hyphen: bool) -> bool {
        let fits = match (self.last, next) {
            (None, Piece::Ones(_) | Piece::Tens(_) | Piece::A) => true,
            (Some(Piece::A), Piece::Hundred | Piece::Scale(_)) => !hyphen,
            (Some(Piece::Tens(_)), Piece::Ones(1..=9)) => true,
            (Some(Piece::Ones(1..=9)), Piece::Hundred) => self.group < 10 && !hyphen,
            (Some(Piece::Ones(1..) | Piece::Tens(_) | Piece::Hundred), Piece::Scale(size)) => {
                !hyphen && self.last_scale.is_none_or(|last| size < last)
            }
            (Some(Piece::Hundred | Piece::Scale(_)), Piece::And) => !hyphen,
            (Some(Piece::Hundred | Piece::Scale(_) | Piece::And), Piece::Ones(1..) | Piece::Tens(_)) => !hyphen,
            _ => false,
        };
        let fits = fits
            && match next {
                Piece::Ones(value) | Piece::Tens(value) => {
                    self.group += value;
                    true
                }
                Piece::A => {
                    self.group = 1;
                    self.article = true;
                    true
                }
                Piece::And => true,
                Piece::Hundred => {
                    self.group *= 100;
                    true
                }
                Piece::Scale(size) => match self.group.checked_mul(size).and_then(|sum| sum.checked_add(self.total)) {
                    Some(total) => {
                        (self.total, self.group, self.last_scale) = (total, 0, Some(size));
                        true
                    }
                    None => false,
                },
            };
        self.and |= matches!((self.last, next), (Some(Piece::And), _));
        self.last = Some(next);
        fits
    }

    fn value(&self) -> Option<i64> {
        self.total.checked_add(self.group).and_then(|value| i64::try_from(value).ok())
    }
}
