//! The linear classifier under every tagger: hashed features, small integer weights, the class with the highest sum wins.
//!
//! Features are hashed into a fixed number of buckets; what shares a bucket shares its weights, in training as in use.
//! A bucket holds weights only for the classes that training moved, so a score costs one look-up and a few additions
//! for each feature, whatever the number of classes.

mod features;
mod format;

pub use features::{Hash, mix};
pub(crate) use features::{SEED, extend};
pub use format::WeightsError;
pub(crate) use format::{deflate, get_number, inflate, put_number, take};

/// The weights of one classifier.
///
/// What is slow about a score is waiting for memory, so a feature that holds weights costs two look-ups, each in one line
/// of a cache, and no look-up waits for the one before it: see [`Weights::add`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// What the classes stand for, in the order of the scores; each tagger has its own code for them.
    pub labels: Vec<u16>,
    /// How many bits of a feature's hash name its bucket.
    bits: u32,
    blocks: Vec<Block>,
    /// A row for each bucket that holds weights, in the order of the buckets.
    rows: Vec<Row>,
    /// What the rows have no room for.
    more: Vec<Part>,
}

/// Which of 32 buckets hold weights, and how many such buckets stand before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Block {
    map: u32,
    before: u32,
}

/// The weights of one bucket: the first few, and where the others are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    first: [Part; FIRST],
    more: u32,
    count: u16,
}

/// A row of this length fills a quarter of a cache line, and nine of ten rows need no more.
const FIRST: usize = 5;

/// A weight, or a part of one that is too large for a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    class: u8,
    weight: i8,
}

/// A class that no label has, for the parts of a row that say nothing.
const NO_CLASS: u8 = u8::MAX;

/// Most classes that there can be.
pub const MOST_CLASSES: usize = NO_CLASS as usize;

/// Room for the score of every class that a byte can name, so that no look-up has to ask whether it is inside.
pub type Scores = [i32; MOST_CLASSES + 1];

/// A weight of one feature for one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    pub class: u8,
    pub weight: i16,
}

impl Weights {
    /// Builds the weights from cells given bucket by bucket, in rising order of the buckets, all below `2^bits`; within a
    /// bucket each class stands once.
    pub fn new(labels: Vec<u16>, bits: u32, rows: impl IntoIterator<Item = (u32, Vec<Cell>)>) -> Self {
        assert!(labels.len() <= MOST_CLASSES, "{} classes are too many", labels.len());
        let blocks = vec![Block::default(); (1_usize << bits).div_ceil(BLOCK)];
        let mut weights = Self { labels, bits, blocks, rows: Vec::new(), more: Vec::new() };
        for (bucket, cells) in rows.into_iter().filter(|(_, cells)| !cells.is_empty()) {
            weights.blocks[bucket as usize / BLOCK].map |= 1 << (bucket as usize % BLOCK);
            weights.push(&cells);
        }
        let mut before = 0;
        for block in &mut weights.blocks {
            block.before = before;
            before += block.map.count_ones();
        }
        weights
    }

    fn push(&mut self, cells: &[Cell]) {
        let parts: Vec<Part> = cells.iter().flat_map(|cell| parts(*cell)).collect();
        let mut first = [Part { class: NO_CLASS, weight: 0 }; FIRST];
        first.iter_mut().zip(&parts).for_each(|(place, part)| *place = *part);
        self.rows.push(Row { first, more: self.more.len() as u32, count: parts.len() as u16 });
        self.more.extend(parts.iter().skip(FIRST));
    }

