//! The most telling pairs: right and sure before, wrong and sure after, by a small change; spread over the parts.

use fissure_core::Expectation;

use super::Measured;
use crate::TellingExample;
use crate::run::{Block, CaseRecord};

/// How many pairs are shown.
const SHOWN: usize = 10;
/// How many are kept of each part, so that there are enough where few parts have any.
const OF_EACH: usize = SHOWN;
/// Beyond this many bytes a text is hard to read at a glance.
const SHORT: f64 = 400.0;

/// The best pairs of each chain so far.
#[derive(Debug)]
pub struct Best(Vec<Vec<(f64, TellingExample)>>);

impl Best {
    pub fn new(run: &Measured) -> Self {
        Self(vec![Vec::new(); run.header.plan.chains.len()])
    }

    pub fn add(&mut self, run: &Measured, block: &Block) {
        let Some(original) = &block.sample.said else { return };
        for case in block.answered() {
            let Some(said) = &case.said else { continue };
            let shown = match run.expectation(case) {
                // It was right, and is wrong now.
                Expectation::Kept | Expectation::Flipped | Expectation::Relabelled => {
                    match (block.before_case(case), case.tally.as_deref()) {
                        (Some(before), Some(after)) => run.metric().right(before) && !run.metric().right(after),
                        // Without a label: the answer should have stayed, and did not.
                        _ => run.expectation(case) == Expectation::Kept && !said.agrees(original),
                    }
                }
                Expectation::Unsure | Expectation::Destroyed => false,
            };
            if !shown {
                continue;
            }
            let worth = worth(block, case);
            let best = &mut self.0[case.chain];
            if best.len() == OF_EACH && best.last().is_some_and(|least| worth <= least.0) {
                continue;
            }
            if let Some(pair) = pair(run, block, case) {
                let at = best.partition_point(|known| known.0 >= worth);
                best.insert(at, (worth, pair));
                best.truncate(OF_EACH);
            }
        }
    }

    /// The best of each part first, then the second of each, until there are enough; no text is shown twice.
    pub fn finish(self, _: &Measured) -> Vec<TellingExample> {
        let mut shown: Vec<TellingExample> = Vec::new();
        let mut rest: Vec<_> = self.0.into_iter().map(Vec::into_iter).collect();
        while shown.len() < SHOWN {
            let mut round: Vec<(f64, TellingExample)> = rest
                .iter_mut()
                .filter_map(|best| best.find(|(_, pair)| !shown.iter().any(|known| known.id == pair.id)))
                .collect();
            if round.is_empty() {
                break;
            }
            round.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (_, pair) in round {
                if shown.len() < SHOWN && !shown.iter().any(|known| known.id == pair.id) {
                    shown.push(pair);
                }
            }
        }
        shown
    }
}

/// How telling a pair is: sure on both sides, few bytes changed, short enough to be read.
fn worth(block: &Block, case: &CaseRecord) -> f64 {
    let sure = |said: &Option<crate::Response>| said.as_ref().and_then(crate::Response::confidence).unwrap_or(0.5);
    let length: usize = block.sample.texts.iter().map(|(_, text)| text.len()).sum();
    let changed: usize = case.edits.iter().map(|(_, start, end, new)| (end - start).max(new.len())).sum();
    let small = 1.0 - (changed as f64 / (length.max(1)) as f64).min(1.0);
    let readable = SHORT / (SHORT + length as f64);
    sure(&block.sample.said).min(sure(&case.said)) * small * (0.5 + readable)
}

fn pair(run: &Measured, block: &Block, case: &CaseRecord) -> Option<TellingExample> {
    let sample = &block.sample;
    let (before, after) = (sample.said.as_ref()?, case.said.as_ref()?);
    let (field, ..) = case.edits.first()?;
    let (name, text) = sample.texts.get(*field)?;
    let trail = case.trail(sample);
    let edits_of = |name: &str| -> Vec<_> { trail.iter().filter(|edit| *edit.field == *name).cloned().collect() };
    let others = sample.texts.iter().filter(|(other, _)| other != name);
    let edits = edits_of(name);
    Some(TellingExample {
        part: run.header.plan.chains[case.chain].name.clone(),
        id: sample.id.clone(),
        field: name.clone(),
        before: text.clone(),
        after: changed(text, &edits),
        edits,
        others: others.map(|(name, text)| (name.clone(), text.clone(), changed(text, &edits_of(name)))).collect(),
        gold: sample.gold.clone(),
        gold_after: case.gold.clone(),
        answer_before: before.shown(),
        answer_after: after.shown(),
        confidence_before: before.confidence(),
        confidence_after: after.confidence(),
    })
}

/// The text after the edits, which stand in order.
fn changed(text: &str, edits: &[fissure_core::TrailEdit]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        new.push_str(text.get(done..edit.start).unwrap_or(""));
        new.push_str(&edit.new);
        done = edit.end;
    }
    new.push_str(text.get(done..).unwrap_or(""));
    new
}
