//! The averaged perceptron: learns the weights that [`Weights`] holds.

use crate::perceptron::{Cell, Hash, Weights};

/// A classifier in training. The weights that come out are the averages over all steps, which is what keeps a
/// perceptron from following its last examples.
#[derive(Debug, Clone)]
pub struct Trainer {
    classes: usize,
    bits: u32,
    rows: Vec<Vec<Moving>>,
    step: u32,
}

/// A weight, the sum of its values over the steps until `since`, and how often it moved.
#[derive(Debug, Clone, Copy)]
struct Moving {
    class: u8,
    moves: u16,
    weight: f32,
    since: u32,
    total: f64,
}

impl Trainer {
    pub fn new(classes: usize, bits: u32) -> Self {
        assert!(classes <= 256 && bits <= 24);
        Self { classes, bits, rows: vec![Vec::new(); 1 << bits], step: 0 }
    }

    /// The scores of every class as the weights stand now.
    pub fn score(&self, features: &[Hash], scores: &mut Vec<f32>) {
        scores.clear();
        scores.resize(self.classes, 0.0);
        for feature in features {
            for cell in &self.rows[feature.bucket(self.bits)] {
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
                shift(row, truth as u8, 1.0, self.step);
                shift(row, guess as u8, -1.0, self.step);
            }
        }
    }

    /// The averaged weights, in units of `unit`, rounded; those that round to zero are dropped, and so are those that
    /// moved fewer than `fewest` times.
    pub fn finish(&self, labels: Vec<u16>, unit: f32, fewest: u16) -> Weights {
        let round = |cell: &Moving| {
            let total = cell.total + f64::from(cell.weight) * f64::from(self.step - cell.since);
            let average = total / f64::from(self.step.max(1));
            let weight = (average / f64::from(unit)).round().clamp(-127.0, 127.0) as i8;
            (weight != 0 && cell.moves >= fewest).then_some(Cell { class: cell.class, weight })
        };
        let rows = self.rows.iter().zip(0..).map(|(row, bucket)| {
            let mut cells: Vec<Cell> = row.iter().filter_map(round).collect();
            cells.sort_by_key(|cell| cell.class);
            (bucket, cells)
        });
        Weights::new(labels, self.bits, rows)
    }
}

fn shift(row: &mut Vec<Moving>, class: u8, by: f32, step: u32) {
    let at = row.iter().position(|cell| cell.class == class).unwrap_or_else(|| {
        row.push(Moving { class, moves: 0, weight: 0.0, since: step, total: 0.0 });
        row.len() - 1
    });
    let cell = &mut row[at];
    cell.total += f64::from(cell.weight) * f64::from(step - cell.since);
    cell.since = step;
    cell.weight += by;
    cell.moves = cell.moves.saturating_add(1);
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
        // The weight of class 1 moves to 1 at step 1 and to 2 at step 3, of 4: (3 * 1 + 1 * 1) / 4 = 1.
        let weights = trainer.finish(vec![0, 1], 0.25, 1);
        let mut scores = [0; 2];
        weights.score(&[feature], &mut scores);
        assert_eq!(scores, [-4, 4]);
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
