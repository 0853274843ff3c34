//! The network that scores the moves of the parser: words are read in both directions by a small LSTM, and a hidden layer
//! looks at what it says about three words of the stack and the next one (Kiperwasser and Goldberg, 2016).
//!
//! Weights and what is multiplied with them are 16-bit integers, and their sums are exact. Only the gates of the LSTM are
//! worked out in floating point, number by number and without functions of the system's library. So a parse is the same on
//! every machine.

use super::products::{Matrix, PANEL, Products};
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

/// Bits behind the point of all weights up to the hidden layer, and of what comes out of the LSTM.
pub const BITS: u32 = 11;
/// Bits behind the point of the weights of actions and relations, which are larger.
pub const SCORE_BITS: u32 = 10;
/// The hidden layer is summed with twice `BITS`. This many are dropped before it is multiplied.
const DROPPED: u32 = 13;
/// The largest number of the hidden layer after that: 16.
pub const MOST_HIDDEN: i32 = (16 << (2 * BITS - DROPPED)) - 1;
/// Relations, filled up to whole panels.
const LABEL_COLUMNS: usize = RELATIONS.next_multiple_of(PANEL);

/// The trained parser.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    pub keys: Keys,
    /// `INPUT` numbers for each key, in steps of `row_step`.
    rows: Vec<i8>,
    row_step: f32,
    from_input: [Matrix<INPUT, GATES>; 2],
    from_cells: [Matrix<CELLS, GATES>; 2],
    gate_bias: [Vec<f32>; 2],
    /// All slots side by side.
    from_code: Matrix<CODE, { SLOTS * HIDDEN }>,
    /// Rows of the small table, and the bias of the hidden layer behind them.
    small: Vec<i32>,
    action_rows: Vec<i16>,
    action_bias: [i32; ACTIONS],
    labels: [Matrix<HIDDEN, LABEL_COLUMNS>; 2],
    label_bias: [Vec<i32>; 2],
}

impl Network {
    /// A network that knows nothing; every move is as good as any other.
    pub fn empty() -> Self {
        Self::new(Keys::new(Vec::new()), Vec::new(), 1.0, &[0; WEIGHTS])
    }

    /// `weights` holds the blocks that the constants above name, `BITS` behind the point, `SCORE_BITS` from `ACTION_ROWS` on.
    pub fn new(keys: Keys, rows: Vec<i8>, row_step: f32, weights: &[i16; WEIGHTS]) -> Self {
        let bias = |start: usize, length: usize, bits: u32| {
            weights[start..][..length].iter().map(move |weight| i32::from(*weight) << bits)
        };
        let gate_bias = |side: usize| {
            let bias = weights[GATE_BIAS[side]..][..GATES].iter();
            bias.map(|weight| f32::from(*weight) / (1 << BITS) as f32).collect()
        };
        let label = |side: usize, unit: usize, column: usize| {
            if column < RELATIONS { weights[LABELS[side] + unit * RELATIONS + column] } else { 0 }
        };
        let label_bias = |side: usize| bias(LABEL_BIAS[side], RELATIONS, 2 * BITS - DROPPED).collect();
        let from_code = |code: usize, column: usize| {
            weights[FROM_CODE + (column / HIDDEN * CODE + code) * HIDDEN + column % HIDDEN]
        };
        Self {
            keys,
            rows,
            row_step,
            from_input: [0, 1].map(|side| Matrix::new(|row, gate| weights[FROM_INPUT[side] + row * GATES + gate])),
            from_cells: [0, 1].map(|side| Matrix::new(|row, gate| weights[FROM_CELLS[side] + row * GATES + gate])),
            gate_bias: [0, 1].map(gate_bias),
            from_code: Matrix::new(from_code),
            small: bias(SMALL_START, (SMALL_ROWS + 1) * HIDDEN, BITS).collect(),
            action_rows: weights[ACTION_ROWS..ACTION_BIAS].to_vec(),
            action_bias: std::array::from_fn(|at| i32::from(weights[ACTION_BIAS + at]) << (2 * BITS - DROPPED)),
            labels: [0, 1].map(|side| Matrix::new(|unit, column| label(side, unit, column))),
            label_bias: [0, 1].map(label_bias),
        }
    }

    /// The scores of shift, left and right.
    #[inline(always)]
    pub fn actions(&self, hidden: &[i16; HIDDEN]) -> [i32; ACTIONS] {
        std::array::from_fn(|action| {
            let row = &self.action_rows[action * HIDDEN..][..HIDDEN];
            let products = row.iter().zip(hidden).map(|(weight, unit)| i32::from(*weight) * i32::from(*unit));
            products.fold(self.action_bias[action], i32::wrapping_add)
        })
    }

