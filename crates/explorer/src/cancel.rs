//! Cancellation: a model that checks, between any two of its passes, whether the result is still wanted.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fissure_models::{
    Answer, Bag, Capabilities, Embedded, Error, Input, Model, PullBack, Recurrent, Result, WeightsFn, WhiteBox, Windows,
};

use crate::scoring::Progress;

/// Points that go through a model between two checks. (The size of a batch never changes an answer.)
const POINTS: usize = 16;

/// Decides whether work continues.
pub trait Cancel: Debug + Send + Sync {
    /// `false` if the work is to stop. May wait while another request is served.
    fn is_wanted(&self) -> bool;

    /// Hears of gradients that were worked out.
    fn pulled(&self, _points: usize) {}
}

/// A request that a person waits for. While it lives, the background work steps aside.
#[derive(Debug)]
pub struct Visit<'a> {
    progress: &'a Progress,
    gone: Arc<AtomicBool>,
}

impl<'a> Visit<'a> {
    pub fn new(progress: &'a Progress, gone: Arc<AtomicBool>) -> Self {
        progress.enter_visitor();
        Self { progress, gone }
    }
}

impl Cancel for Visit<'_> {
    fn is_wanted(&self) -> bool {
        !self.gone.load(Ordering::Acquire)
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        self.progress.leave_visitor();
    }
}

/// Cancels when it is dropped: a browser closes a request when the user types on.
#[derive(Debug)]
pub struct CancelOnDrop(pub Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// A model that can be cancelled: it answers as the model inside, or with [`Error::Stopped`].
#[derive(Debug, Clone, Copy)]
pub struct CancellableWhiteBox<'a> {
    pub inside: &'a dyn WhiteBox,
    pub by: &'a dyn Cancel,
}

impl CancellableWhiteBox<'_> {
    fn ask<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.by.is_wanted() { work() } else { Err(Error::Stopped) }
    }
}

impl Model for CancellableWhiteBox<'_> {
    fn capabilities(&self) -> &Capabilities {
        self.inside.capabilities()
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        let mut answers = Vec::with_capacity(inputs.len());
        for inputs in inputs.chunks(POINTS) {
            answers.extend(self.ask(|| self.inside.answer(inputs))?);
        }
        Ok(answers)
    }

    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        Some(self)
    }
}

impl WhiteBox for CancellableWhiteBox<'_> {
    fn embed(&self, inputs: &[Input<'_>]) -> Result<Vec<Embedded>> {
        self.ask(|| self.inside.embed(inputs))
    }

    fn logits_at(&self, points: &[Embedded]) -> Result<Vec<Vec<f32>>> {
        let mut logits = Vec::with_capacity(points.len());
        for points in points.chunks(POINTS) {
            logits.extend(self.ask(|| self.inside.logits_at(points))?);
        }
        Ok(logits)
    }

    fn pull_back(&self, points: &[Embedded], ask: &WeightsFn<'_>) -> Result<Vec<PullBack>> {
        let mut pulled = Vec::with_capacity(points.len());
        for (batch, points) in points.chunks(POINTS).enumerate() {
            let of_batch = |at: usize, logits: &[f32]| ask(batch * POINTS + at, logits);
            pulled.extend(self.ask(|| self.inside.pull_back(points, &of_batch))?);
            self.by.pulled(points.len());
        }
        Ok(pulled)
    }

    fn words(&self) -> Vec<String> {
        self.inside.words()
    }

    fn bag(&self) -> Option<Bag<'_>> {
        self.inside.bag()
    }

    fn windows(&self) -> Option<Windows<'_>> {
        self.inside.windows()
    }

    fn recurrent(&self) -> Option<Recurrent<'_>> {
        self.inside.recurrent()
    }

    fn readings(&self, inputs: &[Input<'_>]) -> Result<Vec<Vec<u32>>> {
        self.ask(|| self.inside.readings(inputs))
    }

    fn pad_embedding(&self) -> Option<&[f32]> {
        self.inside.pad_embedding()
    }
}

/// The same for a model without gradients.
#[derive(Debug, Clone, Copy)]
pub struct CancellableModel<'a> {
    pub model: &'a dyn Model,
    pub by: &'a dyn Cancel,
}

impl Model for CancellableModel<'_> {
    fn capabilities(&self) -> &Capabilities {
        self.model.capabilities()
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        if self.by.is_wanted() { self.model.answer(inputs) } else { Err(Error::Stopped) }
    }

    fn try_answer(&self, inputs: &[Input<'_>]) -> Result<Vec<std::result::Result<Answer, String>>> {
        if self.by.is_wanted() { self.model.try_answer(inputs) } else { Err(Error::Stopped) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use fissure_models::train::{Architecture, Example, TrainOptions, train};

    use super::*;

    /// Lets this many passes through.
    #[derive(Debug)]
    struct Patience(AtomicUsize);

    impl Cancel for Patience {
        fn is_wanted(&self) -> bool {
            self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1)).is_ok()
        }
    }

    #[test]
    fn a_watched_model_says_the_same_and_can_be_stopped() {
        let lessons: Vec<Example> = (0..40)
            .map(|at| Example {
                text: format!("word{at} {}", ["good", "bad"][at % 2]),
                pair: None,
                label: at % 2,
                source: None,
            })
            .collect();
        let mut options = TrainOptions::new(Architecture::Cnn);
        (options.epochs, options.fewest_occurrences) = (1, 1);
        let model = train(&lessons, &["a".into(), "b".into()], &options, &mut |_| ()).unwrap().model;
        let inside = model.as_white_box().unwrap();
        let inputs: Vec<Input<'_>> = lessons.iter().map(|lesson| Input { text: &lesson.text, pair: None }).collect();
        let points = inside.embed(&inputs).unwrap();
        // Each point asks for itself: its number must be that of the whole, not of the batch.
        let ask = |at: usize, _: &[f32]| vec![vec![at as f32, 1.0]];

        let patient = Patience(AtomicUsize::new(usize::MAX));
        let watched = CancellableWhiteBox { inside, by: &patient };
        assert_eq!(watched.pull_back(&points, &ask).unwrap(), inside.pull_back(&points, &ask).unwrap());
        assert_eq!(watched.logits_at(&points).unwrap(), inside.logits_at(&points).unwrap());

        let hasty = Patience(AtomicUsize::new(2));
        let stopped = CancellableWhiteBox { inside, by: &hasty }.pull_back(&points, &ask);
        assert!(matches!(stopped, Err(Error::Stopped)), "40 points are three batches: {stopped:?}");
    }
}
