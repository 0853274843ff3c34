//! Work that can be stopped midway: a model that asks, between any two of its passes, whether anybody still wants to know.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fissure_models::{Answer, Ask, Embedded, Error, Input, Model, Offers, PullBack, Result, WhiteBox};

use crate::scoring::Progress;

/// So many points go through a model between two questions. (The size of a batch never changes an answer.)
const POINTS: usize = 16;

/// Somebody who says whether work is to go on.
pub trait Watch: Debug + Send + Sync {
    /// `false` where the work is to stop. May wait, where somebody else comes first.
    fn goes_on(&self) -> bool;

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

impl Watch for Visit<'_> {
    fn goes_on(&self) -> bool {
        !self.gone.load(Ordering::Acquire)
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        self.progress.leave_visitor();
    }
}

/// Tells, when it is dropped, that the person has gone: a browser that types on hangs up on what it asked before.
#[derive(Debug)]
pub struct Gone(pub Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// A model under watch: it answers as the model inside, or with [`Error::Stopped`].
#[derive(Debug, Clone, Copy)]
pub struct Watched<'a> {
    pub inside: &'a dyn WhiteBox,
    pub by: &'a dyn Watch,
}

impl Watched<'_> {
    fn ask<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.by.goes_on() { work() } else { Err(Error::Stopped) }
    }
}

impl Model for Watched<'_> {
    fn offers(&self) -> &Offers {
        self.inside.offers()
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

impl WhiteBox for Watched<'_> {
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

    fn pull_back(&self, points: &[Embedded], ask: &Ask<'_>) -> Result<Vec<PullBack>> {
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

    fn blank(&self) -> Option<&[f32]> {
        self.inside.blank()
    }
}

/// The same for a model without gradients.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub model: &'a dyn Model,
    pub by: &'a dyn Watch,
}

impl Model for Asked<'_> {
    fn offers(&self) -> &Offers {
        self.model.offers()
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        if self.by.goes_on() { self.model.answer(inputs) } else { Err(Error::Stopped) }
    }

    fn try_answer(&self, inputs: &[Input<'_>]) -> Result<Vec<std::result::Result<Answer, String>>> {
        if self.by.goes_on() { self.model.try_answer(inputs) } else { Err(Error::Stopped) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use fissure_models::train::{Architecture, Example, TrainOptions, train};

    use super::*;

    /// Lets so many passes through.
    #[derive(Debug)]
    struct Patience(AtomicUsize);

    impl Watch for Patience {
        fn goes_on(&self) -> bool {
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
        let watched = Watched { inside, by: &patient };
        assert_eq!(watched.pull_back(&points, &ask).unwrap(), inside.pull_back(&points, &ask).unwrap());
        assert_eq!(watched.logits_at(&points).unwrap(), inside.logits_at(&points).unwrap());

        let hasty = Patience(AtomicUsize::new(2));
        let stopped = Watched { inside, by: &hasty }.pull_back(&points, &ask);
        assert!(matches!(stopped, Err(Error::Stopped)), "40 points are three batches: {stopped:?}");
    }
}
