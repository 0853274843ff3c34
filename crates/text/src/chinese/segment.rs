//! Cuts Chinese into words: a classifier says of each character whether it begins a word, is inside, ends it or stands
//! alone, with the words of the dictionary among what it sees.
//!
//! Words follow UD Chinese GSD. Without the weights (a build without `share-alike`) the cut is the likeliest one by the
//! counts of the dictionary alone.

use std::ops::Range;
use std::sync::OnceLock;

use super::chars::{ends_sentence, kind, plain};
use super::dictionary::{Dictionary, LONGEST, shipped};
use super::path::{best_path, moves};
use crate::perceptron::{Hash, Weights, mix};
use crate::weights;

/// What a character is in its word.
pub(crate) const BEGIN: usize = 0;
pub(crate) const MIDDLE: usize = 1;
pub(crate) const END: usize = 2;
pub(crate) const SINGLE: usize = 3;
pub(crate) const CLASSES: usize = 4;

/// Features of one character.
const FEATURES: usize = 36;

/// A stretch is cut at a mark once it has this many characters, and anywhere at twice as many: memory and time stay
/// bounded on a line without marks.
const LONG: usize = 400;

/// The words of a text, as byte ranges: everything but white space is in exactly one.
pub(super) fn cut(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::with_capacity(text.len() / 4);
    let mut stretch: Vec<(usize, char)> = Vec::new();
    let weights = weights::chinese_segments();
    static MOVES: OnceLock<Vec<f32>> = OnceLock::new();
    let moves = MOVES.get_or_init(|| moves(weights, CLASSES, follows));
    let mut room = Room::default();
    let mut close = |stretch: &mut Vec<(usize, char)>| {
        if !stretch.is_empty() {
            let path = room.path(stretch, weights, moves);
            push_words(stretch, &path, &mut words);
            stretch.clear();
        }
    };
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            close(&mut stretch);
            continue;
        }
        stretch.push((at, c));
        let long = stretch.len() >= LONG && (kind(c) == 3 || stretch.len() >= 2 * LONG);
        if long || ends_sentence(c) {
            close(&mut stretch);
        }
    }
    close(&mut stretch);
    words
}

fn push_words(stretch: &[(usize, char)], path: &[usize], words: &mut Vec<Range<usize>>) {
    let mut start = 0;
    for (place, class) in path.iter().enumerate() {
        if matches!(*class, END | SINGLE) || place + 1 == path.len() {
            let (last, c) = stretch[place];
            words.push(stretch[start].0..last + c.len_utf8());
            start = place + 1;
        }
    }
}

/// Buffers that are used again for the next stretch.
#[derive(Default)]
struct Room {
    characters: Vec<char>,
    scores: Vec<f32>,
}

impl Room {
    fn path(&mut self, stretch: &[(usize, char)], weights: &Weights, moves: &[f32]) -> Vec<usize> {
        self.characters.clear();
        self.characters.extend(stretch.iter().map(|(_, c)| plain(*c)));
        let seen = Seen::of(&self.characters, shipped());
        if weights.labels.is_empty() {
            return seen.likely.iter().map(|class| *class as usize).collect();
        }
        self.scores.clear();
        let mut row = [0; 256];
        for at in 0..self.characters.len() {
            let found = weights.score(&seen.features(at), &mut row);
            self.scores.extend(found.iter().map(|score| *score as f32));
        }
        for at in 1..self.characters.len() {
            // A run of letters or of digits is one word.
            if is_run(self.characters[at - 1], self.characters[at]) {
                for (place, class) in [(at - 1, END), (at - 1, SINGLE), (at, BEGIN), (at, SINGLE)] {
                    self.scores[place * CLASSES + class] = -1e6;
                }
            }
        }
        best_path(CLASSES, &self.scores, moves)
    }
}

fn is_run(one: char, other: char) -> bool {
    (one.is_ascii_alphabetic() && other.is_ascii_alphabetic()) || (one.is_ascii_digit() && other.is_ascii_digit())
}

/// Whether a class may follow another; what is no class is the start of a stretch.
pub(crate) fn follows(before: usize, class: usize) -> bool {
    matches!(before, BEGIN | MIDDLE) == matches!(class, MIDDLE | END)
}

/// A stretch of plain characters, and what the dictionary has in it.
pub(crate) struct Seen<'c> {
    characters: &'c [char],
    /// The longest word that begins at each character, and its tag.
    begins: Vec<(u8, u8)>,
    ends: Vec<(u8, u8)>,
    /// The longest word that goes on on both sides.
    around: Vec<u8>,
    /// The classes of the likeliest cut into words of the dictionary.
    likely: Vec<u8>,
    /// How unlikely the word is there that the character is in.
    cost: Vec<u8>,
}

