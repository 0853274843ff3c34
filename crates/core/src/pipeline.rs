//! A chain and what its changes must meet: the one place in which a change is filtered.

use crate::{Chain, Outcome, Resources, Sample, Thresholds, Variant};

/// A chain, and what its changes must meet to be kept.
#[derive(Debug, Clone, Copy)]
pub struct Pipeline<'a> {
    pub chain: &'a Chain,
    pub keep: &'a Thresholds,
    /// What the validators need.
    pub resources: &'a Resources,
}

impl Pipeline<'_> {
    /// Sends a sample through the chain once; `variant` counts the throws of the dice.
    pub fn run(&self, sample: &Sample, seed: u64, variant: usize) -> Outcome {
        match self.chain.run(sample, seed, variant) {
            Outcome::Changed(changed) => match self.keep.failure(sample, &changed.sample, self.resources) {
                Some(failure) => Outcome::Filtered(failure),
                None => Outcome::Changed(changed),
            },
            other => other,
        }
    }

    /// At most `count` changed forms of a sample, equal ones once, or why there is none.
    pub fn variants(&self, sample: &Sample, seed: u64, count: usize) -> Result<Vec<Variant>, Outcome> {
        let mut variants: Vec<Variant> = Vec::new();
        let mut filtered = None;
        for number in 0..count {
            match self.run(sample, seed, number) {
                Outcome::Changed(new) if variants.iter().any(|other| other.sample == new.sample) => {}
                Outcome::Changed(new) => variants.push(*new),
                // Another variant may be good enough.
                Outcome::Filtered(failure) => filtered = filtered.or(Some(failure)),
                // If the first try finds nothing to do, another throw of the dice will not either.
                other if number == 0 => return Err(other),
                Outcome::Unchanged | Outcome::Skipped(_) => {}
            }
        }
        match filtered.filter(|_| variants.is_empty()) {
            Some(failure) => Err(Outcome::Filtered(failure)),
            None => Ok(variants),
        }
    }
}
