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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::SampleRecord;

    #[test]
    fn reasons_are_counted_and_their_number_is_bounded() {
        let block = |failed: Option<String>| Block {
            sample: SampleRecord {
                n: 0,
                id: String::new(),
                texts: Vec::new(),
                gold: None,
                said: None,
                failed,
                tallies: Vec::new(),
                slices: Vec::new(),
                fragility: None,
            },
            cases: Vec::new(),
        };
        let mut unanswered = Unanswered::default();
        unanswered.add(&block(None));
        (0..MOST_REASONS + 5).for_each(|text| unanswered.add(&block(Some(format!("text {text} is too long")))));
        unanswered.add(&block(Some("text 0 is too long".into())));
        let found = unanswered.finish();
        assert_eq!((found["text 0 is too long"], found["other reasons"]), (2, 5));
        assert_eq!(found.values().sum::<usize>(), MOST_REASONS + 6);
    }
}