impl<'c> Seen<'c> {
    pub fn of(characters: &'c [char], dictionary: &Dictionary) -> Self {
        let count = characters.len();
        let mut seen = Self {
            characters,
            begins: vec![(1, 0); count],
            ends: vec![(1, 0); count],
            around: vec![1; count],
            likely: vec![SINGLE as u8; count],
            cost: vec![0; count],
        };
        // For each place, the least cost of the way there, where its last word begins, and what that word costs.
        let mut ways: Vec<(i32, usize, i32)> = vec![(i32::MAX, 0, 0); count + 1];
        ways[0].0 = 0;
        let mut buffer = [0; 4 * LONGEST];
        for start in 0..count {
            let mut bytes = 0;
            let next = characters.get(start + 1);
            let longest = next.map_or(1, |next| dictionary.longest(characters[start], *next));
            for length in 1..=longest.min(LONGEST).min(count - start) {
                let last = start + length - 1;
                bytes += characters[last].encode_utf8(&mut buffer[bytes..]).len();
                let known = match length {
                    1 => dictionary.single(characters[start]),
                    _ => dictionary.find(std::str::from_utf8(&buffer[..bytes]).unwrap_or("")),
                };
                if let Some(known) = known {
                    seen.meet(start, length, known.tag);
                }
                let cost = known.map(|known| dictionary.cost(known.weight));
                if let Some(cost) = cost.or((length == 1).then(|| dictionary.cost(0))) {
                    let sum = ways[start].0 + cost;
                    if sum < ways[last + 1].0 {
                        ways[last + 1] = (sum, start, cost);
                    }
                }
            }
        }
        let mut end = count;
        while end > 0 {
            let (_, start, cost) = ways[end];
            for place in start..end {
                seen.cost[place] = (cost / 20).clamp(0, 9) as u8;
                seen.likely[place] = class(place - start, end - start) as u8;
            }
            end = start;
        }
        seen
    }

    /// Notes a word of the dictionary.
    fn meet(&mut self, start: usize, length: usize, tag: u8) {
        let last = start + length - 1;
        let size = length as u8;
        if length == 1 {
            if self.begins[start].1 == 0 {
                self.begins[start].1 = tag;
            }
            if self.ends[last].1 == 0 {
                self.ends[last].1 = tag;
            }
            return;
        }
        self.begins[start] = (size, tag);
        if size > self.ends[last].0 {
            self.ends[last] = (size, tag);
        }
        for place in start + 1..last {
            self.around[place] = self.around[place].max(size);
        }
    }

    /// The features of the character at place `at`.
    pub fn features(&self, at: usize) -> [Hash; FEATURES] {
        let (characters, count) = (self.characters, self.characters.len());
        let place = |by: isize| at.checked_add_signed(by).filter(|place| *place < count);
        let character = |by: isize| place(by).map_or(0, |place| characters[place] as u32);
        let kind = |by: isize| place(by).map_or(7, |place| kind(characters[place]));
        let likely = |by: isize| place(by).map_or(9, |place| u32::from(self.likely[place]));
        let (a, b, x, y, z) = (character(-2), character(-1), character(0), character(1), character(2));
        let (k, g) = ([kind(-2), kind(-1), kind(0), kind(1), kind(2)], [likely(-1), likely(0), likely(1), likely(2)]);
        let pair = |template: u32, one: u32, other: u32| mix(template, Hash(one), Hash(other)).0;
        let word = |(length, tag): (u8, u8)| u32::from(length) * 256 + u32::from(tag);
        let (begins, ends) = (word(self.begins[at]), word(self.ends[at]));
        let (long, late) = (u32::from(self.begins[at].0), u32::from(self.ends[at].0));
        let lengths = long * 100 + late * 10 + u32::from(self.around[at]);
        let next = place(1).map_or(0, |place| u32::from(self.begins[place].0));
        let last = place(-1).map_or(0, |place| u32::from(self.ends[place].0));
        let same = |one: bool, other: bool| u32::from(one) + 2 * u32::from(other);
        let values: [(u32, u32); FEATURES] = [
            (a, 0),
            (b, 0),
            (x, 0),
            (y, 0),
            (z, 0),
            (a, b),
            (b, x),
            (x, y),
            (y, z),
            (b, y),
            (a, x),
            (x, z),
            (pair(90, b, x), y),
            (pair(91, a, b), x),
            (pair(92, x, y), z),
            (k[2], 0),
            (k[1] * 10 + k[2], k[3]),
            (k[0] * 10 + k[1], k[2] * 100 + k[3] * 10 + k[4]),
            (same(x == b, x == y), u32::from(x == a)),
            (same(x == z, y == b), 0),
            (lengths, 0),
            (lengths, x),
            (long, x),
            (late, x),
            (begins, ends),
            (long * 10 + late, next * 10 + last),
            (begins, x),
            (ends, x),
            (g[1], u32::from(self.cost[at])),
            (g[0] * 10 + g[1], g[2]),
            (g[1], x),
            (pair(93, g[0], g[1]), pair(94, g[2], g[3])),
            (pair(95, g[1], g[2]), pair(96, x, y)),
            (pair(95, g[0], g[1]), pair(96, b, x)),
            (u32::from(self.cost[at]), lengths),
            (lengths, pair(97, next, last)),
        ];
        let mut template = 0;
        values.map(|(one, other)| {
            template += 1;
            mix(template, Hash(one), Hash(other))
        })
    }
}

/// The class of a character of a word of `length` characters.
pub(crate) fn class(at: usize, length: usize) -> usize {
    match (at, at + 1 == length) {
        (0, true) => SINGLE,
        (0, false) => BEGIN,
        (_, true) => END,
        _ => MIDDLE,
    }
}
