//! Whether a text, or a part of it, approves or disapproves as a whole: a small convolutional network over its words.
//!
//! Every word has a vector; filters over one, two and three words in a row look for what judges, the best place of each counts,
//! and a weighted sum of them is the answer. It was learned from labelled phrases and reviews by `cargo xtask lexicons`
//! (table `sentiment`); `lexicons/manifest.toml` says how well it judges.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::{Analysis, TokenKind};

/// Numbers of a word.
pub const DIMENSIONS: usize = 50;
/// Words in a row, and how many filters look at them.
pub const WIDTHS: [(usize, usize); 3] = [(1, 32), (2, 48), (3, 48)];
/// All filters.
pub const FILTERS: usize = 128;
/// The place of a word that the network does not know, and of the space around a text.
pub const UNKNOWN: u16 = 0;
pub const SPACE: u16 = 1;
/// Words beyond this many are not read.
const MOST_WORDS: usize = 400;

/// How much a text speaks for approval (above 0) or disapproval, as the logarithm of the odds, where `instead` may put other
/// words, or none, for the word of a token.
///
/// ```
/// use fissure_text::{analyse, sentiment};
/// let score = |text: &str| sentiment::score(&analyse(text), |_| None);
/// assert!(score("A wonderful film.") > 1.0 && score("A boring mess.") < -1.0);
/// ```
pub fn score<'a>(analysis: &'a Analysis, instead: impl Fn(usize) -> Option<&'a str>) -> f64 {
    score_of(analysis, 0..analysis.tokens().len(), instead)
}

/// The same of the tokens in a range, as if they were the whole text.
pub fn score_of<'a>(analysis: &'a Analysis, range: Range<usize>, instead: impl Fn(usize) -> Option<&'a str>) -> f64 {
    let net = net();
    let mut ids = Vec::with_capacity(range.len() + 2);
    ids.push(SPACE);
    let mut last = String::new();
    for at in range.take(MOST_WORDS) {
        words_in(instead(at).unwrap_or(analysis.word(at)), |word| {
            if word != "." || !(last.is_empty() || last == ".") {
                ids.push(net.places.get(word).copied().unwrap_or(UNKNOWN));
            }
            last.clear();
            last.push_str(word);
        });
    }
    if ids.len() == 1 {
        return 0.0;
    }
    ids.push(SPACE);
    net.score(&ids)
}

/// The clauses of a text, as ranges of its tokens: between marks, and from a word that joins clauses or phrases to the next.
pub fn clauses(analysis: &Analysis) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (at, token) in analysis.tokens().iter().enumerate() {
        let mark = token.kind == TokenKind::Mark && !matches!(analysis.word(at), "'" | "\"" | "`" | "``" | "''");
        if mark || JOINTS.iter().any(|joint| joint.eq_ignore_ascii_case(analysis.word(at))) {
            if start < at {
                found.push(start..at);
            }
            start = at + usize::from(mark);
        }
    }
    if start < analysis.tokens().len() {
        found.push(start..analysis.tokens().len());
    }
    found
}

const JOINTS: [&str; 14] = [
    "and", "but", "or", "yet", "while", "although", "though", "because", "since", "when", "that", "which", "who",
    "with",
];

/// The words of a token as the network reads them: lower case, `n't` and `'s` apart, figures as 0, marks that end a
/// sentence as `.` and others as `,`.
pub fn words_in(token: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    for char in token.chars().chain([' ']) {
        match char {
            '\u{2019}' | '\'' => word.push('\''),
            _ if char.is_alphanumeric() => word.extend(char.to_lowercase()),
            _ => {
                whole_word(&word, &mut each);
                word.clear();
                match char {
                    ',' | ';' | ':' | '(' | ')' | '\u{2014}' => each(","),
                    '.' | '!' | '?' => each("."),
                    _ => {}
                }
            }
        }
    }
}

