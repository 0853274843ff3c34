//! Scoring in the background: goes through the examples, can be stopped and taken up again at any point, and steps aside
//! while the person at the page waits for something.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use fissure_geometry::{
    Candidates, Example, ExampleScore, Labelled, NamedInput, ShortcutOptions, Space, decode, input_of, shortcuts,
    survey,
};
use fissure_models::Model as _;
use serde::Serialize;

use crate::cancel::{Cancel, CancellableModel, CancellableWhiteBox};
use crate::session::{Session, Slot, named, read, write};

/// A batch grows while it takes less than this, and shrinks beyond twice as much: then the page fills up steadily.
/// (The size of a batch never changes a score.)
const SHORT: Duration = Duration::from_millis(100);
const LARGEST: usize = 256;
/// The number of most fragile examples that are searched for a single word that changes the answer.
const SEARCHED: usize = 300;
/// Substitutions that are tried for each of them.
const TRIED: usize = 12;
/// The number of examples over which the words that carry decisions are found.
pub const WEIGHED: usize = 400;

/// How far the background work is.
#[derive(Debug, Default)]
pub struct Progress {
    running: AtomicBool,
    stop: AtomicBool,
    done: AtomicUsize,
    total: AtomicUsize,
    /// Requests that wait for a model right now.
    visitors: AtomicUsize,
    /// Gradients that the weighing of words has worked out; its only sign of progress.
    gradients: AtomicUsize,
    phase: RwLock<&'static str>,
    trouble: RwLock<Option<String>>,
}

/// What the page shows of it.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    pub phase: &'static str,
    pub done: usize,
    pub total: usize,
    pub running: bool,
    pub finished: bool,
    pub trouble: Option<String>,
}

