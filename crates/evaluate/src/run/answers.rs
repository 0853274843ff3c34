//! The answers of a run, sample by sample: what later commands need not ask again.

use std::path::Path;

use fissure_core::Expectation;

use super::{Blocks, Header, Next, SampleRecord};
use crate::Result;

/// A sample of a run with what the model said to it and to its changed forms.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweredSample {
    pub sample: SampleRecord,
    /// Changed forms that keep the right answer and got an answer, and how many of those differ from the original's.
    pub changed: usize,
    pub turned: usize,
}

/// Reads the answers of a run, which need not be complete.
pub fn read_answers(path: &Path) -> Result<(Header, Vec<AnsweredSample>)> {
    let mut blocks = Blocks::open(path)?;
    let kept: Vec<bool> =
        blocks.header.plan.chains.iter().map(|chain| chain.expectation == Expectation::Kept).collect();
    let mut answered = Vec::new();
    while let Next::Block(block) = blocks.next_block()? {
        let (mut changed, mut turned) = (0, 0);
        if let Some(original) = &block.sample.said {
            let said = block.cases.iter().filter(|case| kept[case.chain]).filter_map(|case| case.said.as_ref());
            for response in said {
                changed += 1;
                turned += usize::from(!response.agrees(original));
            }
        }
        answered.push(AnsweredSample { sample: block.sample, changed, turned });
    }
    Ok((blocks.header, answered))
}
