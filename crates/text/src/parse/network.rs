//! The network that scores the moves of the parser: words are read in both directions by a small LSTM, and a hidden layer
//! looks at what it says about three words of the stack and the next one (Kiperwasser and Goldberg, 2016).
//!
//! Everything is plain 32-bit arithmetic in a fixed order, without functions of the system's library, so that a parse is the
//! same on every machine.

use super::{Children, State};
use crate::perceptron::{Hash, mix};
use crate::tags::{Relation, Tag};
use crate::word_features::WordFeatures;

/// Numbers for a word before it is read in context.
pub const INPUT: usize = 48;
/// Cells of the LSTM in each direction, and its gates: input, forget, output, value.
pub const CELLS: usize = 40;
pub const GATES: usize = 4 * CELLS;
/// Numbers for a word in context: both directions.
pub const CODE: usize = 2 * CELLS;
pub const HIDDEN: usize = 96;
/// The words that are looked at: three of the stack, the top first, and the next one.
pub const SLOTS: usize = 4;
/// Moves without their relations: shift, left, right.
pub const ACTIONS: usize = 3;
pub const RELATIONS: usize = Relation::ALL.len();
/// Relations of children that are looked at, with one value for "no child".
const RELATION_SLOTS: usize = 5;
const RELATION_VALUES: usize = RELATIONS + 1;
const DISTANCES: usize = 9;
const COUNTS: usize = 5;
/// Rows of the hidden layer for what is not a word in context: the edges of the slots first.
const EDGES: usize = 2 * SLOTS;
const DISTANCE_ROWS: usize = EDGES + RELATION_SLOTS * RELATION_VALUES;
const COUNT_ROWS: usize = DISTANCE_ROWS + DISTANCES;
pub const SMALL_ROWS: usize = COUNT_ROWS + 3 * COUNTS;
/// How many of these rows a state adds besides the edges.
const SMALL: usize = RELATION_SLOTS + 1 + 3;

/// Where the blocks of weights begin in the one vector that holds them.
pub const FROM_INPUT: [usize; 2] = [0, INPUT * GATES];
pub const FROM_CELLS: [usize; 2] = [2 * INPUT * GATES, 2 * INPUT * GATES + CELLS * GATES];
pub const GATE_BIAS: [usize; 2] = [FROM_CELLS[1] + CELLS * GATES, FROM_CELLS[1] + CELLS * GATES + GATES];
pub const FROM_CODE: usize = GATE_BIAS[1] + GATES;
pub const SMALL_START: usize = FROM_CODE + SLOTS * CODE * HIDDEN;
pub const HIDDEN_BIAS: usize = SMALL_START + SMALL_ROWS * HIDDEN;
/// One row for each action.
pub const ACTION_ROWS: usize = HIDDEN_BIAS + HIDDEN;
pub const ACTION_BIAS: usize = ACTION_ROWS + ACTIONS * HIDDEN;
/// Relations of an arc to the left and of one to the right: a row for each number of the hidden layer.
pub const LABELS: [usize; 2] = [ACTION_BIAS + ACTIONS, ACTION_BIAS + ACTIONS + HIDDEN * RELATIONS];
pub const LABEL_BIAS: [usize; 2] = [LABELS[1] + HIDDEN * RELATIONS, LABELS[1] + HIDDEN * RELATIONS + RELATIONS];
pub const WEIGHTS: usize = LABEL_BIAS[1] + RELATIONS;

/// The trained parser.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// What is known of words, in rising order, each with a row of `rows`.
    pub keys: Vec<Hash>,
    /// `INPUT` numbers for each key.
    pub rows: Vec<f32>,
    /// All other weights.
    pub weights: Vec<f32>,
    /// Where the keys start whose hash has the high bits of this place; one more than there are such places.
    starts: Vec<u32>,
}

const PLACE_BITS: u32 = 14;

impl Network {
    /// A network that knows nothing; every move is as good as any other.
    pub fn empty() -> Self {
        Self::new(Vec::new(), Vec::new(), vec![0.0; WEIGHTS])
    }

    /// Keys must rise.
    pub fn new(keys: Vec<Hash>, rows: Vec<f32>, weights: Vec<f32>) -> Self {
        let places = 0..=1 << PLACE_BITS;
        let starts = places.map(|place| keys.partition_point(|key| key.bucket(PLACE_BITS) < place) as u32).collect();
        Self { keys, rows, weights, starts }
    }

    /// The row of a key.
    pub fn find(&self, key: Hash) -> Option<usize> {
        let place = key.bucket(PLACE_BITS);
        let (start, end) = (self.starts[place] as usize, self.starts[place + 1] as usize);
        (start..end).find(|at| self.keys[*at] == key)
    }
}

/// What the parser knows about a word by itself.
pub fn keys(look: &WordFeatures, tag: Tag) -> [Hash; 7] {
    let key = |kind, value| mix(kind, value, Hash::default());
    [
        key(20, look.lower),
        key(21, tag.hash()),
        key(22, look.clusters[0]),
        key(23, look.clusters[1]),
        key(24, look.suffixes[2]),
        key(25, look.suffixes[1]),
        key(26, look.pattern),
    ]
}

