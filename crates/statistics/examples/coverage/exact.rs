//! How often the interval of a paired difference holds the true one: the sum over all outcomes, none of them drawn.

use fissure_statistics::{Estimate, paired_difference};

/// Outcomes less likely than this are left out.
const NEVER: f64 = 1e-9;

/// The intervals of all outcomes of a number of pairs, each computed once.
pub struct Intervals {
    pairs: usize,
    /// By broken and fixed pairs.
    known: Vec<Vec<Option<Estimate>>>,
    /// Logarithms of factorials.
    factorials: Vec<f64>,
}

impl Intervals {
    pub fn new(pairs: usize) -> Self {
        let mut factorials = vec![0.0];
        (1..=pairs).for_each(|n| factorials.push(factorials[n - 1] + (n as f64).ln()));
        Self { pairs, known: vec![Vec::new(); pairs + 1], factorials }
    }

    /// How often the whole interval lies below the true difference of the two shares, and above it.
    pub fn misses(&mut self, broken: f64, fixed: f64) -> [f64; 2] {
        let truth = broken - fixed;
        let (mut below, mut above) = (0.0, 0.0);
        for b in 0..=self.pairs {
            // Most counts are far from what can happen.
            if self.chance(b, 0, broken, 0.0) < NEVER {
                continue;
            }
            for c in 0..=self.pairs - b {
                let chance = self.chance(b, c, broken, fixed);
                if chance < NEVER {
                    if c as f64 > self.pairs as f64 * fixed {
                        break;
                    }
                    continue;
                }
                let found = self.interval(b, c);
                below += if found.high < truth - 1e-12 { chance } else { 0.0 };
                above += if found.low > truth + 1e-12 { chance } else { 0.0 };
            }
        }
        [below, above]
    }

    fn interval(&mut self, b: usize, c: usize) -> Estimate {
        let row = &mut self.known[b];
        if row.len() <= c {
            row.resize(c + 1, None);
        }
        let find = || paired_difference(self.pairs as f64, b as f64, c as f64).expect("counts of pairs");
        *row[c].get_or_insert_with(find)
    }

    /// The probability of this number of broken and fixed pairs.
    fn chance(&self, b: usize, c: usize, broken: f64, fixed: f64) -> f64 {
        let rest = self.pairs - b - c;
        let part = |count: usize, share: f64| match count {
            0 => 0.0,
            count => count as f64 * share.ln() - self.factorials[count],
        };
        let log = self.factorials[self.pairs] + part(b, broken) + part(c, fixed) + part(rest, 1.0 - broken - fixed);
        log.exp()
    }
}