fn whole_word(word: &str, each: &mut impl FnMut(&str)) {
    if word == "n't" || matches!(word, "'s" | "'re" | "'ve" | "'ll" | "'d" | "'m") {
        return each(word);
    }
    let word = word.trim_matches('\'');
    if word.is_empty() {
        return;
    }
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        each("0");
    } else if let Some(stem) = word.strip_suffix("n't").filter(|stem| !stem.is_empty()) {
        each(stem);
        each("n't");
    } else if let Some((stem, rest)) = word.find('\'').map(|at| word.split_at(at)) {
        each(stem);
        each(rest);
    } else {
        each(word);
    }
}

struct Net {
    places: HashMap<&'static str, u16>,
    /// One row for each word.
    vectors: Vec<i16>,
    filters: [Vec<i16>; 3],
    /// What one step of a product of vector and filter is worth, for each width.
    steps: [f32; 3],
    biases: Vec<f32>,
    /// The weight of each filter, and what is added.
    weights: Vec<f32>,
}

impl Net {
    fn score(&self, ids: &[u16]) -> f64 {
        let row = |id: &u16| {
            let start = usize::from(*id) * DIMENSIONS;
            &self.vectors[start..start + DIMENSIONS]
        };
        let text: Vec<i16> = ids.iter().flat_map(row).copied().collect();
        let mut best = [0_f32; FILTERS];
        let mut first = 0;
        for (group, (width, count)) in WIDTHS.into_iter().enumerate() {
            let size = width * DIMENSIONS;
            for (filter, best) in self.filters[group].chunks_exact(size).zip(&mut best[first..]) {
                let most = text.windows(size).step_by(DIMENSIONS).map(|window| product(window, filter)).max();
                *best = most.unwrap_or(0) as f32 * self.steps[group];
            }
            first += count;
        }
        let sum = |(best, (bias, weight)): (&f32, (&f32, &f32))| (best + bias).max(0.0) * weight;
        let all: f32 = best.iter().zip(self.biases.iter().zip(&self.weights)).map(sum).sum();
        f64::from(all + self.weights[FILTERS])
    }
}

fn product(one: &[i16], other: &[i16]) -> i32 {
    one.iter().zip(other).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum()
}

/// Numbers as the network is trained with; [`pack`] writes them down.
pub struct Weights<'w> {
    /// The words, behind those for [`UNKNOWN`] and [`SPACE`], which `vectors` has first.
    pub words: &'w [String],
    pub vectors: &'w [f32],
    pub filters: [&'w [f32]; 3],
    pub biases: &'w [f32],
    pub weights: &'w [f32],
}

/// The table that the binary has: the words, then vectors and filters in bytes with the worth of a step, then biases and weights.
pub fn pack(net: &Weights<'_>) -> Vec<u8> {
    let words = net.words.join("\n");
    let mut out = (words.len() as u32).to_le_bytes().to_vec();
    out.extend(words.as_bytes());
    for values in [net.vectors].iter().chain(&net.filters) {
        // A few large values would make the steps of all others coarse: they are cut off.
        let mut sizes: Vec<f32> = values.iter().map(|value| value.abs()).collect();
        sizes.sort_by(f32::total_cmp);
        let step = sizes.get(sizes.len() * 999 / 1000).copied().unwrap_or(0.0).max(1e-6) / 127.0;
        out.extend(step.to_le_bytes());
        out.extend(values.iter().map(|value| (value / step).round().clamp(-127.0, 127.0) as i8 as u8));
    }
    out.extend(net.biases.iter().chain(net.weights).flat_map(|value| value.to_le_bytes()));
    out
}

fn net() -> &'static Net {
    static NET: OnceLock<Net> = OnceLock::new();
    NET.get_or_init(|| unpack(include_bytes!("../../../lexicons/sentiment.bin")))
}