/// The sentence as the network reads it: for each slot and word what the word adds to the hidden layer.
pub struct Reading {
    pub added: Vec<f32>,
    length: usize,
}

/// What a state adds to the hidden layer: places of words by slot (or an edge), and rows of the small table.
pub struct Seen {
    pub words: [Option<usize>; SLOTS],
    pub small: [usize; SMALL + SLOTS],
    pub count: usize,
}

impl Seen {
    pub fn new(state: &State) -> Self {
        let root = state.root();
        let places = [state.below(0), state.below(1), state.below(2), Some(state.next)];
        let mut seen = Self { words: places.map(|place| place.filter(|place| *place < root)), small: [0; _], count: 0 };
        for (slot, place) in places.iter().enumerate() {
            if seen.words[slot].is_none() {
                seen.push(2 * slot + usize::from(place.is_some()));
            }
        }
        let children = |place: Option<usize>| place.map_or_else(Children::default, |place| state.children[place]);
        let [top, below, _, next] = places.map(children);
        let relations = [top.left[0], top.right[0], next.left[0], below.right[0], below.left[0]];
        for (slot, child) in relations.into_iter().enumerate() {
            let relation = child.and_then(|child| state.relation(child as usize));
            let value = relation.map_or(0, |relation| relation as usize + 1);
            seen.push(EDGES + slot * RELATION_VALUES + value);
        }
        let distance = places[0].map_or(0, |top| (state.next - top).min(DISTANCES - 1));
        seen.push(DISTANCE_ROWS + distance);
        for (slot, count) in [top.left_count, top.right_count, next.left_count].into_iter().enumerate() {
            seen.push(COUNT_ROWS + slot * COUNTS + (count as usize).min(COUNTS - 1));
        }
        seen
    }

    fn push(&mut self, row: usize) {
        self.small[self.count] = row;
        self.count += 1;
    }

    pub fn small(&self) -> &[usize] {
        &self.small[..self.count]
    }
}

impl Reading {
    #[inline(always)]
    pub fn new(network: &Network, looks: &[WordFeatures], tags: &[Tag]) -> Self {
        let length = looks.len();
        let mut input = vec![0.0; length * INPUT];
        for ((look, tag), input) in looks.iter().zip(tags).zip(input.chunks_exact_mut(INPUT)) {
            for row in keys(look, *tag).into_iter().filter_map(|key| network.find(key)) {
                add(&network.rows[row * INPUT..(row + 1) * INPUT], input);
            }
        }
        let weights = &network.weights;
        let mut code = vec![0.0; length * CODE];
        for direction in 0..2 {
            let mut gates = vec![0.0; length * GATES];
            let bias = &weights[GATE_BIAS[direction]..][..GATES];
            gates.chunks_exact_mut(GATES).for_each(|gates| gates.copy_from_slice(bias));
            multiply::<INPUT, GATES>(&input, &weights[FROM_INPUT[direction]..][..INPUT * GATES], &mut gates);
            let from_cells = &weights[FROM_CELLS[direction]..][..CELLS * GATES];
            let mut cells = [0.0; CELLS];
            let mut last = [0.0; CELLS];
            for step in 0..length {
                let at = if direction == 0 { step } else { length - 1 - step };
                let gates = &mut gates[at * GATES..][..GATES];
                multiply::<CELLS, GATES>(&last, from_cells, gates);
                cell(gates, &mut cells, &mut last);
                code[at * CODE + direction * CELLS..][..CELLS].copy_from_slice(&last);
            }
        }
        let mut added = vec![0.0; SLOTS * length * HIDDEN];
        if length > 0 {
            for (slot, added) in added.chunks_exact_mut(length * HIDDEN).enumerate() {
                let from = &weights[FROM_CODE + slot * CODE * HIDDEN..][..CODE * HIDDEN];
                multiply::<CODE, HIDDEN>(&code, from, added);
            }
        }
        Self { added, length }
    }

    /// The hidden layer for a state.
    #[inline(always)]
    pub fn hidden(&self, weights: &[f32], seen: &Seen) -> [f32; HIDDEN] {
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(&weights[HIDDEN_BIAS..][..HIDDEN]);
        for (slot, word) in seen.words.iter().enumerate() {
            if let Some(word) = word {
                add(&self.added[(slot * self.length + word) * HIDDEN..][..HIDDEN], &mut hidden);
            }
        }
        for row in seen.small() {
            add(&weights[SMALL_START + row * HIDDEN..][..HIDDEN], &mut hidden);
        }
        hidden.iter_mut().for_each(|unit| *unit = unit.max(0.0));
        hidden
    }
}

