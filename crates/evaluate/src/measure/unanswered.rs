//! The questions that the model did not answer.

use std::collections::BTreeMap;

use super::parts::MOST_REASONS;
use crate::run::Block;

/// Why there was no answer, and how often.
#[derive(Debug, Default)]
pub struct Unanswered {
    reasons: BTreeMap<String, usize>,
    /// Questions, answered or not.
    pub questions: usize,
}

impl Unanswered {
    pub fn add(&mut self, block: &Block) {
        let asked = block.cases.iter().filter(|case| case.said.is_some() || case.failed.is_some()).count();
        self.questions += 1 + asked;
        let failed = std::iter::once(&block.sample.failed).chain(block.cases.iter().map(|case| &case.failed));
        for reason in failed.flatten() {
            let known = self.reasons.len() < MOST_REASONS || self.reasons.contains_key(reason);
            *self.reasons.entry(if known { reason.clone() } else { "other reasons".into() }).or_default() += 1;
        }
    }

    pub fn finish(self) -> BTreeMap<String, usize> {
        self.reasons
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
