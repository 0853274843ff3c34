//! What each part does to the model, on the samples that it changed and on no others.

use std::collections::BTreeMap;

use fissure_core::{Amount, Chain, Expectation, Yield};
use fissure_probes::TRANSFORMS;
use fissure_statistics::{
    ClusteredPairs, ClusteredShare, Estimate, Moments, RESAMPLES, Statistic, counted_bootstrap, holm, mcnemar,
};

use super::Measured;
use super::precise::Precise;
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
    /// Answers to changed forms that differ from the answer to the original; the variants of a sample are a cluster.
    turned: ClusteredShare,
    broken: usize,
    fixed: usize,
    /// The same, of the first variant of each sample only: the pairs of a test must not depend on each other.
    paired: (usize, usize),
    /// Answers that are right before and after, and that were broken and fixed, cluster by cluster.
    right: (ClusteredShare, ClusteredShare),
    pairs: ClusteredPairs,
    /// Of each sample, the mean over its variants.
    confidence: (Moments, Moments),
    yielded: Yield,
    /// What the part asks for, if it has an amount.
    amount: Option<Amount>,
    /// In a run that asks about some texts only.
    precise: Precise,
    is_precise: bool,
}

impl Parts {
    pub fn new(run: &Measured) -> Self {
        let chains = run.header.plan.chains.iter().enumerate();
        let measured = chains.filter(|(_, chain)| chain.expectation != Expectation::Destroyed);
        let amount = |chain: &PlannedChain| {
            Chain::build(&TRANSFORMS, &chain.parts.join("+"), &chain.settings).ok().and_then(|chain| chain.amount())
        };
        let part = |(chain, planned)| Part { chain, amount: amount(planned), ..Part::default() };
        Self(measured.map(part).collect())
    }

    pub fn add(&mut self, run: &Measured, block: &Block) {
        for part in &mut self.0 {
            let chain = part.chain;
            let cases = || block.cases.iter().filter(move |case| case.chain == chain);
            cases().for_each(|case| count(&mut part.counts, &mut part.skips, case));
            let all: Vec<&CaseRecord> = cases().collect();
            if !all.is_empty() {
                let texts = block.sample.texts.iter().filter(|(name, _)| run.header.config.data.may_edit(name));
                part.yielded.add_texts(texts.map(|(_, text)| text.as_str()), part.amount, all.len());
            }
            for (number, case) in all.iter().filter(|case| case.status == Status::Changed).enumerate() {
                let trail = case.trail(&block.sample);
                let edits = trail.iter().map(|edit| (edit.old.as_str(), edit.new.as_str()));
                part.yielded.add_changed(edits, number == 0);
            }
            if part.precise.add(run, block, &all) {
                part.is_precise = true;
                continue;
            }
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
        let (mut turned, mut answers, mut scored) = (0, 0, 0);
        let (mut all_broken, mut all_fixed, mut were_right) = (0, 0, 0);
        let mut sure = Vec::new();
        for case in cases {
            let Some(said) = &case.said else { continue };
            turned += usize::from(!said.agrees(original));
            answers += 1;
            sure.extend(said.confidence());
            let (Some(before), Some(after)) = (block.before_case(case), case.tally.as_deref()) else { continue };
            let (was, is) = (run.metric().right(before), run.metric().right(after));
            let (broken, fixed) = (usize::from(was && !is), usize::from(!was && is));
            if scored == 0 {
                self.paired.0 += broken;
                self.paired.1 += fixed;
            }
            scored += 1;
            all_broken += broken;
            all_fixed += fixed;
            were_right += usize::from(was);
            both = Some(match both {
                None => (before.to_vec(), after.to_vec()),
                Some((b, a)) => (sum(&b, before), sum(&a, after)),
            });
        }
        self.turned.add(turned, answers);
        if let (Some(before), Some(after)) = (original.confidence(), average(&sure)) {
            self.confidence.0.add(before);
            self.confidence.1.add(after);
        }
        if let Some((before, after)) = both {
            self.rows.add(&[&before, &after]);
            self.broken += all_broken;
            self.fixed += all_fixed;
            self.pairs.add(all_broken, all_fixed, scored);
            self.right.0.add(were_right, scored);
            self.right.1.add(were_right - all_broken + all_fixed, scored);
        }
    }

    /// The score before and after, and the drop. Answers that are right or wrong as a whole have intervals in closed form;
    /// other metrics are resampled.
    fn scores(&self, run: &Measured, name: &str) -> [Option<Estimate>; 3] {
        if run.metric().counts_samples() {
            return [self.right.0.estimate(), self.right.1.estimate(), self.pairs.estimate()];
        }
        let mut dice = run.dice(name);
        let value = |sum: &[f64]| run.metric().value(sum);
        let drop: [Statistic<'_>; 1] = [&|values| values[0] - values[1]];
        let drop = counted_bootstrap(&self.rows.counted(), value, &drop, RESAMPLES, &mut dice);
        let before = score(run.metric(), &self.rows.column(0), &mut dice);
        let after = score(run.metric(), &self.rows.column(1), &mut dice);
        [before, after, drop.and_then(|found| Some(found.first()?.within(-1.0, 1.0)))]
    }

    fn finish(self, run: &Measured) -> PartFinding {
        let planned: &PlannedChain = &run.header.plan.chains[self.chain];
        let evidence = if self.is_precise {
            self.precise.evidence()
        } else {
            self.turned.estimate().map(|changed_answers| {
                let [before, after, drop] = self.scores(run, &planned.name);
                let scored = self.rows.len();
                Evidence {
                    samples: if scored > 0 { scored } else { self.turned.clusters() },
                    before,
                    after,
                    drop,
                    p: (scored > 0).then(|| mcnemar(self.paired.0, self.paired.1)),
                    p_holm: None,
                    broken: self.broken,
                    fixed: self.fixed,
                    changed_answers,
                    confidence: {
                        let [before, after] = [self.confidence.0, self.confidence.1]
                            .map(|moments| moments.mean().map(|mean| mean.within(0.0, 1.0)));
                        before.zip(after)
                    },
                }
            })
        };
        PartFinding {
            forecast: if self.is_precise { self.precise.forecast(run) } else { None },
            name: planned.name.clone(),
            settings: planned.settings.clone(),
            summary: planned.summary.clone(),
            family: planned.family,
            expectation: planned.expectation,
            human: planned.human,
            counts: self.counts,
            skips: self.skips,
            evidence,
            yielded: self.yielded.summary(),
        }
    }
}

/// The mean of values; `None` of none.
pub fn average(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Counts what happened to a case.
pub fn count(counts: &mut Counts, skips: &mut BTreeMap<String, usize>, case: &CaseRecord) {
    match case.status {
        Status::Changed => counts.changed += 1,
        Status::Unchanged => counts.unchanged += 1,
        Status::Skipped => counts.skipped += 1,
        Status::Filtered => counts.filtered += 1,
    }
    counts.unanswered += usize::from(case.failed.is_some());
    let unanswered = case.failed.as_ref().map(|reason| format!("the model gave no answer: {reason}"));
    if let Some(reason) = case.reason.clone().or(unanswered) {
        let known = skips.len() < MOST_REASONS || skips.contains_key(&reason);
        *skips.entry(if known { reason } else { "other reasons".into() }).or_default() += 1;
    }
}
