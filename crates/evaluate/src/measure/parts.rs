//! What each part does to the model, on the samples that it changed and on no others.

use std::collections::BTreeMap;

use fissure_core::Expectation;
use fissure_statistics::{Moments, RESAMPLES, Statistic, counted_bootstrap, holm, mcnemar, proportion};

use super::Measured;
use super::scores::{Rows, score, sum};
use crate::metrics::Tally;
use crate::plan::PlannedChain;
use crate::run::{Block, CaseRecord, Status};
use crate::{Counts, Evidence, PartFinding};

/// Different reasons that are counted by themselves; some name the text they are about.
pub const MOST_REASONS: usize = 100;

/// What was seen of every chain that does not destroy.
#[derive(Debug)]
pub struct Parts(Vec<Part>);

#[derive(Debug, Default)]
struct Part {
    chain: usize,
    counts: Counts,
    skips: BTreeMap<String, usize>,
    /// (before, after) of each changed sample, summed over its variants.
    rows: Rows,
    /// Of answers to changed forms: how many differ from the answer to the original, of how many.
    turned: (usize, usize),
    broken: usize,
    mended: usize,
    /// The same, of the first variant of each sample only: the pairs of a test must not depend on each other.
    paired: (usize, usize),
    confidence: (Moments, Moments),
}

impl Parts {
    pub fn new(run: &Measured) -> Self {
        let chains = run.header.plan.chains.iter().enumerate();
        let measured = chains.filter(|(_, chain)| chain.expectation != Expectation::Destroyed);
        Self(measured.map(|(chain, _)| Part { chain, ..Part::default() }).collect())
    }

    pub fn add(&mut self, run: &Measured, block: &Block) {
        for part in &mut self.0 {
            let chain = part.chain;
            let cases = || block.cases.iter().filter(move |case| case.chain == chain);
            cases().for_each(|case| count(&mut part.counts, &mut part.skips, case));
            part.add(run, block, cases());
        }
    }

    pub fn finish(self, run: &Measured) -> Vec<PartFinding> {
        let mut found: Vec<PartFinding> = self.0.into_iter().map(|part| part.finish(run)).collect();
        let evidence = |part: &PartFinding| part.evidence.as_ref().and_then(|evidence| evidence.p);
        let tested: Vec<f64> = found.iter().filter_map(evidence).collect();
        let mut corrected = holm(&tested).into_iter();
        for evidence in found.iter_mut().filter_map(|part| part.evidence.as_mut()) {
            evidence.p_holm = evidence.p.and_then(|_| corrected.next());
        }
        found
    }
}

impl Part {
    fn add<'a>(&mut self, run: &Measured, block: &Block, cases: impl Iterator<Item = &'a CaseRecord>) {
        let Some(original) = &block.sample.said else { return };
        let mut both: Option<(Tally, Tally)> = None;
        let mut first = true;
        for case in cases {
            let Some(said) = &case.said else { continue };
            self.turned.0 += usize::from(!said.agrees(original));
            self.turned.1 += 1;
            if let (Some(before), Some(after)) = (original.confidence(), said.confidence()) {
                self.confidence.0.add(before);
                self.confidence.1.add(after);
            }
            let (Some(before), Some(after)) = (block.before(), case.tally.as_deref()) else { continue };
            let (was, is) = (run.metric().right(before), run.metric().right(after));
            let (broken, mended) = (usize::from(was && !is), usize::from(!was && is));
            self.broken += broken;
            self.mended += mended;
            if std::mem::take(&mut first) {
                self.paired.0 += broken;
                self.paired.1 += mended;
            }
            both = Some(match both {
                None => (before.to_vec(), after.to_vec()),
                Some((b, a)) => (sum(&b, before), sum(&a, after)),
            });
        }
        if let Some((before, after)) = both {
            self.rows.add(&[&before, &after]);
        }
    }

    fn finish(self, run: &Measured) -> PartFinding {
        let planned: &PlannedChain = &run.header.plan.chains[self.chain];
        let evidence = proportion(self.turned.0, self.turned.1).map(|changed_answers| {
            let mut dice = run.dice(&planned.name);
            let (before, after) = (self.rows.column(0), self.rows.column(1));
            let value = |sum: &[f64]| run.metric().value(sum);
            let drop: [Statistic<'_>; 1] = [&|values| values[0] - values[1]];
            let drop = counted_bootstrap(&self.rows.counted(), value, &drop, RESAMPLES, &mut dice);
            let scored = self.rows.len();
            Evidence {
                samples: if scored > 0 { scored } else { self.counts.changed.min(self.turned.1) },
                before: score(run.metric(), &before, &mut dice),
                after: score(run.metric(), &after, &mut dice),
                drop: drop.and_then(|found| Some(found.first()?.within(-1.0, 1.0))),
                p: (scored > 0).then(|| mcnemar(self.paired.0, self.paired.1)),
                p_holm: None,
                broken: self.broken,
                mended: self.mended,
                changed_answers,
                confidence: self.confidence.0.mean().zip(self.confidence.1.mean()),
            }
        });
        PartFinding {
            name: planned.name.clone(),
            summary: planned.summary.clone(),
            family: planned.family,
            expectation: planned.expectation,
            human: planned.human,
            counts: self.counts,
            skips: self.skips,
            evidence,
        }
    }
}

/// Counts what became of a case.
pub fn count(counts: &mut Counts, skips: &mut BTreeMap<String, usize>, case: &CaseRecord) {
    match case.status {
        Status::Changed => counts.changed += 1,
        Status::Unchanged => counts.unchanged += 1,
        Status::Skipped => counts.skipped += 1,
        Status::Filtered => counts.filtered += 1,
    }
    let unanswered = case.failed.as_ref().map(|reason| format!("the model gave no answer: {reason}"));
    if let Some(reason) = case.reason.clone().or(unanswered) {
        let known = skips.len() < MOST_REASONS || skips.contains_key(&reason);
        *skips.entry(if known { reason } else { "other reasons".into() }).or_default() += 1;
    }
}
