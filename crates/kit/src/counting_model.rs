//! A model on this machine whose questions are counted as they are answered, so that progress can be shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fissure_core::Sample;
use fissure_evaluate::{ModelAbout, Respondent, Response, Unavailable};
use fissure_models::own::OWN;
use fissure_models::{Answer, Bag, Capabilities, Embedded, Input, Model, PullBack, Result, WeightsFn, WhiteBox};

/// A call to the model takes about this long: longer calls would hide the progress, shorter ones waste time.
const CALL: Duration = Duration::from_secs(1);
/// Questions in the first call, the most in one, and those in every call to a model of the caller's.
const FIRST: usize = 16;
const MOST: usize = 4096;
const FIXED: usize = 256;

/// Counts questions, and cuts long lists of them so that a call takes about a second. Neither changes an answer: each
/// depends on its own question alone. Only a model of the caller's may be otherwise: the last digits of what a network of
/// torch answers depend on what else is in its batch, so the clock must not choose the batch.
#[derive(Debug)]
struct Counter {
    asked: Arc<AtomicU64>,
    size: AtomicUsize,
    is_fixed: bool,
}

impl Counter {
    /// For the model of that name.
    fn new(name: &str, asked: Arc<AtomicU64>) -> Self {
        let is_fixed = name.starts_with(OWN);
        Self { asked, size: AtomicUsize::new(if is_fixed { FIXED } else { FIRST }), is_fixed }
    }

    /// Asks in pieces; `ask` gets the number of its first question as well.
    fn ask<Q, R, E>(
        &self,
        questions: &[Q],
        mut ask: impl FnMut(usize, &[Q]) -> std::result::Result<Vec<R>, E>,
    ) -> std::result::Result<Vec<R>, E> {
        let mut answers = Vec::with_capacity(questions.len());
        while answers.len() < questions.len() {
            let size = self.size.load(Ordering::Relaxed);
            let piece = &questions[answers.len()..][..size.min(questions.len() - answers.len())];
            let started = Instant::now();
            let said = ask(answers.len(), piece)?;
            if said.is_empty() {
                break;
            }
            answers.extend(said);
            self.asked.fetch_add(piece.len() as u64, Ordering::Relaxed);
            if self.is_fixed {
                continue;
            }
            let fitting = piece.len() as f64 * CALL.as_secs_f64() / started.elapsed().as_secs_f64().max(1e-6);
            self.size.store((fitting as usize).clamp(size / 4, size * 4).clamp(1, MOST), Ordering::Relaxed);
        }
        Ok(answers)
    }
}

/// A classifier whose questions are counted.
#[derive(Debug)]
pub struct Counted {
    model: Arc<dyn Model>,
    counter: Counter,
}

impl Counted {
    pub fn new(name: &str, model: Arc<dyn Model>, asked: Arc<AtomicU64>) -> Self {
        Self { model, counter: Counter::new(name, asked) }
    }

    fn inside(&self) -> Result<&dyn WhiteBox> {
        self.model.as_white_box().ok_or_else(|| fissure_models::Error::Remote {
            place: "the model".into(),
            why: "it has no gradients".into(),
        })
    }
}

impl Model for Counted {
    fn capabilities(&self) -> &Capabilities {
        self.model.capabilities()
    }

    fn answer(&self, inputs: &[Input<'_>]) -> Result<Vec<Answer>> {
        self.counter.ask(inputs, |_, piece| self.model.answer(piece))
    }

    fn as_white_box(&self) -> Option<&dyn WhiteBox> {
        self.model.as_white_box().map(|_| self as &dyn WhiteBox)
    }
}

impl WhiteBox for Counted {
    fn embed(&self, inputs: &[Input<'_>]) -> Result<Vec<Embedded>> {
        self.inside()?.embed(inputs)
    }

    fn logits_at(&self, points: &[Embedded]) -> Result<Vec<Vec<f32>>> {
        let inside = self.inside()?;
        self.counter.ask(points, |_, piece| inside.logits_at(piece))
    }

    fn pull_back(&self, points: &[Embedded], ask: &WeightsFn<'_>) -> Result<Vec<PullBack>> {
        let inside = self.inside()?;
        self.counter.ask(points, |first, piece| inside.pull_back(piece, &|at, logits| ask(first + at, logits)))
    }

    fn words(&self) -> Vec<String> {
        self.model.as_white_box().map_or_else(Vec::new, WhiteBox::words)
    }

    fn windows(&self) -> Option<fissure_models::Windows<'_>> {
        self.model.as_white_box()?.windows()
    }

    fn recurrent(&self) -> Option<fissure_models::Recurrent<'_>> {
        self.model.as_white_box()?.recurrent()
    }

    fn stretches(&self) -> Option<fissure_models::Stretches<'_>> {
        self.model.as_white_box()?.stretches()
    }

    fn readings(&self, inputs: &[Input<'_>]) -> Result<Vec<Vec<u32>>> {
        self.inside()?.readings(inputs)
    }

    fn bag(&self) -> Option<Bag<'_>> {
        self.model.as_white_box()?.bag()
    }

    fn pad_embedding(&self) -> Option<&[f32]> {
        self.model.as_white_box()?.pad_embedding()
    }
}

/// A model for any task whose questions are counted.
#[derive(Debug)]
pub struct CountedRespondent {
    model: Box<dyn Respondent>,
    counter: Counter,
}

impl CountedRespondent {
    pub fn new(name: &str, model: Box<dyn Respondent>, asked: Arc<AtomicU64>) -> Self {
        Self { model, counter: Counter::new(name, asked) }
    }
}

impl Respondent for CountedRespondent {
    fn about(&self) -> &ModelAbout {
        self.model.about()
    }

    fn respond(
        &self,
        samples: &[&Sample],
    ) -> std::result::Result<Vec<std::result::Result<Response, String>>, Unavailable> {
        self.counter.ask(samples, |_, piece| self.model.respond(piece))
    }

    fn inside(&self) -> Option<&dyn WhiteBox> {
        self.model.inside()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes of the calls for 1,000 questions, of which each takes as long as `pause`.
    fn calls(name: &str, pause: Duration) -> Vec<usize> {
        let counter = Counter::new(name, Arc::default());
        let mut sizes = Vec::new();
        let answers = counter.ask(&[(); 1000], |_, piece| {
            sizes.push(piece.len());
            std::thread::sleep(pause * piece.len() as u32);
            Ok::<_, ()>(piece.to_vec())
        });
        assert_eq!(answers.map(|answers| answers.len()), Ok(1000));
        sizes
    }

    #[test]
    fn the_clock_does_not_choose_the_batches_of_a_model_of_the_caller() {
        let slow = Duration::from_micros(300);
        assert_eq!(calls("python:mine", Duration::ZERO), [256, 256, 256, 232]);
        assert_eq!(calls("python:mine", slow), [256, 256, 256, 232]);
        let quick = calls("directory", Duration::ZERO);
        assert_eq!(quick[..3], [16, 64, 256], "others grow with the time that they leave");
    }
}
