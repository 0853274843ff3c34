//! Parts of speech of Chinese words.

use std::sync::OnceLock;

use super::chars::{kind, plain};
use super::dictionary::{Dictionary, shipped};
use super::path::{best_path, moves};
use crate::Upos;
use crate::perceptron::{Hash, SEED, extend, mix};
use crate::weights;

/// One class for each universal part of speech.
pub(crate) const CLASSES: usize = Upos::ALL.len();

const FEATURES: usize = 39;

/// Sentences longer than this are tagged in pieces, so that time and memory stay bounded.
const LONG: usize = 500;

/// The parts of speech of words that follow each other.
pub(super) fn tag(words: &[&str]) -> Vec<Upos> {
    let weights = weights::chinese_tags();
    if weights.labels.is_empty() {
        return words.iter().map(|word| by_dictionary(word)).collect();
    }
    static MOVES: OnceLock<Vec<f32>> = OnceLock::new();
    let moves = MOVES.get_or_init(|| moves(weights, CLASSES, |_, _| true));
    let mut found = Vec::with_capacity(words.len());
    let mut row = [0; 256];
    for words in words.chunks(LONG) {
        let looks: Vec<Look> = words.iter().map(|word| Look::of(word, shipped())).collect();
        let mut scores = Vec::with_capacity(words.len() * CLASSES);
        for at in 0..looks.len() {
            scores.extend(weights.score(&features(&looks, at), &mut row).iter().map(|score| *score as f32));
        }
        found.extend(best_path(CLASSES, &scores, moves).into_iter().map(|class| Upos::ALL[class]));
    }
    found
}

/// What the dictionary says a word mostly is.
fn by_dictionary(word: &str) -> Upos {
    let dictionary = shipped();
    let name = dictionary.find(word).map_or("", |known| dictionary.tag_name(known.tag));
    match (name, name.chars().next()) {
        ("nr" | "ns" | "nt" | "nz" | "nrt" | "nrfg", _) => Upos::Propn,
        (_, Some('n' | 't' | 's' | 'f' | 'q' | 'l' | 'i' | 'j' | 'g')) => Upos::Noun,
        (_, Some('v')) => Upos::Verb,
        (_, Some('a' | 'z' | 'b')) => Upos::Adj,
        (_, Some('d')) => Upos::Adv,
        (_, Some('r')) => Upos::Pron,
        (_, Some('m')) => Upos::Num,
        (_, Some('p')) => Upos::Adp,
        (_, Some('c')) => Upos::Cconj,
        (_, Some('u' | 'y' | 'k' | 'h')) => Upos::Part,
        _ => match word.chars().next().map_or(7, kind) {
            1 | 5 => Upos::Num,
            3 => Upos::Punct,
            2 => Upos::X,
            _ => Upos::Noun,
        },
    }
}

/// What the tagger sees of a word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    word: u32,
    first: u32,
    last: u32,
    first_two: u32,
    last_two: u32,
    length: u32,
    kind: u32,
    tag: u32,
    frequency: u32,
    tail: u32,
    head: u32,
}

/// Beyond the ends of a sentence.
const NONE: Look = Look {
    word: 1,
    first: 1,
    last: 1,
    first_two: 1,
    last_two: 1,
    length: 0,
    kind: 99,
    tag: 99,
    frequency: 0,
    tail: 99,
    head: 99,
};

impl Look {
    pub fn of(word: &str, dictionary: &Dictionary) -> Self {
        let plain: String = word.chars().map(plain).collect();
        let characters: Vec<char> = plain.chars().collect();
        let Some(at) = characters.len().checked_sub(1) else { return NONE };
        let starts: Vec<usize> = plain.char_indices().map(|(at, _)| at).collect();
        let tag = |word: &str| dictionary.find(word).map_or(0, |known| u32::from(known.tag));
        let pair = |one: usize, other: usize| mix(1, Hash(characters[one] as u32), Hash(characters[other] as u32)).0;
        let several = at > 0;
        let same_kind = characters.windows(2).all(|pair| kind(pair[0]) == kind(pair[1]));
        let known = dictionary.find(&plain);
        let tail = characters.len().saturating_sub(2).max(1).min(at);
        Self {
            word: plain.bytes().fold(Hash(SEED), extend).0,
            first: characters[0] as u32,
            last: characters[at] as u32,
            first_two: if several { pair(0, 1) } else { 0 },
            last_two: if several { pair(at - 1, at) } else { 0 },
            length: characters.len().min(5) as u32,
            kind: if same_kind { kind(characters[0]) + 1 } else { 20 },
            tag: known.map_or(0, |known| u32::from(known.tag)),
            frequency: known.map_or(0, |known| u32::from(known.weight) / 20),
            tail: tag(&plain[starts[tail]..]),
            head: tag(if several { &plain[..starts[at]] } else { &plain }),
        }
    }
}

/// The features of the word at place `at`.
pub(crate) fn features(words: &[Look], at: usize) -> [Hash; FEATURES] {
    let look = |by: isize| at.checked_add_signed(by).and_then(|place| words.get(place)).unwrap_or(&NONE);
    let (a, b, x, y, z) = (look(-2), look(-1), look(0), look(1), look(2));
    let pair = |template: u32, one: u32, other: u32| mix(template, Hash(one), Hash(other)).0;
    let values: [(u32, u32); FEATURES] = [
        (x.word, 0),
        (b.word, 0),
        (y.word, 0),
        (a.word, 0),
        (z.word, 0),
        (x.word, b.word),
        (x.word, y.word),
        (b.word, y.word),
        (x.first, x.length),
        (x.last, x.length),
        (x.first_two, 0),
        (x.last_two, 0),
        (x.length, x.kind),
        (x.tag, x.length),
        (x.tag, b.tag),
        (x.tag, y.tag),
        (pair(9, b.tag, x.tag), y.tag),
        (x.tag, x.last),
        (x.tag, x.first),
        (b.tag, a.tag),
        (y.tag, z.tag),
        (x.word, y.tag),
        (x.word, b.tag),
        (b.last, x.word),
        (x.word, y.first),
        (x.last, y.first),
        (x.kind, y.kind),
        (x.tag, y.word),
        (x.tag, b.word),
        (x.frequency, x.tag),
        (x.tail, x.length),
        (x.head, x.length),
        (x.tag, pair(8, x.tail, x.head)),
        (b.kind, x.kind),
        (x.last, y.word),
        (x.word, z.tag),
        (x.word, a.tag),
        (x.word, pair(3, y.tag, z.tag)),
        (x.word, pair(4, b.tag, y.tag)),
    ];
    let mut template = 0;
    values.map(|(one, other)| {
        template += 1;
        mix(template, Hash(one), Hash(other))
    })
}
