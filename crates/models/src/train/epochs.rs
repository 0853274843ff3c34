//! The epochs of training, whatever is trained, and which of them was the best.

use super::random::Random;
use super::start::purpose;
use super::{Measure, Progress, Tally};
use crate::{Error, Result};

/// How often the examples are gone through.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Epochs {
    pub(crate) seed: u64,
    pub(crate) epochs: usize,
    pub(crate) batch: usize,
    pub(crate) patience: usize,
    /// The first epoch, counted from 1, that may be taken for the best.
    pub(crate) best_from: usize,
    /// The learning rate, for an error message.
    pub(crate) rate: f32,
}

/// What is done with a model of type `M`; `K` is what is kept of the best.
pub(crate) struct Course<'a, M, K> {
    /// Moves the model one step down the gradient of the examples of a batch, given by their indices, in an epoch.
    pub(crate) step: &'a mut dyn FnMut(&mut M, &[usize], usize) -> Tally,
    /// Loss and accuracy over the examples held out; `None` if there are none.
    pub(crate) measure: &'a dyn Fn(&M) -> Result<Option<Measure>>,
    pub(crate) keep: &'a dyn Fn(&M) -> K,
    pub(crate) restore: &'a mut dyn FnMut(&mut M, K),
}

/// The end of every epoch, and the best one, counted from 1, with its validation.
pub(crate) type Ended = (Vec<Progress>, usize, Option<Measure>);

impl Epochs {
    /// Runs all epochs over `examples` examples; the model is left with the weights of the best.
    pub(crate) fn run<M, K>(
        &self,
        model: &mut M,
        examples: usize,
        course: &mut Course<'_, M, K>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Ended> {
        let mut epochs: Vec<Progress> = Vec::new();
        let mut chosen: Option<(usize, Measure, K)> = None;
        for epoch in 1..=self.epochs {
            let mut end = self.run_one(model, examples, course, epoch, progress)?;
            if let Some(found) = (course.measure)(model)? {
                if !found.loss.is_finite() {
                    let (batch, loss) = (end.batches, found.loss);
                    return Err(Error::Diverged { epoch, batch, loss, rate: self.rate });
                }
                end.validation = Some(found);
                let ready = epoch >= self.best_from;
                if ready && chosen.as_ref().is_none_or(|(_, best, _)| found.is_better_than(*best)) {
                    chosen = Some((epoch, found, (course.keep)(model)));
                }
            }
            progress(&end);
            epochs.push(end);
            if chosen.as_ref().is_some_and(|(best, ..)| epoch - best >= self.patience.max(1)) {
                break;
            }
        }
        let Some((epoch, found, best)) = chosen else {
            let last = epochs.len();
            return Ok((epochs, last, None));
        };
        (course.restore)(model, best);
        Ok((epochs, epoch, Some(found)))
    }

    fn run_one<M, K>(
        &self,
        model: &mut M,
        examples: usize,
        course: &mut Course<'_, M, K>,
        epoch: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Progress> {
        let mut order: Vec<usize> = (0..examples).collect();
        Random::of(&[self.seed, purpose::ORDER, epoch as u64]).shuffle(&mut order);
        let batches = order.len().div_ceil(self.batch);
        let mut tally = Tally::default();
        let training = tally.measure();
        let mut latest = Progress { epoch, epochs: self.epochs, batch: 0, batches, training, validation: None };
        for (at, members) in order.chunks(self.batch).enumerate() {
            let found = (course.step)(model, members, epoch);
            if !found.loss.is_finite() {
                return Err(Error::Diverged { epoch, batch: at + 1, loss: found.loss, rate: self.rate });
            }
            tally.add(found);
            latest = Progress { batch: at + 1, training: tally.measure(), ..latest };
            progress(&latest);
        }
        Ok(latest)
    }
}