/// The scores of shift, left and right.
#[inline(always)]
pub fn actions(weights: &[f32], hidden: &[f32; HIDDEN]) -> [f32; ACTIONS] {
    let score = |action: usize| {
        weights[ACTION_BIAS + action] + dot(&weights[ACTION_ROWS + action * HIDDEN..][..HIDDEN], hidden)
    };
    [score(0), score(1), score(2)]
}

/// The scores of the relations of an arc in a direction (0: left, 1: right).
#[inline(always)]
pub fn labels(weights: &[f32], hidden: &[f32; HIDDEN], direction: usize) -> [f32; RELATIONS] {
    let mut scores = [0.0; RELATIONS];
    scores.copy_from_slice(&weights[LABEL_BIAS[direction]..][..RELATIONS]);
    for (unit, row) in hidden.iter().zip(weights[LABELS[direction]..].chunks_exact(RELATIONS)) {
        if *unit != 0.0 {
            scores.iter_mut().zip(row).for_each(|(score, weight)| *score += unit * weight);
        }
    }
    scores
}

/// One step of the LSTM: from sums to open gates, new cells and what they let out.
#[inline(always)]
pub fn cell(gates: &mut [f32], cells: &mut [f32; CELLS], out: &mut [f32; CELLS]) {
    gates[..3 * CELLS].iter_mut().for_each(|gate| *gate = 0.5 + 0.5 * bend(0.5 * *gate));
    gates[3 * CELLS..].iter_mut().for_each(|value| *value = bend(*value));
    for at in 0..CELLS {
        cells[at] = gates[CELLS + at] * cells[at] + gates[at] * gates[3 * CELLS + at];
        out[at] = gates[2 * CELLS + at] * bend(cells[at]);
    }
}

/// Nearly the hyperbolic tangent, from the four operations alone.
#[inline(always)]
pub fn bend(x: f32) -> f32 {
    let x = x.clamp(-3.0, 3.0);
    let square = x * x;
    x * (27.0 + square) / (27.0 + 9.0 * square)
}

/// Adds to each row of `out` the row of `from` at the same place times the matrix, four rows at a time, so that each weight
/// is fetched once for all four. The order of sums is that of the numbers of a row, whatever the machine does at once.
#[inline(always)]
pub fn multiply<const IN: usize, const OUT: usize>(from: &[f32], matrix: &[f32], out: &mut [f32]) {
    const ROWS: usize = 4;
    let whole = from.len() / IN / ROWS * ROWS;
    let (from_whole, from_rest) = from.split_at(whole * IN);
    let (out_whole, out_rest) = out.split_at_mut(whole * OUT);
    for (from, out) in from_whole.chunks_exact(ROWS * IN).zip(out_whole.chunks_exact_mut(ROWS * OUT)) {
        tile::<IN, OUT, ROWS, 2>(from, matrix, out);
    }
    // One row alone: more sums at once, so that no sum waits for the one before.
    for (from, out) in from_rest.chunks_exact(IN).zip(out_rest.chunks_exact_mut(OUT)) {
        tile::<IN, OUT, 1, 4>(from, matrix, out);
    }
}

/// The product for `ROWS` rows, `WIDE` times eight columns at a time.
#[inline(always)]
fn tile<const IN: usize, const OUT: usize, const ROWS: usize, const WIDE: usize>(
    from: &[f32],
    matrix: &[f32],
    out: &mut [f32],
) {
    const { assert!(OUT.is_multiple_of(8 * WIDE)) };
    let from: [&[f32; IN]; ROWS] = std::array::from_fn(|row| from[row * IN..].first_chunk().expect("a row of numbers"));
    for start in (0..OUT).step_by(8 * WIDE) {
        let mut sums = [[[0.0_f32; 8]; WIDE]; ROWS];
        for at in 0..IN {
            let weights: &[[f32; 8]] = matrix[at * OUT + start..][..8 * WIDE].as_chunks().0;
            let weights: &[[f32; 8]; WIDE] = weights.first_chunk().expect("as many as were cut out");
            // Written out: in a loop over the rows the sums stay in memory, one number at a time.
            if let [a, b, c, d] = &mut sums[..] {
                more(from[0][at], weights, a);
                more(from[1][at], weights, b);
                more(from[2][at], weights, c);
                more(from[3][at], weights, d);
            } else {
                sums.iter_mut().zip(from).for_each(|(sums, from)| more(from[at], weights, sums));
            }
        }
        for row in 0..ROWS {
            add(sums[row].as_flattened(), &mut out[row * OUT + start..][..8 * WIDE]);
        }
    }
}

#[inline(always)]
fn more<const WIDE: usize>(x: f32, weights: &[[f32; 8]; WIDE], sums: &mut [[f32; 8]; WIDE]) {
    for part in 0..WIDE {
        for lane in 0..8 {
            sums[part][lane] += x * weights[part][lane];
        }
    }
}

#[inline(always)]
pub fn add(from: &[f32], to: &mut [f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// The sum of products, in eight sums that are added at the end.
#[inline(always)]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    let rest = a.len() / LANES * LANES;
    let rest: f32 = a[rest..].iter().zip(&b[rest..]).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}
