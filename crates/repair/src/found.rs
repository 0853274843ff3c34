//! Attacks that a run found, as changed samples: for training data and for test sets.

use std::collections::HashMap;

use fissure_attacks::{Outcome, Record, changed};
use fissure_core::Sample;

/// The successes of a run of attacks, by the ids of their texts.
#[derive(Debug, Clone, Default)]
pub struct FoundAttacks {
    /// What the attack is called: `textfooler -encoder`.
    pub name: String,
    records: HashMap<String, Record>,
}

impl FoundAttacks {
    pub fn new(name: &str, records: Vec<Record>) -> Self {
        let broken = records.into_iter().filter(|record| record.outcome == Outcome::Succeeded);
        Self { name: name.to_owned(), records: broken.map(|record| (record.id.clone(), record)).collect() }
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The sample as the attack left it, labels included, with the attack itself. `None` if none was found on it, or if its text
    /// is not the one that was attacked.
    pub fn on(&self, sample: &Sample) -> Option<(Sample, &Record)> {
        let record = self.records.get(&sample.id)?;
        Some((changed(record, sample)?, record))
    }

    /// How many samples of a set broke.
    pub fn count_on(&self, samples: &[Sample]) -> usize {
        samples.iter().filter(|sample| self.on(sample).is_some()).count()
    }

    /// What parts, columns and reports call it.
    pub fn kind(&self) -> String {
        format!("attack {}", self.name)
    }
}