impl Progress {
    pub fn report(&self) -> Report {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let running = self.running.load(Ordering::Acquire);
        let weighed = self.gradients.load(Ordering::Relaxed) / ShortcutOptions::default().midpoints.max(1);
        Report {
            phase: *read(&self.phase),
            done: if running { (done + weighed).min(total) } else { done },
            total,
            running,
            finished: !running && total > 0 && done >= total,
            trouble: read(&self.trouble).clone(),
        }
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    pub fn enter_visitor(&self) {
        self.visitors.fetch_add(1, Ordering::AcqRel);
    }

    pub fn leave_visitor(&self) {
        self.visitors.fetch_sub(1, Ordering::AcqRel);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Sets the stage; a stopped one stays stopped.
    fn enter(&self, phase: &'static str) {
        if !self.stopped() {
            *write(&self.phase) = phase;
        }
    }
}

impl Cancel for Progress {
    /// Waits while a request is being served.
    fn is_wanted(&self) -> bool {
        while self.visitors.load(Ordering::Acquire) > 0 && !self.stopped() {
            thread::sleep(Duration::from_millis(2));
        }
        !self.stopped()
    }

    fn pulled(&self, points: usize) {
        if *read(&self.phase) == WEIGHING {
            self.gradients.fetch_add(points, Ordering::Relaxed);
        }
    }
}

const WEIGHING: &str = "weighing words";

impl Session {
    /// Starts the background work, or takes it up where it was stopped. Does nothing while it runs.
    pub fn start(self: &Arc<Self>) {
        if self.progress.running.swap(true, Ordering::AcqRel) {
            return;
        }
        self.progress.stop.store(false, Ordering::Release);
        let session = Arc::clone(self);
        let worker = thread::Builder::new().name("scoring".into()).spawn(move || {
            let running = Running(&session.progress);
            if let Err(error) = session.work() {
                *write(&session.progress.trouble) = Some(error.to_string());
            }
            drop(running);
        });
        if let Err(error) = worker {
            self.progress.running.store(false, Ordering::Release);
            *write(&self.progress.trouble) = Some(format!("no thread for the scoring: {error}"));
        }
    }

    fn work(&self) -> crate::Result<()> {
        let models = self.setup.subjects.len();
        let samples = self.setup.samples.len();
        let (searched, weighed) = (samples.min(SEARCHED), samples.min(WEIGHED));
        // Words are searched and weighed by gradients.
        let seen_inside = (0..models).filter(|model| self.inside(*model).is_some()).count();
        self.progress.total.store(models * samples + seen_inside * (searched + weighed), Ordering::Relaxed);
        self.count();
        for model in 0..models {
            if let Some(watched) = self.watched(model, &self.progress) {
                self.progress.enter("calibrating the forecast");
                self.calibrate(model, &watched);
            }
            self.progress.enter("scoring");
            self.score_all(model);
        }
        for model in 0..models {
            self.progress.enter("looking for single words that flip an answer");
            self.search(model, searched)?;
        }
        for model in 0..models {
            self.progress.enter(WEIGHING);
            let to_do = self.inside(model).is_some() && read(&self.board(model).shortcuts).is_none();
            if to_do && self.progress.is_wanted() {
                self.weigh(model)?;
                self.count();
            }
        }
        if self.progress.is_wanted() {
            // What could not be scored need not be searched: nothing is left to do.
            self.progress.done.store(self.progress.total.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Counts what is done; a stopped run that goes on starts from there.
    fn count(&self) {
        let weighed = self.setup.samples.len().min(WEIGHED);
        let of = |model: usize| {
            let board = self.board(model);
            let scored = self.slots(model).iter().filter(|slot| !matches!(slot, Slot::Waiting)).count();
            let weighed = if read(&board.shortcuts).is_some() { weighed } else { 0 };
            scored + read(&board.flips).len() + weighed
        };
        let done = (0..self.setup.subjects.len()).map(of).sum();
        self.progress.gradients.store(0, Ordering::Relaxed);
        self.progress.done.store(done, Ordering::Relaxed);
    }

    fn score_all(&self, model: usize) {
        let waiting: Vec<usize> = self
            .slots(model)
            .iter()
            .enumerate()
            .filter(|(_, slot)| matches!(slot, Slot::Waiting))
            .map(|(at, _)| at)
            .collect();
        let (mut from, mut size) = (0, 8);
        while from < waiting.len() && self.progress.is_wanted() {
            let batch = &waiting[from..waiting.len().min(from + size)];
            let began = Instant::now();
            match self.score(model, batch) {
                Ok(None) => {}
                Ok(Some(rows)) => batch
                    .iter()
                    .zip(rows)
                    .for_each(|(example, row)| self.set_slot(model, *example, Slot::Scored(Arc::new(row)))),
                Err(_) if self.progress.stopped() => return,
                // One bad example must not take the others with it.
                Err(_) => batch.iter().for_each(|example| self.score_alone(model, *example)),
            }
            self.progress.done.fetch_add(batch.len(), Ordering::Relaxed);
            from += batch.len();
            size = match began.elapsed() {
                took if took < SHORT => (size * 2).min(LARGEST),
                took if took > 2 * SHORT => (size / 2).max(1),
                _ => size,
            };
        }
    }

    fn score_alone(&self, model: usize, example: usize) {
        let slot = match self.score(model, &[example]) {
            Ok(None) => return,
            Ok(Some(mut rows)) => rows.pop().map_or(Slot::Waiting, |row| Slot::Scored(Arc::new(row))),
            Err(_) if self.progress.stopped() => Slot::Waiting,
            Err(error) => Slot::Failed(error.to_string().into()),
        };
        self.set_slot(model, example, slot);
    }

    /// Asks a model without gradients, and keeps what it says.
    fn ask(&self, model: usize, examples: &[usize]) -> fissure_geometry::Result<()> {
        let samples: Vec<_> = examples.iter().map(|&at| &self.setup.samples[at]).collect();
        let inputs: Vec<_> = samples.iter().map(|sample| input_of(sample)).collect();
        let answers = self.asked(model, &self.progress).try_answer(&inputs)?;
        for ((sample, example), answer) in samples.into_iter().zip(examples).zip(answers) {
            let label = sample.label.as_ref().map(ToString::to_string);
            let slot = match answer {
                Ok(answer) => {
                    let row = ExampleScore::of_answer(&sample.id, label.as_deref(), self.labels(model), &answer);
                    Slot::Scored(Arc::new(row))
                }
                Err(why) => Slot::Failed(why.into()),
            };
            self.set_slot(model, *example, slot);
        }
        Ok(())
    }

    /// The rows of some examples; `None` if the model has no gradients, and its answers are kept already.
    fn score(&self, model: usize, examples: &[usize]) -> fissure_geometry::Result<Option<Vec<ExampleScore>>> {
        let Some(watched) = self.watched(model, &self.progress) else {
            return self.ask(model, examples).map(|()| None);
        };
        let samples: Vec<_> = examples.iter().map(|&at| &self.setup.samples[at]).collect();
        let labels: Vec<Option<String>> =
            samples.iter().map(|sample| sample.label.as_ref().map(ToString::to_string)).collect();
        let asked: Vec<Example<'_>> = samples
            .iter()
            .zip(&labels)
            .map(|(sample, label)| Example { id: &sample.id, input: input_of(sample), label: label.as_deref() })
            .collect();
        self.scorer(model, &watched, false).score(&asked).map(Some)
    }

    /// Which words carry the model's decisions.
    fn weigh(&self, model: usize) -> crate::Result<()> {
        let Some(vocabulary) = self.vocabulary(model) else {
            *write(&self.board(model).shortcuts) = Some(Arc::default());
            return Ok(());
        };
        let seen: Vec<NamedInput<'_>> = self.setup.samples.iter().take(WEIGHED).map(named).collect();
        // Without a label for every text there is nothing to bear a word out by.
        let labels: Vec<usize> =
            self.setup.subjects[model].gold.iter().take(WEIGHED).copied().collect::<Option<_>>().unwrap_or_default();
        let learned = self.setup.training.as_ref().filter(|_| model == 0);
        let training_texts: Vec<NamedInput<'_>> =
            learned.map(|training| training.samples.iter().map(named).collect()).unwrap_or_default();
        let training = learned.map(|training| Labelled { texts: &training_texts, labels: &training.labels });
        let options = ShortcutOptions { seed: self.setup.seed, ..ShortcutOptions::default() };
        let data = Labelled { texts: &seen, labels: &labels };
        let Some(watched) = self.watched(model, &self.progress) else { return Ok(()) };
        if let Some(found) = self.unless_stopped(shortcuts(&watched, data, training, vocabulary, &options))? {
            *write(&self.board(model).shortcuts) = Some(Arc::new(found));
        }
        Ok(())
    }

    /// Looks for single words, near in meaning, that flip the answer: the most fragile examples first.
    fn search(&self, model: usize, most: usize) -> crate::Result<()> {
        let Some(vocabulary) = self.vocabulary(model) else { return Ok(()) };
        let near = self.near(model, vocabulary);
        let slots = self.slots(model);
        let mut order: Vec<(f64, usize)> =
            slots.iter().enumerate().filter_map(|(at, slot)| Some((slot.row()?.fragility(), at))).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let Some(watched) = self.watched(model, &self.progress) else { return Ok(()) };
        for (_, example) in order.into_iter().take(most) {
            if read(&self.board(model).flips).contains_key(&example) {
                continue;
            }
            let input = input_of(&self.setup.samples[example]);
            let tried = || {
                let points = fissure_models::WhiteBox::embed(&watched, &[input])?;
                let surveys = survey(&watched, &points, Space::Tokens)?;
                decode(&watched, &input, &points[0], &surveys[0], vocabulary, Candidates::Listed(near), TRIED)
            };
            let Some(tried) = self.unless_stopped(tried())? else { break };
            write(&self.board(model).flips).insert(example, tried.into_iter().find(|substitution| substitution.flips));
            self.progress.done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// What was found; `None` if the work was stopped before.
    fn unless_stopped<T>(&self, found: fissure_geometry::Result<T>) -> crate::Result<Option<T>> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(_) if self.progress.stopped() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A model that can be cancelled; `None` if it has no gradients.
    pub fn watched<'a>(&'a self, model: usize, by: &'a dyn Cancel) -> Option<CancellableWhiteBox<'a>> {
        self.inside(model).map(|inside| CancellableWhiteBox { inside, by })
    }

    /// The same for a model that is only asked.
    pub fn asked<'a>(&'a self, model: usize, by: &'a dyn Cancel) -> CancellableModel<'a> {
        CancellableModel { model: &*self.setup.subjects[model].model, by }
    }
}

/// Marks the work as over, however it ends.
struct Running<'a>(&'a Progress);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.store(false, Ordering::Release);
    }
}