    /// The scores of the relations of an arc in a direction (0: left, 1: right).
    #[inline(always)]
    pub fn labels<P: Products>(&self, hidden: &[i16; HIDDEN], direction: usize) -> [i32; RELATIONS] {
        let mut scores = [0; LABEL_COLUMNS];
        scores[..RELATIONS].copy_from_slice(&self.label_bias[direction]);
        self.labels[direction].add_product::<P>(hidden, &mut scores);
        std::array::from_fn(|at| scores[at])
    }
}

/// What the network knows of words, in rising order.
#[derive(Debug, Clone, PartialEq)]
pub struct Keys {
    keys: Vec<Hash>,
    /// Where the keys start whose hash has the high bits of this place; one more than there are such places.
    starts: Vec<u32>,
}

const PLACE_BITS: u32 = 14;

impl Keys {
    /// Keys must rise.
    pub fn new(keys: Vec<Hash>) -> Self {
        let places = 0..=1 << PLACE_BITS;
        let starts = places.map(|place| keys.partition_point(|key| key.bucket(PLACE_BITS) < place) as u32).collect();
        Self { keys, starts }
    }

    pub fn all(&self) -> &[Hash] {
        &self.keys
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

/// The sentence as the network reads it: for each word and slot what the word adds to the hidden layer.
pub struct Reading {
    pub added: Vec<i32>,
}

impl Reading {
    #[inline(always)]
    pub fn new<P: Products>(network: &Network, looks: &[WordFeatures], tags: &[Tag]) -> Self {
        let length = looks.len();
        let mut input = vec![0_i16; length * INPUT];
        for ((look, tag), input) in looks.iter().zip(tags).zip(input.chunks_exact_mut(INPUT)) {
            for row in keys(look, *tag).into_iter().filter_map(|key| network.keys.find(key)) {
                let row = &network.rows[row * INPUT..(row + 1) * INPUT];
                input.iter_mut().zip(row).for_each(|(input, number)| *input += i16::from(*number));
            }
        }
        let mut code = vec![0_i16; length * CODE];
        let mut sums = vec![0_i32; length * GATES];
        for side in 0..2 {
            sums.fill(0);
            network.from_input[side].add_product::<P>(&input, &mut sums);
            let (mut cells, mut last) = ([0.0; CELLS], [0; CELLS]);
            for step in 0..length {
                let at = if side == 0 { step } else { length - 1 - step };
                let mut more = [0; GATES];
                network.from_cells[side].add_product::<P>(&last, &mut more);
                let mut gates = network.gates(side, &sums[at * GATES..][..GATES], &more);
                let mut out = [0.0; CELLS];
                cell(&mut gates, &mut cells, &mut out);
                last = out.map(whole);
                code[at * CODE + side * CELLS..][..CELLS].copy_from_slice(&last);
            }
        }
        let mut added = vec![0; length * SLOTS * HIDDEN];
        network.from_code.add_product::<P>(&code, &mut added);
        Self { added }
    }

    /// The hidden layer for a state.
    #[inline(always)]
    pub fn hidden(&self, network: &Network, seen: &Seen) -> [i16; HIDDEN] {
        let mut sums = [0_i32; HIDDEN];
        sums.copy_from_slice(&network.small[SMALL_ROWS * HIDDEN..]);
        for (slot, word) in seen.words.iter().enumerate() {
            if let Some(word) = word {
                add(&self.added[(word * SLOTS + slot) * HIDDEN..][..HIDDEN], &mut sums);
            }
        }
        for row in seen.small() {
            add(&network.small[row * HIDDEN..][..HIDDEN], &mut sums);
        }
        sums.map(|sum| (sum >> DROPPED).clamp(0, MOST_HIDDEN) as i16)
    }
}

impl Network {
    /// The gates of a word before they are bent, from its own sums and those of the cells before it.
    #[inline(always)]
    fn gates(&self, side: usize, own: &[i32], from_cells: &[i32; GATES]) -> [f32; GATES] {
        let (own_step, cell_step) = (self.row_step / (1 << BITS) as f32, 1.0 / (1 << (2 * BITS)) as f32);
        let (own, bias) = (&own[..GATES], &self.gate_bias[side][..GATES]);
        std::array::from_fn(|at| bias[at] + own[at] as f32 * own_step + from_cells[at] as f32 * cell_step)
    }
}

#[inline(always)]
fn add(from: &[i32], to: &mut [i32; HIDDEN]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = to.wrapping_add(*from));
}

/// A number from -1 to 1 with `BITS` behind the point: the sum has no bits for more, and is rounded by the processor.
#[inline(always)]
fn whole(x: f32) -> i16 {
    const LARGE: f32 = (3 << 22) as f32;
    ((x * (1 << BITS) as f32 + LARGE).to_bits()).wrapping_sub(LARGE.to_bits()) as i16
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
