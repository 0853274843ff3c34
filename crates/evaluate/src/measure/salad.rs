//! Does the model notice that a text no longer means anything?

use std::collections::BTreeMap;

use fissure_core::Expectation;
use fissure_statistics::{Moments, proportion};

use super::Measured;
use super::parts::count;
use crate::run::Block;
use crate::{Counts, NotRun, SaladRow};

/// What was seen of every destroyer.
#[derive(Debug)]
pub struct Salad(Vec<Row>);

#[derive(Debug, Default)]
struct Row {
    chain: usize,
    counts: Counts,
    agreed: (usize, usize),
    /// By the answer to the original.
    by_class: BTreeMap<String, (usize, usize)>,
    confidence: Moments,
    entropy: Moments,
}

impl Salad {
    pub fn new(run: &Measured) -> Self {
        let chains = run.header.plan.chains.iter().enumerate();
        let destroyers = chains.filter(|(_, chain)| chain.expectation == Expectation::Destroyed);
        Self(destroyers.map(|(chain, _)| Row { chain, ..Row::default() }).collect())
    }

    pub fn add(&mut self, run: &Measured, block: &Block) {
        for row in &mut self.0 {
            let planned = &run.header.plan.chains[row.chain];
            let chain = row.chain;
            let cases = || block.cases.iter().filter(move |case| case.chain == chain);
            cases().for_each(|case| count(&mut row.counts, &mut BTreeMap::new(), case));
            let Some(original) = &block.sample.said else { continue };
            for said in cases().filter_map(|case| case.said.as_ref()) {
                let agrees = match &planned.default_label {
                    Some(label) => said.shown() == *label,
                    None => said.agrees(original),
                };
                let class = row.by_class.entry(original.shown()).or_default();
                for counted in [&mut row.agreed, class] {
                    counted.0 += usize::from(agrees);
                    counted.1 += 1;
                }
                said.confidence().into_iter().for_each(|confidence| row.confidence.add(confidence));
                said.entropy().into_iter().for_each(|entropy| row.entropy.add(entropy));
            }
        }
    }

    /// The destroyers that were measured, and those that left nothing to measure.
    pub fn finish(self, run: &Measured) -> (Vec<SaladRow>, Vec<NotRun>) {
        let (measured, empty): (Vec<Row>, Vec<Row>) = self.0.into_iter().partition(|row| row.agreed.1 > 0);
        let missing = |row: Row| {
            let Counts { changed, unchanged, skipped, filtered } = row.counts;
            let reason = format!(
                "it left nothing to measure: {changed} answers missing, {unchanged} texts unchanged, {skipped} skipped, \
                 {filtered} filtered"
            );
            NotRun { name: run.header.plan.chains[row.chain].name.clone(), reason }
        };
        let not_run = empty.into_iter().map(missing).collect();
        let finding = |row: Row| {
            let planned = &run.header.plan.chains[row.chain];
            // A model that does not name its labels has at least those it was seen to give.
            let labels = run.header.model.labels.len().max(row.by_class.len()).max(1);
            Some(SaladRow {
                name: planned.name.clone(),
                summary: planned.summary.clone(),
                counts: row.counts,
                agreement: proportion(row.agreed.0, row.agreed.1)?,
                default_label: planned.default_label.clone(),
                chance: 1.0 / labels as f64,
                confidence: row.confidence.mean(),
                entropy: row.entropy.mean(),
                by_class: row
                    .by_class
                    .into_iter()
                    .filter_map(|(label, (agreed, all))| Some((label, all, proportion(agreed, all)?)))
                    .collect(),
                importance: planned.importance.clone(),
            })
        };
        (measured.into_iter().filter_map(finding).collect(), not_run)
    }
}
