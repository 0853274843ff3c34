//! Two runs on the same samples, held against each other sample by sample.
//!
//! What one sample adds in both runs is one row, and rows are resampled as a whole: what makes a sample hard for both
//! models then cancels, and the interval of the difference is narrower than that of two separate runs. The difference
//! itself is that of the two findings.

mod excess;
mod pairs;
mod slices;
#[cfg(test)]
pub(super) mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use fissure_statistics::Estimate;
use serde::Serialize;

use crate::Result;
use crate::run::{Blocks, Header, Next};
use pairs::Pairs;

/// Differences that were taken sample by sample: the second run less the first.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RunComparison {
    /// How many samples both runs have.
    pub samples: usize,
    /// Why nothing was paired, where nothing was.
    pub apart: Option<String>,
    /// McNemar's test of the answers to the unchanged texts.
    pub answers: Option<Answers>,
    /// By the measure, as the gate calls it, then by what it is of: `drop`, `typos`; nothing for a measure of the whole.
    differences: BTreeMap<String, BTreeMap<String, Estimate>>,
}

/// The answers to the unchanged texts that are right in one run and wrong in the other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Answers {
    pub only_first: usize,
    pub only_second: usize,
    /// McNemar's exact test of the two.
    pub p: f64,
}

impl RunComparison {
    /// Two runs that cannot be paired, and why.
    pub fn unpaired(why: impl Into<String>) -> Self {
        Self { apart: Some(why.into()), ..Self::default() }
    }

    /// The paired difference of a measure; `of` is empty for a measure of the whole.
    pub fn difference(&self, measure: &str, of: &str) -> Option<Estimate> {
        self.differences.get(measure)?.get(of).copied()
    }

    fn put(&mut self, measure: &str, of: &str, difference: Option<Estimate>) {
        if let Some(difference) = difference {
            let difference = within_bounds(measure, difference);
            self.differences.entry(measure.to_owned()).or_default().insert(of.to_owned(), difference);
        }
    }
}

/// A difference of two runs whose interval ends where the difference can: scores and shares lie between 0 and 1, so they
/// differ by at most 1, and drops by at most 2.
pub fn within_bounds(measure: &str, difference: Estimate) -> Estimate {
    let most = match measure {
        "entropy" | "excess" => return difference,
        "drop" => 2.0,
        _ => 1.0,
    };
    Estimate { low: difference.low.max(-most), high: difference.high.min(most), ..difference }
}

/// Reads the files of two runs side by side. Runs with other data, another task or other metrics are not paired.
pub fn together(first: &Path, second: &Path) -> Result<RunComparison> {
    let (mut first, mut second) = (Blocks::open(first)?, Blocks::open(second)?);
    if let Some(why) = unlike(&first.header, &second.header) {
        return Ok(RunComparison::unpaired(why));
    }
    let mut pairs = Pairs::new(&first.header, &second.header)?;
    loop {
        match (first.next_block()?, second.next_block()?) {
            (Next::Block(a), Next::Block(b)) if a.sample.id == b.sample.id => pairs.add(&a, &b),
            (Next::End, Next::End) => return Ok(pairs.finish()),
            (Next::Block(_), Next::Block(_)) => return Ok(RunComparison::unpaired("their samples have different ids")),
            _ => return Ok(RunComparison::unpaired("one of them is not finished")),
        }
    }
}

/// Why two runs have no samples in common that could be paired.
fn unlike(first: &Header, second: &Header) -> Option<String> {
    let differ = [
        ("data", first.data.checksum != second.data.checksum),
        ("task", first.config.data.task_name() != second.config.data.task_name()),
        ("metrics", first.metrics != second.metrics),
    ];
    differ.iter().find(|(_, differ)| *differ).map(|(what, _)| format!("they differ in their {what}"))
}
