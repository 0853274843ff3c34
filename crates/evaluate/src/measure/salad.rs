//! Does the model notice that a text no longer means anything?

use std::collections::BTreeMap;

use fissure_core::Expectation;
use fissure_statistics::{ClusteredShare, Moments};

use super::Measured;
use super::parts::{average, count};
use crate::run::Block;
use crate::{Counts, NotRun, PlannedChain, Response, SaladRow};

/// What was seen of every destroyer.
#[derive(Debug)]
pub struct Salad(Vec<(usize, SaladTally)>);

/// Counts of one destroyer's answers.
#[derive(Debug, Default)]
pub struct SaladTally {
    pub counts: Counts,
    name: String,
    summary: String,
    default_label: Option<String>,
    importance: Option<String>,
    /// The variants of a sample are a cluster.
    agreed: ClusteredShare,
    /// By the answer to the original.
    by_class: BTreeMap<String, ClusteredShare>,
    /// Of each sample, the mean over its variants.
    confidence: Moments,
    entropy: Moments,
}

impl SaladTally {
    /// `default_label` is what copying destroyers are measured against, and `importance` how words were weighed.
    pub fn new(name: &str, summary: &str, default_label: Option<String>, importance: Option<String>) -> Self {
        Self { name: name.into(), summary: summary.into(), default_label, importance, ..Self::default() }
    }

    /// One destroyed sample: the answer before, and the answers to its destroyed variants.
    pub fn add(&mut self, original: &Response, said: &[&Response]) {
        if said.is_empty() {
            return;
        }
        let agrees = |said: &&&Response| match &self.default_label {
            Some(label) => said.shown() == *label,
            None => said.agrees(original),
        };
        let agreed = said.iter().filter(agrees).count();
        let class = self.by_class.entry(original.shown()).or_default();
        [&mut self.agreed, class].into_iter().for_each(|share| share.add(agreed, said.len()));
        let of = |measure: fn(&Response) -> Option<f64>| {
            average(&said.iter().filter_map(|said| measure(said)).collect::<Vec<_>>())
        };
        of(Response::confidence).into_iter().for_each(|confidence| self.confidence.add(confidence));
        of(Response::entropy).into_iter().for_each(|entropy| self.entropy.add(entropy));
    }

    /// The row, for a model with this many labels; `None` if nothing was destroyed.
    pub fn finish(self, labels: usize) -> Option<SaladRow> {
        // A model that does not name its labels has at least those it was seen to give.
        let labels = labels.max(self.by_class.len()).max(1);
        let shares = |(label, share): (String, ClusteredShare)| Some((label, share.clusters(), share.estimate()?));
        Some(SaladRow {
            agreement: self.agreed.estimate()?,
            name: self.name,
            summary: self.summary,
            counts: self.counts,
            default_label: self.default_label,
            chance: 1.0 / labels as f64,
            confidence: self.confidence.mean().map(|mean| mean.within(0.0, 1.0)),
            entropy: self.entropy.mean().map(|mean| mean.within(0.0, (labels as f64).ln())),
            by_class: self.by_class.into_iter().filter_map(shares).collect(),
            importance: self.importance,
        })
    }
}

impl Salad {
    pub fn new(run: &Measured) -> Self {
        let chains = run.header.plan.chains.iter().enumerate();
        let destroyers = chains.filter(|(_, chain)| chain.expectation == Expectation::Destroyed);
        let tally = |chain: &PlannedChain| {
            SaladTally::new(&chain.name, &chain.summary, chain.default_label.clone(), chain.importance.clone())
        };
        Self(destroyers.map(|(at, chain)| (at, tally(chain))).collect())
    }

    pub fn add(&mut self, block: &Block) {
        for (chain, tally) in &mut self.0 {
            let cases = || block.cases.iter().filter(|case| case.chain == *chain);
            cases().for_each(|case| count(&mut tally.counts, &mut BTreeMap::new(), case));
            let Some(original) = &block.sample.said else { continue };
            tally.add(original, &cases().filter_map(|case| case.said.as_ref()).collect::<Vec<_>>());
        }
    }

    /// The destroyers that were measured, and those that left nothing to measure.
    pub fn finish(self, run: &Measured) -> (Vec<SaladRow>, Vec<NotRun>) {
        let labels = run.header.model.labels.len();
        let (measured, empty): (Vec<_>, Vec<_>) =
            self.0.into_iter().map(|(_, tally)| tally).partition(|tally| tally.agreed.clusters() > 0);
        let missing = |tally: SaladTally| {
            let Counts { changed, unchanged, skipped, filtered, unanswered: _ } = tally.counts;
            let reason = format!(
                "it left nothing to measure: {changed} answers missing, {unchanged} texts unchanged, {skipped} skipped, \
                 {filtered} filtered"
            );
            NotRun { name: tally.name, reason }
        };
        let rows = measured.into_iter().filter_map(|tally| tally.finish(labels)).collect();
        (rows, empty.into_iter().map(missing).collect())
    }
}
