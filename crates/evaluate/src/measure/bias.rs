//! The same texts about one group and about another: what does that do to the model's probabilities?

use fissure_statistics::{Moments, proportion};

use super::Measured;
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
    turned: (usize, usize),
}

impl Biases {
    pub fn new(run: &Measured) -> Self {
        let labels = run.header.model.labels.len();
        let chains = run.header.plan.chains.iter().enumerate().filter(|(_, chain)| chain.bias);
        Self(
            chains.map(|(chain, _)| Bias { chain, shifts: vec![Moments::default(); labels], turned: (0, 0) }).collect(),
        )
    }

    pub fn add(&mut self, _: &Measured, block: &Block) {
        let Some(original) = &block.sample.said else { return };
        for bias in &mut self.0 {
            for case in block.answered().filter(|case| case.chain == bias.chain) {
                let Some(said) = &case.said else { continue };
                bias.turned.0 += usize::from(!said.agrees(original));
                bias.turned.1 += 1;
                if let (Some(before), Some(after)) = (log_probs(original), log_probs(said)) {
                    for ((shift, before), after) in bias.shifts.iter_mut().zip(before).zip(after) {
                        shift.add(f64::from(*after).exp() - f64::from(*before).exp());
                    }
                }
            }
        }
    }

    pub fn finish(self, run: &Measured) -> Vec<BiasFinding> {
        let finding = |bias: Bias| {
            let labels = run.header.model.labels.iter().zip(&bias.shifts);
            Some(BiasFinding {
                name: run.header.plan.chains[bias.chain].name.clone(),
                samples: bias.turned.1,
                shifts: labels.filter_map(|(label, shift)| Some((label.clone(), shift.mean()?))).collect(),
                changed_answers: proportion(bias.turned.0, bias.turned.1)?,
            })
        };
        self.0.into_iter().filter_map(finding).collect()
    }
}

fn log_probs(response: &Response) -> Option<&[f32]> {
    match response {
        Response::Class { log_probs, .. } => log_probs.as_deref(),
        _ => None,
    }
}
