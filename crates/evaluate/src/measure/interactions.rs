//! Do parts in a chain do more together than each by itself?

use fissure_statistics::{RESAMPLES, Statistic, counted_bootstrap};

use super::Measured;
use super::scores::Rows;
use crate::Interaction;
use crate::plan::single;
use crate::run::Block;

/// The chains whose parts are all run by themselves too.
#[derive(Debug)]
pub struct Interactions(Vec<Joint>);

#[derive(Debug)]
struct Joint {
    /// The chain, and its parts by themselves.
    chains: Vec<usize>,
    /// Before, under the chain, under each part: of the samples that all of them changed.
    rows: Rows,
}

impl Interactions {
    pub fn new(run: &Measured) -> Self {
        let chains = &run.header.plan.chains;
        let joint = |(at, chain): (usize, &crate::plan::PlannedChain)| {
            let parts: Option<Vec<usize>> = chain.parts.iter().map(|part| single(chains, part)).collect();
            let parts = parts.filter(|_| chain.parts.len() > 1)?;
            Some(Joint { chains: std::iter::once(at).chain(parts).collect(), rows: Rows::default() })
        };
        Self(chains.iter().enumerate().filter_map(joint).collect())
    }

    pub fn add(&mut self, block: &Block) {
        let Some(before) = block.before() else { return };
        for joint in &mut self.0 {
            let after = |chain: &usize| {
                let mut cases = block.cases.iter().filter(|case| case.chain == *chain);
                cases.find_map(|case| case.tally.as_deref())
            };
            if let Some(after) = joint.chains.iter().map(after).collect::<Option<Vec<_>>>() {
                let row: Vec<&[f64]> = std::iter::once(before).chain(after).collect();
                joint.rows.add(&row);
            }
        }
    }

    pub fn finish(self, run: &Measured) -> Vec<Interaction> {
        self.0.into_iter().filter_map(|joint| joint.finish(run)).collect()
    }
}

impl Joint {
    fn finish(self, run: &Measured) -> Option<Interaction> {
        let name = run.header.plan.chains[self.chains[0]].name.clone();
        let drop_of_all = |values: &[f64]| values[0] - values[1];
        let drops_of_each = |values: &[f64]| values[2..].iter().map(|value| values[0] - value).sum::<f64>();
        let excess = |values: &[f64]| drop_of_all(values) - drops_of_each(values);
        let asked: [Statistic<'_>; 3] = [&drop_of_all, &drops_of_each, &excess];
        let value = |sum: &[f64]| run.metric().value(sum);
        let mut dice = run.dice(&format!("interaction {name}"));
        let found = counted_bootstrap(&self.rows.counted(), value, &asked, RESAMPLES, &mut dice)?;
        Some(Interaction { name, samples: self.rows.len(), joint: found[0], sum: found[1], excess: found[2] })
    }
}
