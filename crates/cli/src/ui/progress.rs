//! Progress of long work: a bar on a terminal, otherwise a plain line now and then.
//!
//! A thread watches the count, so that it is shown in time even if a single step takes minutes.

use std::io::IsTerminal as _;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use fissure_kit::remote::Asked;
use indicatif::{ProgressBar, ProgressStyle};

use super::listener::Step;

/// Counts things done.
#[derive(Debug)]
pub struct Progress {
    state: Arc<Mutex<State>>,
    stop: Option<Sender<()>>,
    watch: Option<JoinHandle<()>>,
}

/// What is known of the work.
#[derive(Clone)]
struct State {
    what: &'static str,
    total: Option<u64>,
    done: u64,
    /// What was done before this began.
    before: u64,
    questions: Option<Questions>,
    started: Instant,
}

/// The questions behind the things that are counted.
#[derive(Clone)]
struct Questions {
    asked: Asked,
    /// Of the model, before this began.
    before: u64,
    /// For all that is left to do, where that is known.
    expected: Option<u64>,
    /// When `done` was last counted up.
    at_done: u64,
}

/// A plain line comes first after this time, and then so often: soon enough to see that it works, seldom enough for a log.
const FIRST_LINE: Duration = Duration::from_secs(5);
const NEXT_LINE: Duration = Duration::from_secs(30);
/// How often a bar is drawn.
const DRAWN: Duration = Duration::from_millis(250);

impl Progress {
    /// Of `total` things called `what`; `None` if it is not known how many there will be.
    pub fn new(what: &'static str, total: Option<u64>) -> Self {
        Self::begin(State { what, total, done: 0, before: 0, questions: None, started: Instant::now() })
    }

    /// The same for work that asks a model: its questions are counted too, of which there are at most `expected`.
    pub fn asking(what: &'static str, total: Option<u64>, asked: Asked, expected: Option<u64>) -> Self {
        let before = asked();
        let questions = Some(Questions { asked, before, expected, at_done: 0 });
        Self::begin(State { what, total, done: 0, before: 0, questions, started: Instant::now() })
    }

    fn begin(state: State) -> Self {
        let state = Arc::new(Mutex::new(state));
        let (stop, stopped) = channel();
        let watched = Arc::clone(&state);
        let plain = !std::io::stderr().is_terminal();
        let watch = std::thread::Builder::new().name("progress".into()).spawn(move || {
            let look = || watched.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
            let wait = |time| stopped.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if super::listens() {
                let (mut next, mut told) = (Instant::now() + FIRST_LINE, false);
                while wait(DRAWN) {
                    told = true;
                    super::listener::tell_step(look().step(false));
                    if Instant::now() >= next {
                        super::note(&look().line(Instant::now()));
                        next = Instant::now() + NEXT_LINE;
                    }
                }
                if told {
                    super::listener::tell_step(look().step(true));
                }
                return;
            }
            if plain {
                let mut pause = FIRST_LINE;
                while wait(pause) {
                    super::note(&look().line(Instant::now()));
                    pause = NEXT_LINE;
                }
                return;
            }
            let bar = ProgressBar::new_spinner();
            while wait(DRAWN) {
                look().draw(&bar);
            }
            bar.finish_and_clear();
        });
        // Without a thread there is no progress to see, and the work is done all the same.
        Self { state, stop: Some(stop), watch: watch.ok() }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    }

    /// Items that were done before: they are left out of the estimate of the time left.
    pub fn resumed(&mut self, count: u64) {
        self.change(|state| (state.done, state.before) = (state.done + count, state.before + count));
    }

    pub fn add(&mut self, count: u64) {
        self.change(|state| {
            state.done += count;
            if let Some(questions) = &mut state.questions {
                questions.at_done = (questions.asked)().saturating_sub(questions.before);
            }
        });
        // Every long command comes by here, between two pieces of its work.
        super::listener::unwind_if_stopped();
    }

