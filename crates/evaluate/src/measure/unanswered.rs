//! The questions that the model did not answer.

use std::collections::BTreeMap;

use super::parts::MOST_REASONS;
use crate::run::Block;

/// Why there was no answer, and how often.
#[derive(Debug, Default)]
pub struct Unanswered(BTreeMap<String, usize>);

impl Unanswered {
    pub fn add(&mut self, block: &Block) {
        let failed = std::iter::once(&block.sample.failed).chain(block.cases.iter().map(|case| &case.failed));
        for reason in failed.flatten() {
            let known = self.0.len() < MOST_REASONS || self.0.contains_key(reason);
            *self.0.entry(if known { reason.clone() } else { "other reasons".into() }).or_default() += 1;
        }
    }

    pub fn finish(self) -> BTreeMap<String, usize> {
        self.0
    }
}
