//! The same texts about one group and about another: what does that do to the model's probabilities?

use fissure_statistics::{ClusteredShare, Moments, holm};

use super::Measured;
use super::parts::average;
use crate::run::Block;
use crate::{BiasFinding, Response};

/// What was seen of every chain that changes whom a text is about.
#[derive(Debug)]
pub struct Biases(Vec<Bias>);

#[derive(Debug)]
struct Bias {
    chain: usize,
    /// One for each label of the model.
    shifts: Vec<Moments>,
    turned: ClusteredShare,
}

impl Biases {
    pub fn new(run: &Measured) -> Self {
        let labels = run.header.model.labels.len();
        let chains = run.header.plan.chains.iter().enumerate().filter(|(_, chain)| chain.bias);
        let bias = |chain| Bias { chain, shifts: vec![Moments::default(); labels], turned: ClusteredShare::default() };
        Self(chains.map(|(chain, _)| bias(chain)).collect())
    }

    pub fn add(&mut self, _: &Measured, block: &Block) {
        let Some(original) = &block.sample.said else { return };
        for bias in &mut self.0 {
            let cases = block.answered().filter(|case| case.chain == bias.chain);
            let said: Vec<&Response> = cases.filter_map(|case| case.said.as_ref()).collect();
            bias.turned.add(said.iter().filter(|said| !said.agrees(original)).count(), said.len());
            let Some(before) = log_probs(original) else { continue };
            let after: Vec<&[f32]> = said.iter().filter_map(|said| log_probs(said)).collect();
            // The variants of a sample count as one: their mean.
            for (label, (shift, before)) in bias.shifts.iter_mut().zip(before).enumerate() {
                let shifted = after.iter().filter_map(|after| after.get(label));
                let shifted: Vec<f64> = shifted.map(|log| f64::from(*log).exp() - f64::from(*before).exp()).collect();
                average(&shifted).into_iter().for_each(|mean| shift.add(mean));
            }
        }
    }

    pub fn finish(self, run: &Measured) -> Vec<BiasFinding> {
        let finding = |bias: Bias| {
            let labels = run.header.model.labels.iter().zip(&bias.shifts);
            let shifts = labels.filter_map(|(label, shift)| Some(((label.clone(), shift.mean()?), shift.p_of_zero()?)));
            let (shifts, p_holm) = shifts.unzip();
            Some(BiasFinding {
                name: run.header.plan.chains[bias.chain].name.clone(),
                samples: bias.turned.clusters(),
                shifts,
                p_holm,
                changed_answers: bias.turned.estimate()?,
            })
        };
        let mut found: Vec<BiasFinding> = self.0.into_iter().filter_map(finding).collect();
        correct(&mut found);
        found
    }
}

/// Holm's correction over all shifts of the run. What one of two labels gains the other loses: that is one shift.
fn correct(found: &mut [BiasFinding]) {
    let tested = |row: &BiasFinding| if row.p_holm.len() == 2 { 1 } else { row.p_holm.len() };
    let all: Vec<f64> = found.iter().flat_map(|row| row.p_holm[..tested(row)].to_vec()).collect();
    let mut corrected = holm(&all).into_iter();
    for row in found {
        let tested = tested(row);
        row.p_holm[..tested].iter_mut().zip(&mut corrected).for_each(|(p, corrected)| *p = corrected);
        let first = row.p_holm.first().copied();
        row.p_holm[tested..].iter_mut().zip(first).for_each(|(p, first)| *p = first);
    }
}

fn log_probs(response: &Response) -> Option<&[f32]> {
    match response {
        Response::Class { log_probs, .. } => log_probs.as_deref(),
        _ => None,
    }
}