    /// Takes the bar away.
    pub fn finish(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.stop = None;
        if let Some(watch) = self.watch.take() {
            // The thread only shows things: however it ended, the work is done.
            let _ = watch.join();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

impl State {
    /// The things that are counted, or the questions where these are all that can be.
    fn step(&self, ended: bool) -> Step {
        let Self { what, done, total, .. } = *self;
        match &self.questions {
            Some(questions) if what.is_empty() => {
                let asked = (questions.asked)().saturating_sub(questions.before);
                Step { what: "questions", done: asked, total: questions.expected, ended }
            }
            _ => Step { what, done, total, ended },
        }
    }

    /// What is done, of how much, how fast, and about how long the rest takes.
    fn line(&self, now: Instant) -> String {
        let elapsed = now.saturating_duration_since(self.started).as_secs_f64();
        let of = self.total.map_or_else(String::new, |total| format!(" of {total}"));
        let things = format!("{}{of} {}", self.done, self.what);
        let new = self.done - self.before;
        let Some(questions) = &self.questions else {
            let left = self.total.map(|total| total.saturating_sub(self.done) as f64);
            return format!("{things}{}", pace(new as f64, left, elapsed));
        };
        let asked = (questions.asked)().saturating_sub(questions.before);
        // What the things that are done took says more than what was expected.
        let expected = match (new, self.total) {
            (1.., Some(total)) => {
                Some(questions.at_done as f64 / new as f64 * total.saturating_sub(self.before) as f64)
            }
            _ => questions.expected.map(|count| count as f64),
        };
        let of = expected.map_or_else(String::new, |count| format!(" of about {:.0}", count.max(asked as f64)));
        let left = expected.map(|count| (count - asked as f64).max(0.0));
        let things = if self.total.is_some() || self.done > 0 { format!(" ({things})") } else { String::new() };
        format!("{asked}{of} questions{things}{}", pace(asked as f64, left, elapsed))
    }

    fn draw(&self, bar: &ProgressBar) {
        if let Some(total) = self.total {
            bar.set_style(style("{bar:30} {msg}"));
            bar.set_length(total);
            bar.set_position(self.done);
        } else {
            bar.set_style(style("{spinner} {msg}"));
        }
        bar.set_message(self.line(Instant::now()));
        bar.tick();
    }
}

/// `, 3.1 a second, about 4 min left`; nothing before there is anything to go by.
fn pace(done: f64, left: Option<f64>, elapsed: f64) -> String {
    if done <= 0.0 || elapsed <= 0.0 {
        return String::new();
    }
    let rate = done / elapsed;
    let shown = if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") };
    let left = left.map_or_else(String::new, |left| format!(", about {} left", time(left / rate)));
    format!(", {shown} a second{left}")
}

/// A time for people.
fn time(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("what", &self.what).field("done", &self.done).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn the_line_counts_questions_and_estimates_the_rest() {
        let count = Arc::new(AtomicU64::new(7));
        let asked: Asked = Arc::new({
            let count = Arc::clone(&count);
            move || count.load(Ordering::Relaxed)
        });
        let mut progress = Progress::asking("samples", Some(100), asked, Some(600));
        progress.resumed(40);
        let state = || progress.state.lock().unwrap().clone();
        let after = |seconds| state().line(state().started + Duration::from_secs(seconds));
        assert_eq!(after(5), "0 of about 600 questions (40 of 100 samples)", "no answer, no pace");
        count.store(27, Ordering::Relaxed);
        assert_eq!(after(10), "20 of about 600 questions (40 of 100 samples), 2.0 a second, about 5 min left");
        count.store(37, Ordering::Relaxed);
        let mut progress = progress;
        progress.add(10);
        let state = progress.state.lock().unwrap().clone();
        // Three questions for each of the ten new samples: 180 for the sixty that were to do.
        let line = state.line(state.started + Duration::from_secs(15));
        assert_eq!(line, "30 of about 180 questions (50 of 100 samples), 2.0 a second, about 75 s left");
    }

    #[test]
    fn things_without_questions_have_a_pace_too() {
        let mut progress = Progress::new("rows", None);
        progress.add(50);
        let state = progress.state.lock().unwrap().clone();
        assert_eq!(state.line(state.started + Duration::from_secs(2)), "50 rows, 25 a second");
    }
}
