//! The averaged perceptron: learns the weights that [`Weights`] holds.

use crate::perceptron::{Cell, Hash, Weights};

/// A classifier in training. The weights that come out are the averages over all steps, which is what keeps a
/// perceptron from following its last examples.
#[derive(Debug, Clone)]
pub struct Trainer {
    classes: usize,
    bits: u32,
    rows: Vec<Row>,
    step: u32,
}

/// The weights of one bucket. What scoring needs lies together; what only the average needs lies apart.
#[derive(Debug, Clone, Default)]
struct Row {
    cells: Vec<Moving>,
    /// For each cell, the sum of (step * change) over its changes: what the average has to take away from the weight.
    late: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Moving {
    weight: f32,
    moves: u16,
    class: u8,
}

impl Trainer {
    pub fn new(classes: usize, bits: u32) -> Self {
        assert!(classes <= 256 && bits <= 24);
        Self { classes, bits, rows: vec![Row::default(); 1 << bits], step: 0 }
    }

    /// The scores of every class as the weights stand now.
    pub fn score(&self, features: &[Hash], scores: &mut Vec<f32>) {
        scores.clear();
        scores.resize(self.classes, 0.0);
        for feature in features {
            for cell in &self.rows[feature.bucket(self.bits)].cells {
                scores[usize::from(cell.class)] += cell.weight;
            }
        }
    }

    /// Moves the weights towards `truth` and away from `guess`; counts a step even where they agree.
    pub fn update(&mut self, features: &[Hash], truth: usize, guess: usize) {
        self.step += 1;
        if truth != guess {
            for feature in features {
                let row = &mut self.rows[feature.bucket(self.bits)];
                row.shift(truth as u8, 1.0, self.step);
                row.shift(guess as u8, -1.0, self.step);
            }
        }
    }

    /// Counts a step: what is shifted from now on holds from this step on.
    pub fn step(&mut self) {
        self.step += 1;
    }

    /// Moves the weights of `features` for one class.
    pub fn shift(&mut self, features: &[Hash], class: usize, by: f32) {
        for feature in features {
            self.rows[feature.bucket(self.bits)].shift(class as u8, by, self.step);
        }
    }

    /// The averaged weights, in units of `unit`, rounded; those that round to zero are dropped, and so are those that
    /// moved fewer than `fewest` times.
    pub fn finish(&self, labels: Vec<u16>, unit: f32, fewest: u16) -> Weights {
        let round = |(cell, late): (&Moving, &f64)| {
            let average = f64::from(cell.weight) - late / f64::from(self.step.max(1));
            let weight = (average / f64::from(unit)).round() as i16;
            (weight != 0 && cell.moves >= fewest).then_some(Cell { class: cell.class, weight })
        };
        let rows = self.rows.iter().zip(0..).map(|(row, bucket)| {
            let mut cells: Vec<Cell> = row.cells.iter().zip(&row.late).filter_map(round).collect();
            cells.sort_by_key(|cell| cell.class);
            (bucket, cells)
        });
        Weights::new(labels, self.bits, rows)
    }
}

impl Row {
    fn shift(&mut self, class: u8, by: f32, step: u32) {
        let at = self.cells.iter().position(|cell| cell.class == class).unwrap_or_else(|| {
            self.cells.push(Moving { weight: 0.0, moves: 0, class });
            self.late.push(0.0);
            self.cells.len() - 1
        });
        self.cells[at].weight += by;
        self.cells[at].moves = self.cells[at].moves.saturating_add(1);
        // The change holds from this step on, so the steps before it are what the average lacks.
        self.late[at] += f64::from(by) * f64::from(step - 1);
    }
}

/// A fixed order of chance: the same numbers on every machine (splitmix64).
#[derive(Debug, Clone)]
pub struct Shuffler(u64);

impl Shuffler {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ (mixed >> 31)) * bound as u128) >> 64) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perceptron::mix;

    #[test]
    fn averages_are_over_all_steps() {
        let feature = mix(1, Hash(1), Hash(1));
        let mut trainer = Trainer::new(2, 8);
        trainer.update(&[feature], 1, 0);
        trainer.update(&[feature], 1, 1);
        trainer.update(&[feature], 1, 0);
        trainer.update(&[feature], 1, 1);
        let mut scores = Vec::new();
        trainer.score(&[feature], &mut scores);
        assert_eq!(scores, [-2.0, 2.0]);
        // The weight of class 1 is 1 from step 1 and 2 from step 3, of 4: (2 * 1 + 2 * 2) / 4 = 1.5.
        let weights = trainer.finish(vec![0, 1], 0.25, 1);
        assert_eq!(weights.score(&[feature], &mut [0; 256]), [-6, 6]);
        assert_eq!(trainer.finish(vec![0, 1], 0.25, 3), Weights::new(vec![0, 1], 8, []));
    }

    #[test]
    fn shuffling_keeps_all_and_repeats() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            Shuffler::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(5), shuffled(5));
        assert_ne!(shuffled(5), shuffled(6));
        let mut sorted = shuffled(5);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