    /// The scores of every class there is: the sums of the weights of `features`.
    pub fn score<'s>(&self, features: &[Hash], scores: &'s mut Scores) -> &'s [i32] {
        scores[..self.labels.len()].fill(0);
        self.add(features, scores);
        &scores[..self.labels.len()]
    }

    /// Adds the weights of `features` to the scores.
    ///
    /// First all features are looked up, then all rows are fetched, then they are added: a processor that need not guess
    /// which feature holds weights, nor how many, asks for all of them at once instead of waiting for one after the other.
    pub fn add(&self, features: &[Hash], scores: &mut Scores) {
        const AT_ONCE: usize = 32;
        let mut found = [0_u32; AT_ONCE];
        let mut rows = [Row { first: [Part { class: NO_CLASS, weight: 0 }; FIRST], more: 0, count: 0 }; AT_ONCE];
        for features in features.chunks(AT_ONCE) {
            let mut count = 0;
            for feature in features {
                let bucket = feature.bucket(self.bits);
                let block = self.blocks[bucket / BLOCK];
                let (here, bit) = (block.map >> (bucket % BLOCK) & 1, 1_u32 << (bucket % BLOCK));
                found[count % AT_ONCE] = block.before + (block.map & (bit - 1)).count_ones();
                // Only what holds weights stays; the next one takes the place of what does not.
                count += here as usize;
            }
            rows.iter_mut().zip(&found[..count]).for_each(|(row, at)| *row = self.rows[*at as usize]);
            rows[..count].iter().flat_map(|row| &row.first).for_each(|part| part.add_to(scores));
            for row in rows[..count].iter().filter(|row| usize::from(row.count) > FIRST) {
                self.rest(row).iter().for_each(|part| part.add_to(scores));
            }
        }
    }

    fn rest(&self, row: &Row) -> &[Part] {
        let (start, count) = (row.more as usize, usize::from(row.count).saturating_sub(FIRST));
        &self.more[start..start + count]
    }

    /// The buckets that hold weights.
    fn buckets(&self) -> impl Iterator<Item = u32> {
        (0_u32..).zip(&self.blocks).flat_map(|(at, block)| {
            let held = (0..BLOCK as u32).filter(move |bit| block.map >> bit & 1 == 1);
            held.map(move |bit| at * BLOCK as u32 + bit)
        })
    }

    /// The cells of each bucket that holds any.
    fn cells(&self) -> impl Iterator<Item = Vec<Cell>> {
        self.rows.iter().map(|row| {
            let mut cells: Vec<Cell> = Vec::new();
            for part in row.first.iter().take(usize::from(row.count)).chain(self.rest(row)) {
                match cells.last_mut().filter(|cell| cell.class == part.class) {
                    Some(cell) => cell.weight += i16::from(part.weight),
                    None => cells.push(Cell { class: part.class, weight: i16::from(part.weight) }),
                }
            }
            cells
        })
    }
}

/// Buckets that share a block.
const BLOCK: usize = u32::BITS as usize;

impl Part {
    fn add_to(self, scores: &mut Scores) {
        let score = &mut scores[usize::from(self.class)];
        // A sum of bytes over a few hundred features is far from the end of its range.
        *score = score.wrapping_add(i32::from(self.weight));
    }
}

/// A weight in parts that each fit into a byte.
fn parts(cell: Cell) -> impl Iterator<Item = Part> {
    let mut left = Some(cell.weight);
    std::iter::from_fn(move || {
        let weight = left?.clamp(i8::MIN.into(), i8::MAX.into());
        left = left.map(|left| left - weight).filter(|left| *left != 0);
        Some(Part { class: cell.class, weight: weight as i8 })
    })
}

/// The place of the highest score; the first of equals. Zero if there are no scores.
pub fn best<S: PartialOrd>(scores: &[S]) -> usize {
    let mut best = 0;
    for (at, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = at;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_add_up_over_features() {
        let cell = |class, weight| Cell { class, weight };
        let first = mix(1, Hash(5), Hash(0));
        let second = mix(2, Hash(5), Hash(0));
        let mut rows = vec![
            (first.bucket(10) as u32, vec![cell(0, 3), cell(2, -4)]),
            (second.bucket(10) as u32, vec![cell(1, 7), cell(2, 5)]),
        ];
        // Large weights come in parts, long rows continue in another block.
        let third = mix(4, Hash(5), Hash(0));
        rows.push((third.bucket(10) as u32, vec![cell(0, 300), cell(1, -300), cell(2, i16::MAX), cell(3, i16::MIN)]));
        rows.sort_by_key(|row| row.0);
        let cells: Vec<Vec<Cell>> = rows.iter().map(|(_, cells)| cells.clone()).collect();
        let weights = Weights::new(vec![0, 1, 2, 3], 10, rows);
        assert!(weights.cells().eq(cells));
        let mut scores = [9; 256];
        let scores = weights.score(&[first, second, mix(3, Hash(1), Hash(1))], &mut scores);
        assert_eq!(scores, [3, 7, 1, 0]);
        assert_eq!(best(scores), 1);
        let scores = weights.score(&[third, first], &mut [9; 256]).to_vec();
        assert_eq!(scores, [303, -300, i32::from(i16::MAX) - 4, i32::from(i16::MIN)]);
        assert_eq!(best::<i32>(&[]), 0);
    }
}
