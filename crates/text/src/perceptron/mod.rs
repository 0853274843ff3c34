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
/// Most features of a text hold no weights, so the first look-up is in a bitmap that fits into a near cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// What the classes stand for, in the order of the scores; each tagger has its own code for them.
    pub labels: Vec<u16>,
    /// How many bits of a feature's hash name its bucket.
    bits: u32,
    /// A bit for each bucket that holds weights, and how many such buckets stand before each word of the map.
    map: Vec<u64>,
    before: Vec<u32>,
    /// Where the cells of each bucket that holds any start; one more than there are such buckets.
    starts: Vec<u32>,
    cells: Vec<Cell>,
}

/// A weight of one feature for one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    pub class: u8,
    pub weight: i16,
}

impl Weights {
    /// Builds the weights from cells given bucket by bucket, in rising order of the buckets.
    pub fn new(labels: Vec<u16>, bits: u32, rows: impl IntoIterator<Item = (u32, Vec<Cell>)>) -> Self {
        let mut buckets = Vec::new();
        let mut lengths = Vec::new();
        let mut cells = Vec::new();
        for (bucket, row) in rows.into_iter().filter(|(_, row)| !row.is_empty()) {
            buckets.push(bucket);
            lengths.push(row.len());
            cells.extend(row);
        }
        Self::from_parts(labels, bits, &buckets, &lengths, cells)
    }

    /// Buckets must rise and be below `2^bits`; the lengths must add up to the number of cells.
    fn from_parts(labels: Vec<u16>, bits: u32, buckets: &[u32], lengths: &[usize], cells: Vec<Cell>) -> Self {
        let mut map = vec![0_u64; (1_usize << bits).div_ceil(64)];
        for bucket in buckets {
            map[*bucket as usize / 64] |= 1 << (bucket % 64);
        }
        let running = |sum: &mut u32, next: u32| Some(std::mem::replace(sum, *sum + next));
        let before = map.iter().map(|word| word.count_ones()).scan(0, running).collect();
        let starts = lengths.iter().map(|length| *length as u32).chain([0]).scan(0, running).collect();
        Self { labels, bits, map, before, starts, cells }
    }

    /// Adds up the weights of `features` for every class. `scores` must have a place for each label.
    pub fn score(&self, features: &[Hash], scores: &mut [i32]) {
        scores.fill(0);
        for feature in features {
            let bucket = feature.bucket(self.bits);
            let (word, bit) = (self.map[bucket / 64], 1 << (bucket % 64));
            if word & bit != 0 {
                let row = self.before[bucket / 64] as usize + (word & (bit - 1)).count_ones() as usize;
                for cell in &self.cells[self.starts[row] as usize..self.starts[row + 1] as usize] {
                    scores[usize::from(cell.class)] += i32::from(cell.weight);
                }
            }
        }
    }

    /// The buckets that hold weights.
    fn buckets(&self) -> impl Iterator<Item = u32> {
        (0_u32..)
            .zip(&self.map)
            .flat_map(|(at, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit))
    }
}

/// The place of the highest score; the first of equals. Zero where there are no scores.
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
        rows.sort_by_key(|row| row.0);
        let weights = Weights::new(vec![0, 1, 2], 10, rows);
        let mut scores = [9; 3];
        weights.score(&[first, second, mix(3, Hash(1), Hash(1))], &mut scores);
        assert_eq!(scores, [3, 7, 1]);
        assert_eq!(best(&scores), 1);
        assert_eq!(best::<i32>(&[]), 0);
    }
}
