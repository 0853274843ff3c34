//! Do parts in a chain do more together than each by itself?

use fissure_statistics::{RESAMPLES, Statistic, counted_bootstrap};

use super::Measured;
use super::scores::Rows;
use crate::Interaction;
use crate::plan::{PlannedChain, single};
use crate::run::Block;

/// The chains whose parts are all run by themselves too, with what was seen of them.
#[derive(Debug)]
pub struct Interactions(Vec<(Joint, Rows)>);

/// A chain, and then each of its parts by itself: their numbers in the plan.
#[derive(Debug)]
pub struct Joint(pub Vec<usize>);

impl Joint {
    /// All that a plan has.
    pub fn all(chains: &[PlannedChain]) -> Vec<Self> {
        let joint = |(at, chain): (usize, &PlannedChain)| {
            let parts: Option<Vec<usize>> = chain.parts.iter().map(|part| single(chains, part)).collect();
            let parts = parts.filter(|_| chain.parts.len() > 1)?;
            Some(Self(std::iter::once(at).chain(parts).collect()))
        };
        chains.iter().enumerate().filter_map(joint).collect()
    }

    /// What a sample adds before, under the chain, and under each part, as the mean of its variants; `None` if one of them did not
    /// change it.
    pub fn row(&self, block: &Block) -> Option<Vec<Vec<f64>>> {
        let after = |chain: &usize| {
            let cases = block.cases.iter().filter(|case| case.chain == *chain);
            mean(&cases.filter_map(|case| case.tally.as_deref()).collect::<Vec<_>>())
        };
        std::iter::once(Some(block.before()?.to_vec())).chain(self.0.iter().map(after)).collect()
    }
}

/// The mean of tallies, number by number; `None` if there are none.
fn mean(tallies: &[&[f64]]) -> Option<Vec<f64>> {
    let (first, others) = tallies.split_first()?;
    let sum_at = |at: usize| others.iter().filter_map(|tally| tally.get(at)).fold(first[at], |sum, next| sum + next);
    Some((0..first.len()).map(|at| sum_at(at) / tallies.len() as f64).collect())
}

/// The drop under the chain, of the scores in the order of [`Joint::row`].
fn drop_of_all(scores: &[f64]) -> f64 {
    scores[0] - scores[1]
}

/// The sum of the drops under each part.
fn drops_of_each(scores: &[f64]) -> f64 {
    scores[2..].iter().map(|score| scores[0] - score).sum()
}

/// How much more the parts do together.
pub fn excess(scores: &[f64]) -> f64 {
    drop_of_all(scores) - drops_of_each(scores)
}

impl Interactions {
    pub fn new(run: &Measured) -> Self {
        Self(Joint::all(&run.header.plan.chains).into_iter().map(|joint| (joint, Rows::default())).collect())
    }

    pub fn add(&mut self, block: &Block) {
        for (joint, rows) in &mut self.0 {
            if let Some(row) = joint.row(block) {
                rows.add(&row.iter().map(Vec::as_slice).collect::<Vec<_>>());
            }
        }
    }

    pub fn finish(self, run: &Measured) -> Vec<Interaction> {
        self.0.iter().filter_map(|(joint, rows)| finish(run, joint, rows)).collect()
    }
}

fn finish(run: &Measured, Joint(chains): &Joint, rows: &Rows) -> Option<Interaction> {
    let name = run.header.plan.chains[chains[0]].name.clone();
    let asked: [Statistic<'_>; 3] = [&drop_of_all, &drops_of_each, &excess];
    let value = |sum: &[f64]| run.metric().value(sum);
    let mut dice = run.dice(&format!("interaction {name}"));
    let found = counted_bootstrap(&rows.counted(), value, &asked, RESAMPLES, &mut dice)?;
    Some(Interaction { name, samples: rows.len(), joint: found[0], sum: found[1], excess: found[2] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_of_a_sample_count_by_their_mean() {
        assert_eq!(mean(&[&[1.0, 1.0], &[0.0, 1.0], &[0.0, 1.0]]), Some(vec![1.0 / 3.0, 1.0]));
        assert_eq!(mean(&[&[1.0, 1.0]]), Some(vec![1.0, 1.0]));
        assert_eq!(mean(&[]), None);
    }
}