/// Reads what [`pack`] wrote; the table is part of the binary, and a test reads it.
fn unpack(mut table: &'static [u8]) -> Net {
    let mut take = |count: usize| {
        let (taken, rest) = table.split_at(count);
        table = rest;
        taken
    };
    let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let length = length_in(take(4)) as usize;
    let words = std::str::from_utf8(take(length)).unwrap_or_default();
    let places: HashMap<&str, u16> = words.split('\n').zip(SPACE + 1..).collect();
    let mut bytes = |count: usize| -> (f32, Vec<i16>) {
        let step = float(take(4));
        (step, take(count).iter().map(|byte| i16::from(*byte as i8)).collect())
    };
    let (step, vectors) = bytes((places.len() + 2) * DIMENSIONS);
    let groups = WIDTHS.map(|(width, count)| bytes(width * count * DIMENSIONS));
    let steps = [groups[0].0 * step, groups[1].0 * step, groups[2].0 * step];
    let mut floats = |count: usize| take(4 * count).chunks_exact(4).map(float).collect::<Vec<f32>>();
    let (biases, weights) = (floats(FILTERS), floats(FILTERS + 1));
    Net { places, vectors, filters: groups.map(|(_, filters)| filters), steps, biases, weights }
}

/// A length as four bytes, the least first.
fn length_in(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse;

    #[test]
    fn a_text_is_judged_as_a_whole() {
        // In logarithms of the odds: beyond 1 it is nearly three to one.
        let score = |text: &str| score(&analyse(text), |_| None);
        assert!(score("The acting is superb and the story is moving.") > 2.0);
        assert!(score("The food was cold and the staff was rude.") < -1.0);
        assert!(score("It is not good.") < 0.0 && score("It is good.") > 1.0);
        assert_eq!(score(""), 0.0);
    }

    #[test]
    fn another_word_turns_it() {
        let analysis = analyse("I loved this film.");
        let turned = score(&analysis, |at| (at == 1).then_some("hated"));
        assert!(score(&analysis, |_| None) > 1.0 && turned < 0.0, "{turned}");
    }

    #[test]
    fn words_are_read_as_they_were_learnt() {
        let words = |token: &str| {
            let mut found = Vec::new();
            words_in(token, |word| found.push(word.to_owned()));
            found
        };
        assert_eq!(words("Must-See"), ["must", "see"]);
        assert_eq!(words("isn\u{2019}t"), ["is", "n't"]);
        assert_eq!(words("director's"), ["director", "'s"]);
        assert_eq!(words("1990s"), ["0"]);
        assert_eq!(words("!"), ["."]);
        assert_eq!(words("''"), [""; 0]);
    }

    #[test]
    fn clauses_end_at_marks_and_joints() {
        let analysis = analyse("Great food, but they never smile.");
        let text =
            |range: &Range<usize>| analysis.tokens()[range.start].span.start..analysis.tokens()[range.end - 1].span.end;
        let found: Vec<&str> = clauses(&analysis).iter().map(|range| &analysis.text()[text(range)]).collect();
        assert_eq!(found, ["Great food", "but they never smile"]);
    }

    #[test]
    fn a_table_reads_as_it_was_written() {
        let words = ["good".to_owned(), "bad".to_owned()];
        let values = |count: usize| (0..count).map(|at| (at % 7) as f32 - 3.0).collect::<Vec<f32>>();
        let filters = WIDTHS.map(|(width, count)| values(width * count * DIMENSIONS));
        let (vectors, biases, weights) = (values(4 * DIMENSIONS), values(FILTERS), values(FILTERS + 1));
        let filters = [&filters[0][..], &filters[1], &filters[2]];
        let table = pack(&Weights { words: &words, vectors: &vectors, filters, biases: &biases, weights: &weights });
        let net = unpack(Vec::leak(table));
        assert_eq!(net.places["bad"], 3);
        assert_eq!((net.biases, net.weights), (biases, weights));
        assert_eq!(net.vectors[..7], [-127, -85, -42, 0, 42, 85, 127]);
    }
}
