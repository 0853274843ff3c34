//! Chance for training, from a seed alone: SplitMix64 (Steele, Lea and Flood 2014).

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// A stream of its own for each key, whatever has been drawn from others: `Random::of(&[seed, epoch, example])`.
    pub(crate) fn of(keys: &[u64]) -> Self {
        Self(keys.iter().fold(0, |state, key| mix(state ^ mix(*key))))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// From 0 (included) to 1 (excluded).
    pub(crate) fn uniform(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// From 0 to `bound`, excluded; the bias is below `bound` / 2^64.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `count` numbers from `-bound` to `bound`.
    pub(crate) fn between(&mut self, count: usize, bound: f32) -> Vec<f32> {
        (0..count).map(|_| (self.uniform() * 2.0 - 1.0) * bound).collect()
    }

    /// `count` numbers for weights that each sum over `inputs`: from -1/sqrt(inputs) to 1/sqrt(inputs).
    pub(crate) fn fan_in(&mut self, count: usize, inputs: usize) -> Vec<f32> {
        self.between(count, 1.0 / (inputs as f32).sqrt())
    }
}

fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly() {
        let mut random = Random::of(&[0]);
        let draws: Vec<f32> = (0..10_000).map(|_| random.uniform()).collect();
        let mean = draws.iter().sum::<f32>() / draws.len() as f32;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / draws.len() as f32;
        assert!((mean - 0.5).abs() < 0.01 && (variance - 1.0 / 12.0).abs() < 0.003, "{mean} {variance}");
        let mut counts = [0; 7];
        (0..7_000).for_each(|_| counts[random.below(7)] += 1);
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_shuffle_keeps_everything_and_depends_on_the_keys() {
        let shuffled = |keys: &[u64]| {
            let mut items: Vec<u32> = (0..100).collect();
            Random::of(keys).shuffle(&mut items);
            items
        };
        let mut sorted = shuffled(&[1, 2]);
        assert_eq!(sorted, shuffled(&[1, 2]));
        assert_ne!(sorted, shuffled(&[2, 1]));
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
