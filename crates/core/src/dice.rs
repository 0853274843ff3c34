//! Chance that can be repeated: a stream of dice belongs to one seed, one part and one sample.

/// A source of chance owned by (seed, part, sample id): the order of samples, the number of threads and which other
/// parts run cannot change what it throws.
///
/// The generator is SplitMix64 (Steele, Lea and Flood 2014), written out here so that no update of a dependency can
/// ever change a result.
#[derive(Debug, Clone)]
pub struct Dice(u64);

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Dice {
    /// The dice of one owner. `owner` is usually the part's name and the sample's id.
    pub fn new(seed: u64, owner: &[&str]) -> Self {
        let mut state = mix(seed.wrapping_add(GOLDEN));
        for name in owner {
            // Eight bytes a step; the length keeps ("ab", "c") and ("a", "bc") apart.
            state = mix(state ^ (name.len() as u64).wrapping_mul(GOLDEN));
            let (words, rest) = name.as_bytes().as_chunks();
            for word in words {
                state = mix(state ^ u64::from_le_bytes(*word)).wrapping_add(GOLDEN);
            }
            if !rest.is_empty() {
                let word = rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
                state = mix(state ^ word).wrapping_add(GOLDEN);
            }
        }
        Self(state)
    }

    /// Dice of their own for number `n` of those who share these: a variant of a sample, a place in a chain.
    pub fn fork(self, n: usize) -> Self {
        Self(mix(self.0 ^ (n as u64).wrapping_mul(GOLDEN)).wrapping_add(GOLDEN))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// A number from 0 up to, not including, `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // Lemire's multiplication; with 64 bits the bias is below n/2^64 and cannot be seen.
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// One of the items; `None` if there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Puts the items into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `k` different numbers below `n` (all of them where `k >= n`), ascending.
    pub fn choose(&mut self, n: usize, k: usize) -> Vec<usize> {
        let k = k.min(n);
        if k > 16 {
            // Selection sampling: each number in turn, with the chance that is left to it.
            let mut chosen = Vec::with_capacity(k);
            for number in 0..n {
                if self.below(n - number) < k - chosen.len() {
                    chosen.push(number);
                }
            }
            return chosen;
        }
        // Floyd's algorithm: k draws, no list of n. The list stays sorted, which is quick for a small k.
        let mut chosen: Vec<usize> = Vec::with_capacity(k);
        for last in n - k..n {
            let drawn = self.below(last + 1);
            match chosen.binary_search(&drawn) {
                Ok(_) => chosen.push(last),
                Err(at) => chosen.insert(at, drawn),
            }
        }
        chosen
    }
}

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn owners_are_kept_apart() {
        let first = |seed, owner: &[&str]| Dice::new(seed, owner).bits();
        assert_eq!(first(1, &["typos", "7"]), first(1, &["typos", "7"]));
        assert_ne!(first(1, &["typos", "7"]), first(2, &["typos", "7"]));
        assert_ne!(first(1, &["typos", "7"]), first(1, &["typos", "8"]));
        assert_ne!(first(1, &["ab", "c"]), first(1, &["a", "bc"]));
        let numbered = |a, b| Dice::new(1, &["typos", "7"]).fork(a).fork(b).bits();
        let throws = [first(1, &["typos", "7"]), numbered(0, 0), numbered(0, 1), numbered(1, 0), numbered(1, 1)];
        assert!((1..throws.len()).all(|at| !throws[..at].contains(&throws[at])), "{throws:?}");
    }

    #[test]
    fn throws_are_even() {
        let mut dice = Dice::new(0, &["even"]);
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            counts[dice.below(6)] += 1;
        }
        // Five standard deviations of a fair die's count, sqrt(60000 * 1/6 * 5/6) = 91.
        assert!(counts.iter().all(|count: &i32| (count - 10_000).abs() < 456), "{counts:?}");
        let mean = (0..10_000).map(|_| dice.unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.0145, "{mean}");
    }

    #[test]
    fn every_subset_is_as_likely() {
        let mut counts = std::collections::BTreeMap::new();
        let mut dice = Dice::new(0, &["subsets"]);
        for _ in 0..10_000 {
            *counts.entry(dice.choose(5, 2)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 10);
        assert!(counts.values().all(|&count: &i32| (count - 1000).abs() < 150), "{counts:?}");

        // The way for many: each of 20 numbers is among 17 of them as often as the others, 8500 times in 10,000.
        let mut counts = [0; 20];
        for _ in 0..10_000 {
            dice.choose(20, 17).into_iter().for_each(|number| counts[number] += 1);
        }
        // Five standard deviations, sqrt(10000 * 0.85 * 0.15) = 36.
        assert!(counts.iter().all(|count: &i32| (count - 8500).abs() < 180), "{counts:?}");
    }

    proptest! {
        #[test]
        fn chosen_numbers_differ_and_ascend(seed: u64, n in 0..50usize, k in 0..60usize) {
            let chosen = Dice::new(seed, &[]).choose(n, k);
            prop_assert_eq!(chosen.len(), k.min(n));
            prop_assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(chosen.iter().all(|&number| number < n));
        }
    }
}
